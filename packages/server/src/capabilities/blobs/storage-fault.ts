// A full disk is foreseen: whatever says so, in the words of a file system or of an object store, becomes the one fault
// that callers see. Everything else passes as it is.
import { Fault } from "../../foundation/fault.ts";

const fullCodes = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const fullNames = new Set(["QuotaExceeded", "XMinioStorageFull", "EntityTooLarge", "InsufficientStorage"]);

export function storageFault(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const isFull = fullNames.has(thrown.name) || ("code" in thrown && fullCodes.has(String(thrown.code)));
  return isFull ? new Fault("storage_full", "There is no space left to store these bytes.", { cause: thrown }) : thrown;
}

export function isErrno(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === code;
}
