// What the gallery says above its list: how much there is, the boards, and what expires soon. A board is a tag.
import { boardTagPrefix } from "@atelier/contract";
import type { Clock } from "../../../foundation/clock.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { attempt } from "../../../foundation/retry.ts";
import type { AssetId } from "../asset.ts";
import { type AssetUsage, findUsages } from "../usage-store.ts";
import { countExpiring, listTagsBeginning } from "./gallery-store.ts";

export interface Board {
  readonly name: string;
  readonly tag: string;
  readonly assets: number;
  readonly coverAssetId: AssetId;
}

export interface GallerySummary extends AssetUsage {
  readonly boards: readonly Board[];
  readonly expiring: { readonly assets: number; readonly firstAt: Date | null; readonly before: Date };
}

const soonMs = 7 * 86_400_000;
const countedMax = 10_000;
const boardsMax = 200;

export async function summarizeGallery(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  workspaceId: WorkspaceId,
): Promise<GallerySummary> {
  const now = clock.now();
  const before = new Date(now.getTime() + soonMs);
  const [[usage = { assets: 0, bytes: 0 }], tags, expiring] = await Promise.all([
    findUsages(database, [workspaceId]),
    listTagsBeginning(database, { workspaceId, beginning: boardTagPrefix, count: boardsMax, now }),
    countExpiring(database, { workspaceId, before, countedMax, now }),
  ]);
  const boards = tags.map((found) => ({ ...found, name: nameOf(found.tag) }));
  return { ...usage, boards, expiring: { ...expiring, before } };
}

// A tag written by hand may not be an encoded name.
function nameOf(tag: string): string {
  const encoded = tag.slice(boardTagPrefix.length);
  return attempt(() => decodeURIComponent(encoded), encoded);
}
