// Decides who may download a version. A version that everybody may install needs no signature; banned versions and nodes
// are never served, signed or not.
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { isForEverybody } from "./archive-addresses.ts";
import { findArchive } from "./archive-store.ts";
import type { StoredArchive, VersionId } from "./stored-version.ts";

export interface AskedArchive {
  readonly id: VersionId;
  readonly isSigned: boolean;
}

export interface ServedArchive extends StoredArchive {
  readonly nodeId: string;
  readonly version: string;
}

export async function requireArchive(db: Queryable, asked: AskedArchive): Promise<ServedArchive> {
  const found = await findArchive(db, asked.id);
  const isGone = found?.status === "NodeVersionStatusDeleted" || found?.nodeStatus === "NodeStatusDeleted";
  if (!found?.archive || isGone) throw noSuchArchive();
  if (!isForEverybody(found) && !asked.isSigned) {
    throw new Fault("forbidden", "This URL is invalid or has expired.");
  }
  if (found.status === "NodeVersionStatusBanned" || found.nodeStatus === "NodeStatusBanned") {
    throw new Fault("forbidden", "This version is banned.");
  }
  return { ...found.archive, nodeId: found.nodeId, version: found.version };
}

export function noSuchArchive(): Fault {
  return new Fault("not_found", "There is no such archive.");
}
