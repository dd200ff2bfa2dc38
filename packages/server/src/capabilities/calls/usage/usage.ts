// Usage for those who pay: by row, by day, and exported whole. Calls write their row when they finish; replays and refusals
// are counted here, many in one statement, and never make a caller wait or fail.
import { type Database, groupCommit, type Queryable } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Log } from "../../../foundation/log.ts";
import { runBatch } from "../rounds/run-batch.ts";
import { findCallOfKey, findTrailCall } from "./request-trail-store.ts";
import type { KeyedCall, TrailCall } from "./trail-call.ts";
import type { FailureGroups, ModelFigures, UsageSeries } from "./usage-figures.ts";
import { groupFailures, type SeriesQuery, sumModels, sumSeries } from "./usage-figures-store.ts";
import type { UsageDay, UsageFilter, UsagePosition, UsageRow } from "./usage-row.ts";
import { type FreeUsage, insertUsage, listUsage, sumUsage } from "./usage-store.ts";

export interface UsagePage {
  readonly rows: readonly UsageRow[];
  // Null on the last page.
  readonly next: UsagePosition | null;
}

export interface Usage {
  // Best effort: written soon, and lost only if the process dies or the database stays away.
  recordUsage(row: FreeUsage): void;
  list(query: {
    workspaceId: WorkspaceId;
    filter: UsageFilter;
    before: UsagePosition | null;
    limit: number;
  }): Promise<UsagePage>;
  sumByDay(query: { workspaceId: WorkspaceId; filter: UsageFilter; bySubject: boolean }): Promise<readonly UsageDay[]>;
  series(query: SeriesQuery): Promise<UsageSeries>;
  failures(query: { workspaceId: WorkspaceId; filter: UsageFilter; limit: number }): Promise<FailureGroups>;
  models(query: { workspaceId: WorkspaceId; since: Date }): Promise<readonly ModelFigures[]>;
  // By its id, or by the id of the running request that began it.
  call(wanted: { workspaceId: WorkspaceId; id: string }): Promise<TrailCall | null>;
  // By the Idempotency-Key it was sent with.
  callOfKey(wanted: { workspaceId: WorkspaceId; key: string }): Promise<KeyedCall | null>;
  // Page by page, newest first: a slow reader holds one page and no connection.
  walk(workspaceId: WorkspaceId, filter: UsageFilter): AsyncGenerator<readonly UsageRow[]>;
  // Resolves when everything recorded so far is written or given up.
  close(): Promise<void>;
}

const batchMax = 256;
const waitingMax = 20_000;
const walkedRows = 1_000;
const modelsMax = 1_000;

export function createUsage(deps: {
  readonly database: Database;
  // Where lists and figures are read from. Defaults to the database.
  readonly lists?: Queryable;
  readonly log: Log;
}): Usage {
  const { database, lists = database, log } = deps;
  const recording = groupCommit<FreeUsage, boolean>({
    maxBatch: batchMax,
    inFlight: 1,
    async run(rows) {
      const results = await runBatch(rows, async (some) => {
        await insertUsage(database, some);
        return some.map(() => true);
      });
      const failed = results.find((result) => !result.ok);
      if (failed && !failed.ok) log.warn({ err: failed.error }, "usage rows of replays or refusals were lost");
      return results.map((result) => result.ok);
    },
  });

  async function list(query: Parameters<Usage["list"]>[0]): Promise<UsagePage> {
    const { limit, ...rest } = query;
    // One more than requested shows whether there is a next page.
    const found = await listUsage(lists, { ...rest, count: limit + 1 });
    const rows = found.slice(0, limit);
    return { rows, next: found.length > limit ? (rows.at(-1)?.position ?? null) : null };
  }

  return {
    recordUsage(row) {
      if (recording.waiting >= waitingMax) return;
      void recording(row).catch(() => undefined);
    },
    list,
    sumByDay: (query) => sumUsage(lists, query),
    series: (query) => sumSeries(lists, query),
    failures: (query) => groupFailures(lists, query),
    models: (query) => sumModels(lists, { ...query, countMax: modelsMax }),
    call: (wanted) => findTrailCall(database, wanted),
    callOfKey: (wanted) => findCallOfKey(database, wanted),
    async *walk(workspaceId, filter) {
      let before: UsagePosition | null = null;
      do {
        const page: UsagePage = await list({ workspaceId, filter, before, limit: walkedRows });
        yield page.rows;
        before = page.next;
      } while (before !== null);
    },
    close: () => recording.close(),
  };
}
