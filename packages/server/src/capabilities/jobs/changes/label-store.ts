// Finds jobs by labels, newest first, by walking the index in its order, several walks side by side. Plans here are generic.
// For a label that nearly every job has, a plan that reads and sorts all of them is a hundred times slower than the walk, so
// we switch such plans off for these two statements. The largest page size is a literal in the SQL for the same reason.
import { joinSql, type Queryable, type Statement, sql } from "../../../foundation/database/index.ts";
import type { JobId, JobState } from "../job.ts";
import { type LabelHome, type LabelPair, labelOf } from "./job-labels.ts";

export interface LabelWalk extends LabelHome {
  // At least one. A job must have all of them.
  readonly labels: readonly LabelPair[];
  readonly states: readonly JobState[] | null;
  readonly before: JobId | null;
  // Further conditions on a job `j`.
  readonly conditions: readonly Statement[];
}

// Returns at most the largest page plus one. Needs its own transaction.
export async function walkLabels(tx: Queryable, asked: LabelWalk): Promise<JobId[]> {
  await tx.query(sql`select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
    set_config('enable_hashjoin', 'off', true)`);
  const hashes = asked.labels.map((pair) => labelOf(asked, pair));
  const { first, others, isRare } = await rarestOf(tx, hashes);
  // With a rare label, each of its jobs is checked for the other labels; with common ones, all walks run side by side.
  const has = (label: string) =>
    isRare
      ? sql`(select true from job_labels o where o.job_id = w.job_id and o.label = ${label})`
      : sql`exists (select from job_labels o where o.job_id = w.job_id and o.label = ${label})`;
  const states = asked.states === null ? [] : [sql`j.state = any (${asked.states}::text[])`];
  const walk = joinSql(
    [sql`w.label = ${first}`, ...(asked.before === null ? [] : [sql`w.job_id < ${asked.before}`]), ...others.map(has)],
    sql` and `,
  );
  const rows = await tx.query<{ job_id: JobId }>(sql`
    select walk.job_id from (select w.job_id from job_labels w where ${walk} order by w.job_id desc) as walk
      join lateral (select * from jobs where jobs.id = walk.job_id limit 1) j on true
    where ${joinSql([...asked.conditions, ...states], sql` and `)} order by walk.job_id desc limit 101`);
  return rows.map(({ job_id }) => job_id);
}

// Counts up to a bound: beyond it, how common a label is makes no difference.
async function rarestOf(tx: Queryable, hashes: readonly string[]) {
  const [only] = hashes;
  if (hashes.length === 1) return { first: only, others: [], isRare: false };
  const rows = await tx.query<{ label: string; found: number }>(sql`
    select given.label, (select count(*)::int from (
      select from job_labels w where w.label = given.label order by w.job_id desc limit 1000) as few) as found
    from unnest(${hashes}::uuid[]) as given (label)`);
  const [first, ...others] = [...rows].sort((one, other) => one.found - other.found);
  return { first: first?.label, others: others.map(({ label }) => label), isRare: (first?.found ?? 0) < 1000 };
}

// For lists of jobs that have not ended. A workspace has few of those, so each is checked for its labels.
export function carries(home: LabelHome, pair: LabelPair): Statement {
  return sql`(select true from job_labels o where o.job_id = j.id and o.label = ${labelOf(home, pair)})`;
}
