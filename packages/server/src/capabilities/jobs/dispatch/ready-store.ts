// Reads of the lanes. They may walk over dead entries that cannot be removed yet because an old snapshot keeps them. So
// callers start at a mark if they can, and otherwise space their reads by what they cost.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import { isGoingOn } from "../changes/pause-store.ts";
import type { JobId, PoolId } from "../job.ts";
import type { LaneName } from "../queue-depth.ts";

export interface Candidate {
  readonly jobId: JobId;
  readonly rank: number;
  // The hash of what it needs. Null or absent if nothing is known.
  readonly needsId?: string | null;
}

// How many jobs of each lane wait or run, counted up to the bound.
export async function countLanes(
  db: Queryable,
  lanes: readonly { readonly lane: LaneName; readonly bound: number }[],
): Promise<number[]> {
  const rows = await db.query<{ count: string }>(sql`
    select (select count(*) from (
        select from job_ready r where r.pool_id = given.pool_id and r.workspace_id = given.workspace_id limit given.bound) as waiting)
      + (select count(*) from (
        select from job_leases l where l.pool_id = given.pool_id and l.workspace_id = given.workspace_id limit given.bound) as running)
      as count
    from unnest(
      ${lanes.map((_, index) => index)}::int[],
      ${lanes.map(({ lane }) => lane.poolId)}::uuid[],
      ${lanes.map(({ lane }) => lane.workspaceId)}::uuid[],
      ${lanes.map(({ bound }) => bound)}::int[]
    ) as given (n, pool_id, workspace_id, bound) order by given.n`);
  return rows.map((row) => Number(row.count));
}

// The first jobs of each lane in claiming order, including those that wait for their time. One row per lane: a hundred rows
// would cost more to read than to find.
export async function readFronts(db: Queryable, lanes: readonly LaneName[], count: number): Promise<Candidate[][]> {
  const rows = await db.query<{ ids: string | null; ranks: string | null }>(sql`
    select string_agg(front.job_id::text, ',' order by front.rank, front.job_id) as ids,
      string_agg(front.rank::text, ',' order by front.rank, front.job_id) as ranks
    from unnest(
      ${lanes.map((_, index) => index)}::int[],
      ${lanes.map(({ poolId }) => poolId)}::uuid[],
      ${lanes.map(({ workspaceId }) => workspaceId)}::uuid[]
    ) as lane (n, pool_id, workspace_id) left join lateral (
      select r.job_id, r.rank from job_ready r where r.pool_id = lane.pool_id and r.workspace_id = lane.workspace_id
      order by r.rank, r.job_id limit ${count}) as front on true
    group by lane.n order by lane.n`);
  return rows.map(({ ids, ranks }) => {
    if (ids === null || ranks === null) return [];
    const numbers = ranks.split(",");
    return ids.split(",").map((id, at) => ({ jobId: trustedId<"job">(id), rank: Number(numbers[at]) }));
  });
}

// Workspaces that have waiting jobs and are not among the known ones. One index probe for each gap between two known ids and
// for each workspace found. Waiting or dead entries in known lanes are not walked over.
export async function listLanes(
  db: Queryable,
  asked: { readonly poolId: PoolId; readonly known: readonly WorkspaceId[]; readonly count: number },
): Promise<WorkspaceId[]> {
  const known = [...asked.known].sort();
  const rows = await db.query<{ workspace_id: string }>(sql`
    with recursive lane as (
      select found.workspace_id, gap.below, 1 as n
      from unnest(${[lowestId, ...known]}::uuid[], ${[...known, highestId]}::uuid[]) as gap (above, below) cross join lateral (
        select workspace_id from job_ready
        where pool_id = ${asked.poolId} and workspace_id > gap.above and workspace_id < gap.below
        order by workspace_id limit 1) as found
      union all
      select next.workspace_id, lane.below, lane.n + 1 from lane cross join lateral (
        select workspace_id from job_ready
        where pool_id = ${asked.poolId} and workspace_id > lane.workspace_id and workspace_id < lane.below
        order by workspace_id limit 1) as next
      where lane.n < ${asked.count}
    )
    select workspace_id from lane where ${isGoingOn(sql`lane.workspace_id`)} limit ${asked.count}`);
  return rows.map((row) => trustedId<"workspace">(row.workspace_id));
}

export interface WindowRequest {
  readonly workspaceId: WorkspaceId;
  // Inclusive. Null starts at the beginning of the lane.
  readonly from: Candidate | null;
}

// The next candidates of several lanes whose time has come.
export async function readWindows(
  db: Queryable,
  asked: {
    readonly poolId: PoolId;
    readonly lanes: readonly WindowRequest[];
    readonly count: number;
    // Needs that no waiting worker can meet.
    readonly leftOut?: readonly string[];
  },
): Promise<Map<WorkspaceId, Candidate[]>> {
  const { leftOut = [] } = asked;
  const isWanted =
    leftOut.length === 0 ? sql`` : sql`and (r.needs_id is null or r.needs_id <> all (${leftOut}::uuid[]))`;
  const rows = await db.query<CandidateRow & { workspace_id: string }>(sql`
    select lane.workspace_id, found.job_id, found.rank, found.needs_id
    from unnest(
      ${asked.lanes.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${asked.lanes.map(({ from }) => from?.rank ?? -32768)}::smallint[],
      ${asked.lanes.map(({ from }) => from?.jobId ?? lowestId)}::uuid[]
    ) as lane (workspace_id, rank, job_id) cross join lateral (
      select r.job_id, r.rank, r.needs_id from job_ready r
      where r.pool_id = ${asked.poolId} and r.workspace_id = lane.workspace_id
        and (r.rank, r.job_id) >= (lane.rank, lane.job_id) and r.run_at <= now() ${isWanted}
      order by r.rank, r.job_id limit ${asked.count}
    ) as found
    where ${isGoingOn(sql`lane.workspace_id`)}`);
  const windows = new Map<WorkspaceId, Candidate[]>(asked.lanes.map(({ workspaceId }) => [workspaceId, []]));
  for (const row of rows) windows.get(trustedId<"workspace">(row.workspace_id))?.push(toCandidate(row));
  for (const window of windows.values()) window.sort(inOrder);
  return windows;
}

const inOrder = (a: Candidate, b: Candidate) => a.rank - b.rank || (a.jobId < b.jobId ? -1 : 1);

const lowestId = "00000000-0000-0000-0000-000000000000";
const highestId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

interface CandidateRow {
  readonly job_id: string;
  readonly rank: number;
  readonly needs_id: string | null;
}

const toCandidate = (row: CandidateRow): Candidate => ({
  jobId: trustedId(row.job_id),
  rank: row.rank,
  needsId: row.needs_id,
});
