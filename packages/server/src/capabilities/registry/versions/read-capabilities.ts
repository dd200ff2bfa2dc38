// What the code of a version can do, for readers who may see its contents.
import type { NodeCapabilities } from "@atelier/contract";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Reader } from "../readers/reader.ts";
import { compareCapabilities, findVersionBelow } from "./compare-capabilities.ts";
import { requireVersion, type VersionNumber } from "./read-versions.ts";

export async function readCapabilities(
  deps: { readonly database: Database },
  at: VersionNumber,
  // A normalized number, or null for the version below.
  since: string | null,
  reader: Reader,
): Promise<NodeCapabilities> {
  const version = await requireVersion(deps, at, reader);
  const other =
    since === null
      ? await findVersionBelow(deps.database, version, reader)
      : await requireVersion(deps, { ...at, version: since }, reader);
  const found = await compareCapabilities(deps.database, version, other);
  if (found === null) throw new Fault("not_found", "The code of this version has not been read yet.");
  if (since !== null && found.compared_with === undefined) {
    throw new Fault("not_found", `The code of version ${since} has not been read yet.`);
  }
  return found;
}
