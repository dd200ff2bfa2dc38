// The invariants of jobs: none of these queries may ever return a row. Other capabilities' rows come in as SQL fragments
// from their owners: `deliveries` are those of webhooks (workspace_id, subject_id, sequence).
import { type Invariant, type Queryable, type Statement, sql } from "../../foundation/database/index.ts";
import { assetFacts, assetHoldFacts } from "../assets/shared-sql.ts";
import { openReservationFacts } from "../calls/shared-sql.ts";

export const jobInvariants = (deliveries: Statement): readonly Invariant[] => [
  {
    name: "I13 what runs has a worker and a lease of this attempt, what waits has a place in the queue, and nothing else has either",
    statement: sql`
      select coalesce(j.id, l.job_id, r.job_id) as id
      from (select * from jobs where finished_at is null) j
        full join job_leases l on l.job_id = j.id full join job_ready r on r.job_id = coalesce(j.id, l.job_id)
      where j.id is null or (j.state = 'queued') <> (r.job_id is not null)
        or (j.state in ('running', 'canceling')) <> (l.job_id is not null)
        or (l.job_id is not null and (l.attempt, l.worker_id) is distinct from (j.attempt, j.worker_id))
        or (l.job_id is not null and l.is_canceling <> (j.state = 'canceling'))`,
  },
  {
    name: "I14 finished_at stands exactly where the state is terminal",
    statement: sql`
      select id from jobs
      where (state in ('succeeded', 'failed', 'canceled', 'expired')) <> (finished_at is not null)`,
  },
  {
    name: "I15 no job has more attempts than it may have",
    statement: sql`select id from jobs where attempt - given_back > attempts_max or given_back > attempt`,
  },
  {
    name: "I16 no lease is more than a minute past",
    statement: sql`select job_id from job_leases where lease_until < now() - interval '60 seconds'`,
    mend: "start a server with the role background: it takes over what a killed one left; if it stays, report it with this line",
  },
  {
    name: "I17 what a job shows is of its last attempt, is there, and is held for it",
    statement: sql`
      select o.job_id from job_outputs o
        left join jobs j on j.id = o.job_id
        left join (${assetFacts}) a on a.id = o.asset_id and a.workspace_id = j.workspace_id
        left join (${assetHoldFacts}) h on h.asset_id = o.asset_id and h.holder_kind = 'job-output' and h.holder_id = o.job_id
      where j.id is null or o.attempt > j.attempt or (o.attempt = j.attempt and (a.id is null or h.asset_id is null))`,
  },
  {
    // Notices are kept for at least two days; the first ones of older jobs may be gone.
    name: "I18 every change of a job with a webhook was told, and nothing else",
    statement: sql`
      select j.id from jobs j
      where j.webhook_url is not null and j.created_at > now() - interval '2 days' and j.sequence <> (
        select coalesce(max(d.sequence), 0) from (${deliveries}) d
        where d.workspace_id = j.workspace_id and d.subject_id = j.id::text)`,
  },
  {
    name: "a key names a job that is there, and the job names the key",
    statement: sql`
      select k.job_id from job_keys k left join jobs j on j.id = k.job_id
      where j.id is null or j.idempotency_key is distinct from k.idempotency_key or j.workspace_id <> k.workspace_id`,
  },
  {
    name: "an ended job holds no credits, no inputs and no secret, and an open one holds what it was given",
    statement: sql`
      select r.holder_id as id from (${openReservationFacts}) r left join jobs j on j.id = r.holder_id
      where j.id is null or j.finished_at is not null
      union all
      select h.holder_id from (${assetHoldFacts}) h left join jobs j on j.id = h.holder_id
      where h.holder_kind = 'job-input' and (j.id is null or j.finished_at is not null)
      union all
      select s.job_id from job_secrets s left join jobs j on j.id = s.job_id where j.id is null or j.finished_at is not null`,
  },
];

export interface JobFigures {
  readonly queued: number;
  readonly running: number;
  readonly oldestSeconds: number;
}

export async function findJobFigures(db: Queryable): Promise<JobFigures> {
  const [row] = await db.query<{ queued: string; running: string; oldest: number }>(sql`
    select (select count(*) from job_ready) as queued, (select count(*) from job_leases) as running,
      coalesce((select extract(epoch from now() - min(run_at))::float8 from job_ready), 0) as oldest`);
  return { queued: Number(row?.queued ?? 0), running: Number(row?.running ?? 0), oldestSeconds: row?.oldest ?? 0 };
}
