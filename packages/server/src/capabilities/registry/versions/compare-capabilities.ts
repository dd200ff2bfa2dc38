// What the code of a version can do, beside another version: by default the highest active version below
// it, which people who update come from.
import type { NodeCapabilities } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { type CodeUse, compareUses, sayUse, wordsOf } from "../python/code-uses.ts";
import type { Reader } from "../readers/reader.ts";
import { findUses } from "./reading-store.ts";
import { compareNumbers } from "./settle-latest.ts";
import { mayReadContents, type StoredVersion } from "./stored-version.ts";
import { listVersionsOf } from "./version-store.ts";

// Null if the code was not read, or not for this reader.
export async function compareCapabilities(
  db: Queryable,
  version: StoredVersion,
  other: StoredVersion | null,
): Promise<NodeCapabilities | null> {
  const uses = mayReadContents(version) ? await findUses(db, version.id) : null;
  if (uses === null) return null;
  const before = other !== null && mayReadContents(other) ? await findUses(db, other.id) : null;
  const { added, removed } = before === null ? { added: [], removed: [] } : compareUses(before, uses);
  return {
    version: version.version,
    capabilities: wordsOf(uses),
    uses: uses.map(present),
    ...(other === null || before === null ? {} : { compared_with: other.version }),
    added: added.map((use) => ({ ...present(use), is_new_kind: use.isNewKind, text: sayUse(version.version, use) })),
    removed: removed.map(present),
  };
}

export async function findVersionBelow(
  db: Queryable,
  { nodeRowId, version }: StoredVersion,
  reader: Reader,
): Promise<StoredVersion | null> {
  const active = await listVersionsOf(db, nodeRowId, reader, ["NodeVersionStatusActive"]);
  const below = active.filter((each) => compareNumbers(each.version, version) < 0);
  return below.toSorted((a, b) => compareNumbers(b.version, a.version))[0] ?? null;
}

function present({ kind, atImport, name, file, line, within }: CodeUse): NodeCapabilities["uses"][number] {
  const position = { ...(line === undefined ? {} : { line }), ...(within === undefined ? {} : { within }) };
  return { kind, at_import: atImport, name, file, ...position };
}
