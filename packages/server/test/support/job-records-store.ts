// What the database says about a test's jobs.
import { type Queryable, sql } from "../../src/foundation/database/index.ts";

// Jobs and calls that have not ended.
export async function openCount(db: Queryable): Promise<number> {
  const [row] = await db.query<{ open: string }>(sql`
    select (select count(*) from jobs where finished_at is null) + (select count(*) from calls where state = 'open')
      as open`);
  return Number(row?.open ?? 0);
}

// How many calls were made and how many charged under the keys of each job's nodes.
export async function callsOfJobs(db: Queryable): Promise<Map<string, { calls: number; charged: number }>> {
  const rows = await db.query<{ job_id: string; calls: string; charged: string }>(sql`
    select split_part(k.idempotency_key, ':', 2) as job_id, count(*) as calls,
      count(*) filter (where c.settled > 0) as charged
    from call_keys k join calls c on c.id = k.call_id where k.idempotency_key like 'job:%' group by 1`);
  return new Map(rows.map((row) => [row.job_id, { calls: Number(row.calls), charged: Number(row.charged) }]));
}

// How many jobs were begun more than once, and how often a job lost its worker.
export async function attemptsOfJobs(db: Queryable): Promise<{ retried: number; lost: number }> {
  const [row] = await db.query<{ retried: string; lost: string }>(sql`
    select count(*) filter (where attempt > 1) as retried, coalesce(sum(lost), 0) as lost from jobs`);
  return { retried: Number(row?.retried ?? 0), lost: Number(row?.lost ?? 0) };
}
