// Lists of jobs, newest first. Every form walks one index from where the page begins: all jobs, those of each wanted state,
// those of one metadata, those of one label, or the one of a key. Of several labels and states the one that fewest jobs
// have is walked, and the others are asked of what it finds.
import { joinSql, type Queryable, type Statement, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { JobId, JobState, PoolId } from "./job.ts";
import { type LabelPair, labelOf } from "./job-labels.ts";
import { type FoundJob, isShown, type JobRow, jobColumns, toFound } from "./job-store.ts";

export interface JobFilter {
  readonly workspaceId: WorkspaceId;
  readonly poolId: PoolId;
  readonly states: readonly JobState[] | null;
  readonly metadata: string | null;
  // All of them.
  readonly labels: readonly LabelPair[];
  readonly idempotencyKey: string | null;
  readonly before: JobId | null;
  readonly count: number;
}

export async function listJobsBy(db: Queryable, filter: JobFilter): Promise<FoundJob[]> {
  const ids = await idsOf(db, filter);
  const rows = await db.query<JobRow>(sql`
    select ${jobColumns} from (${ids}) as page join jobs j on j.id = page.id left join job_live l on l.job_id = j.id
    order by j.id desc`);
  return rows.map(toFound);
}

async function idsOf(db: Queryable, filter: JobFilter): Promise<Statement> {
  const { workspaceId, poolId, states, idempotencyKey, labels } = filter;
  const conditions: Statement[] = [
    sql`j.workspace_id = ${workspaceId} and j.pool_id = ${poolId}`,
    isShown,
    ...(filter.before === null ? [] : [sql`j.id < ${filter.before}`]),
    ...(filter.metadata === null ? [] : [sql`j.metadata = ${filter.metadata}`]),
    ...(idempotencyKey === null
      ? []
      : [
          sql`j.id = (select k.job_id from job_keys k where k.workspace_id = ${workspaceId} and k.pool_id = ${poolId}
            and k.idempotency_key = ${idempotencyKey})`,
        ]),
  ];
  const isOne = filter.metadata !== null || idempotencyKey !== null;
  const hashes = labels.map((pair) => labelOf(filter, pair));
  const walked = isOne || hashes.length === 0 ? null : await rarestOf(db, filter, hashes);
  const others = hashes.filter((hash) => hash !== walked);
  if (others.length > 0) conditions.push(hasLabels(others));
  if (walked !== null) return byLabel(filter, walked, conditions);
  return states !== null && !isOne ? byStates(filter, states, conditions) : byNewest(filter, conditions);
}

const hasLabels = (hashes: readonly string[]) => sql`
  (select count(*) from job_labels o where o.job_id = j.id and o.label = any (${hashes}::uuid[])) = ${hashes.length}`;

function byNewest({ states, count }: JobFilter, conditions: readonly Statement[]): Statement {
  const where = joinSql([...conditions, ...inStates(states)], sql` and `);
  return sql`select j.id from jobs j where ${where} order by j.id desc limit ${count}`;
}

function byStates({ count }: JobFilter, states: readonly JobState[], conditions: readonly Statement[]): Statement {
  const where = joinSql(conditions, sql` and `);
  return sql`select found.id from unnest(${states}::text[]) as wanted (state) cross join lateral (
    select j.id from jobs j where j.state = wanted.state and ${where} order by j.id desc limit ${count}) as found
    order by found.id desc limit ${count}`;
}

// The walk is fenced off from the planner, which would else sort all jobs of a common label to find the newest.
function byLabel({ states, count, before }: JobFilter, label: string, conditions: readonly Statement[]): Statement {
  const where = joinSql([...conditions, ...inStates(states)], sql` and `);
  const from = before === null ? sql`` : sql`and w.job_id < ${before}`;
  return sql`select j.id from (
      select w.job_id from job_labels w where w.label = ${label} ${from} order by w.job_id desc
    ) as walk join lateral (select * from jobs where jobs.id = walk.job_id limit 1) j on true
    where ${where} order by walk.job_id desc limit ${count}`;
}

const inStates = (states: readonly JobState[] | null) =>
  states === null ? [] : [sql`j.state = any (${states}::text[])`];

const probeMax = 1_000;

// The label to walk; null: the wanted states are rarer. Counted to a bound: what is as common as that is all the same.
async function rarestOf(db: Queryable, filter: JobFilter, hashes: readonly string[]): Promise<string | null> {
  const [first] = hashes;
  if (hashes.length === 1 && filter.states === null) return first ?? null;
  const { workspaceId, poolId } = filter;
  const rows = await db.query<{ label: string | null; found: number }>(sql`
    select given.label, (select count(*)::int from (
      select from job_labels w where w.label = given.label limit ${probeMax}) as few) as found
    from unnest(${hashes}::uuid[]) as given (label)
    union all
    select null, sum(few.found)::int from unnest(${filter.states ?? []}::text[]) as wanted (state) cross join lateral (
      select count(*) as found from (select from jobs j where j.workspace_id = ${workspaceId} and j.pool_id = ${poolId}
        and j.state = wanted.state limit ${probeMax}) as one) as few having count(*) > 0
    order by found limit 1`);
  return rows[0]?.label ?? null;
}
