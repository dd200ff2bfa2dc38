// A full disk is foreseen, and so is a folder that cannot be written (read-only, no permission, gone). Such errors of a
// file system or an object store become one of two faults that callers see. All other errors pass unchanged.
import { Fault } from "../../foundation/fault.ts";

const fullCodes = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const fullNames = new Set(["QuotaExceeded", "XMinioStorageFull", "EntityTooLarge", "InsufficientStorage"]);

// ENOENT: the folder was removed while we were running.
const unwritableCodes = new Set(["EROFS", "EACCES", "EPERM", "ENOTDIR", "ENOENT", "ENXIO", "ENODEV", "ESTALE"]);

export function storageFault(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const isFull = fullNames.has(thrown.name) || ("code" in thrown && fullCodes.has(String(thrown.code)));
  if (isFull) return new Fault("storage_full", "There is no space left to store these bytes.", { cause: thrown });
  const isUnwritable = "code" in thrown && unwritableCodes.has(String(thrown.code));
  return isUnwritable ? unwritable(thrown) : thrown;
}

function unwritable(cause: unknown): Fault {
  const words = "The file store cannot be written right now. The server's log gives the operator the reason.";
  return new Fault("service_unavailable", words, { cause, retryAfterSeconds: 30 });
}

export function isErrno(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === code;
}
