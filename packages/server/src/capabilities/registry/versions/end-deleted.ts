// A deleted node disappears for readers immediately, its archives some days later; until then a mistake can be undone by
// hand. After that its versions are deleted too, which releases their bytes. Their numbers stay taken, like the node's
// id.

import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { newId } from "../../../foundation/ids.ts";
import type { Log } from "../../../foundation/log.ts";
import type { Blobs } from "../../blobs/index.ts";
import { archiveHolder } from "./check-version.ts";
import { settleLatest } from "./settle-latest.ts";
import type { VersionId } from "./stored-version.ts";
import {
  listVersionsOfDeleted,
  lockNodeRow,
  lockVersionById,
  type Mover,
  moveStatus,
  nodeOfVersion,
} from "./version-write-store.ts";
export interface EndDeletedDeps {
  readonly database: Database;
  readonly blobs: Pick<Blobs, "release">;
  readonly clock: Clock;
  readonly log: Pick<Log, "info">;
  readonly deletedDays: number;
}

const registry: Mover = { kind: "registry", id: null, name: null };
const atOnce = 100;
const dayMs = 86_400_000;

// Returns how many versions were deleted.
export async function endDeleted(deps: EndDeletedDeps, signal: AbortSignal): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - deps.deletedDays * dayMs);
  let ended = 0;
  while (!signal.aborted) {
    const ids = await listVersionsOfDeleted(deps.database, before, atOnce);
    for (const id of ids) await end(deps, id);
    ended += ids.length;
    if (ids.length < atOnce) break;
  }
  if (ended > 0)
    deps.log.info({ versions: ended }, "versions of deleted nodes were removed and their archives released");
  return ended;
}

async function end({ database, blobs }: EndDeletedDeps, id: VersionId): Promise<void> {
  await database.transaction(async (tx) => {
    const nodeRowId = await nodeOfVersion(tx, id);
    if (nodeRowId === null) return;
    await lockNodeRow(tx, nodeRowId);
    const version = await lockVersionById(tx, id);
    if (version === null || version.status === "NodeVersionStatusDeleted") return;
    const { status, archiveHash } = version;
    const move = { before: status, after: "NodeVersionStatusDeleted", reason: "Its node was deleted." } as const;
    await moveStatus(tx, { id: newId(), versionId: id, ...move, by: registry, batchId: null });
    if (archiveHash !== null) await blobs.release(tx, archiveHash, archiveHolder(id));
    await settleLatest(tx, nodeRowId);
  });
}
