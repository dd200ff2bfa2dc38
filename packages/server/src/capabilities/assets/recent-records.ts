// The records behind signed URLs. One that was read a moment ago is believed, so that a file which thousands ask for is
// looked up fifty times a second and not for each of them. Who deletes an asset is answered when that moment is over in
// every process (`untilNoneIsRecent`): once a deletion is told, no address of the asset works anywhere.
import type { Clock } from "../../foundation/clock.ts";
import { groupCommit } from "../../foundation/database/index.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { Asset, AssetId } from "./asset.ts";

export interface RecentRecords {
  // In the same turn; null: it has to be read. The clock is the one that records expire by.
  recent(assetId: AssetId, time: Pick<Clock, "now">): Asset | null;
  // A request a moment after another shares its reading; readings of many assets share a statement.
  read(assetId: AssetId): Promise<Asset | null>;
}

export interface RecentRecordsDeps {
  // One answer for each id, null where nothing (any more) goes by it.
  find(assetIds: readonly AssetId[]): Promise<readonly (Asset | null)[]>;
  // Of durations only. Real time, whichever clock the records go by.
  readonly clock: Pick<Clock, "monotonicMs">;
}

const believedMs = 20;
// A timer may come a little early.
const marginMs = 5;
const keptMax = 1024;
const readsPerStatement = 64;

export const untilNoneIsRecent = (clock: Pick<Clock, "sleep">): Promise<void> => clock.sleep(believedMs + marginMs);

export function recentRecords({ find, clock }: RecentRecordsDeps): RecentRecords {
  const kept = new TtlCache<AssetId, Asset>({ clock, keepMs: believedMs, entriesMax: keptMax });
  async function readAll(assetIds: readonly AssetId[]): Promise<readonly (Asset | null)[]> {
    // Before the database looks: whatever is deleted later is believed no longer than from now.
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
      // A record's time may have been lengthened since: that is for the database to say.
      return asset && (asset.expiresAt === null || asset.expiresAt > time.now()) ? asset : null;
    },
    read(assetId) {
      const shared = running.get(assetId);
      if (!shared || clock.monotonicMs() - shared.sinceMs >= believedMs) return begin(assetId);
      // What was not there then may be there now.
      return shared.found.then((asset) => asset ?? read(assetId));
    },
  };
}
