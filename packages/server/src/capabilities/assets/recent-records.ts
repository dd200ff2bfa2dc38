// Caches the records behind signed URLs for a moment, so that a file requested by thousands is looked up fifty times a
// second and not once per request. A delete is answered only after that moment has passed in every process
// (`waitUntilForgotten`), so once a caller learns of a deletion, no address of the asset works anywhere.
import type { Clock } from "../../foundation/clock.ts";
import { groupCommit } from "../../foundation/database/index.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { Asset, AssetId } from "./asset.ts";

export interface RecentRecords {
  // Synchronous. Null if it has to be read. `time` is the clock that records expire by.
  recent(assetId: AssetId, time: Pick<Clock, "now">): Asset | null;
  // Requests within a moment share one read; reads of many assets share a statement.
  read(assetId: AssetId): Promise<Asset | null>;
}

export interface RecentRecordsDeps {
  // One result per id; null if there is no such asset, or no longer.
  find(assetIds: readonly AssetId[]): Promise<readonly (Asset | null)[]>;
  // For durations only, so always real time, no matter which clock records expire by.
  readonly clock: Pick<Clock, "monotonicMs">;
}

const believedMs = 20;
// A timer may fire a little early.
const marginMs = 5;
const keptMax = 1024;
const readsPerStatement = 64;

export const waitUntilForgotten = (clock: Pick<Clock, "sleep">): Promise<void> => clock.sleep(believedMs + marginMs);

export function recentRecords({ find, clock }: RecentRecordsDeps): RecentRecords {
  const kept = new TtlCache<AssetId, Asset>({ clock, keepMs: believedMs, entriesMax: keptMax });
  async function readAll(assetIds: readonly AssetId[]): Promise<readonly (Asset | null)[]> {
    // Taken before the query, so that a later delete counts from now at the latest.
    const untilMs = clock.monotonicMs() + believedMs;
    const found = await find(assetIds);
    for (const asset of found) if (asset) kept.set(asset.id, asset, untilMs);
    return found;
  }
  const read = groupCommit({ maxBatch: readsPerStatement, inFlight: 1, run: readAll });
  const running = new Map<AssetId, { readonly sinceMs: number; readonly found: Promise<Asset | null> }>();
  function begin(assetId: AssetId): Promise<Asset | null> {
    const found = read(assetId).finally(() => {
      if (running.get(assetId)?.found === found) running.delete(assetId);
    });
    running.set(assetId, { sinceMs: clock.monotonicMs(), found });
    return found;
  }
  return {
    recent(assetId, time) {
      const asset = kept.get(assetId);
      // The record's life may have been lengthened since; only the database knows.
      return asset && (asset.expiresAt === null || asset.expiresAt > time.now()) ? asset : null;
    },
    read(assetId) {
      const shared = running.get(assetId);
      if (!shared || clock.monotonicMs() - shared.sinceMs >= believedMs) return begin(assetId);
      // An asset that was missing then may exist now.
      return shared.found.then((asset) => asset ?? read(assetId));
    },
  };
}
