// How long similar jobs took.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { RunTimes } from "../../../foundation/run-times.ts";
import type { LikeJobs } from "./like-jobs.ts";

// Uses the newest jobs that succeeded on their first attempt, including those that reused earlier results, because most
// reruns of a graph do. Null if there were none since then.
export async function findTimesOfLikeJobs(
  db: Queryable,
  jobs: LikeJobs & { readonly since: Date; readonly countMax: number },
): Promise<RunTimes | null> {
  const [row] = await db.query<RunTimes>(sql`
    select count(*)::int as count,
           percentile_cont(0.5) within group (order by ms) as "medianMs",
           percentile_cont(0.9) within group (order by ms) as "p90Ms"
    from (select extract(epoch from finished_at - started_at)::float8 * 1000 as ms from jobs
          where pool_id = ${jobs.poolId} and needs_id = ${jobs.needsId} and nodes_total = ${jobs.nodesTotal}
            and finished_at >= ${jobs.since}
            and state = 'succeeded' and attempt = 1
          order by finished_at desc limit ${jobs.countMax}) newest`);
  return row && row.count > 0 ? row : null;
}
