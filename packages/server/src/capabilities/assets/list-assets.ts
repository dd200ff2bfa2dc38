// One page of a workspace's assets, newest first.
import type { Clock } from "../../foundation/clock.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { parseId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Asset, AssetId, JobId } from "./asset.ts";
import { listAssetsBy } from "./asset-store.ts";
import type { AssetKind } from "./media-type.ts";

export interface ListAssetsDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly cursors: Cursors;
}

export interface ListAssets extends AssetNarrowing {
  readonly workspaceId: WorkspaceId;
  readonly tag: string | null;
  readonly kind: AssetKind | null;
  readonly jobId: JobId | null;
  readonly limit: number;
  readonly cursor: string | null;
}

// Further filters; absent or null matches anything.
export interface AssetNarrowing {
  readonly source?: "upload" | "output" | null;
  readonly name?: string | null;
  readonly hash?: string | null;
  readonly createdFrom?: Date | null;
  readonly createdBefore?: Date | null;
  readonly expiresBefore?: Date | null;
}

export interface AssetsPage {
  readonly assets: readonly Asset[];
  readonly nextCursor: string | null;
}

export async function listAssets(deps: ListAssetsDeps, asked: ListAssets): Promise<AssetsPage> {
  const { workspaceId, tag, kind, jobId, limit } = asked;
  // A cursor is valid only for its workspace and the filters it was made with.
  const narrowing = narrowingOf(asked);
  const purpose = JSON.stringify(["assets", workspaceId, tag, kind, jobId, ...givenIn(narrowing)]);
  const after = asked.cursor === null ? null : readPosition(deps.cursors.read(purpose, asked.cursor));
  const filter = { workspaceId, tag, kind, jobId, ...narrowing, after, count: limit + 1, now: deps.clock.now() };
  const found = await listAssetsBy(deps.database, filter);
  const assets = found.slice(0, limit);
  const last = assets.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  const nextCursor = hasMore ? deps.cursors.issue(purpose, [last.createdAt.toISOString(), last.id]) : null;
  return { assets, nextCursor };
}

function narrowingOf(asked: AssetNarrowing) {
  const { source = null, name = null, hash = null, createdFrom = null, createdBefore = null } = asked;
  return { source, name, hash, createdFrom, createdBefore, expiresBefore: asked.expiresBefore ?? null };
}

// Empty if no filter is set, so that cursors made before these filters existed still work; the same for the newest filter.
function givenIn({ expiresBefore = null, ...older }: AssetNarrowing): unknown[] {
  const isGiven = Object.values(older).some((value) => value !== null) || expiresBefore !== null;
  return isGiven ? [older, ...(expiresBefore === null ? [] : [expiresBefore])] : [];
}

function readPosition(position: readonly string[] | null): { createdAt: Date; id: AssetId } {
  const [createdAt = "", idText = ""] = position ?? [];
  const id = parseId<"asset">(idText);
  if (id === null)
    throw new Fault("invalid_cursor", "This cursor is invalid or has expired. Start again without a cursor.");
  return { createdAt: new Date(createdAt), id };
}
