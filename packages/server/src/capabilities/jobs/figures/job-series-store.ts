// Jobs of all workspaces over time, by when they were submitted. Ids begin with their time, so a span is a range of the primary key
// and no index of its own is needed.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { JobPoint, JobSpan } from "./job-point.ts";

interface Row {
  readonly slot: Date;
  readonly submitted: string;
  readonly succeeded: string;
  readonly failed: string;
  readonly canceled: string;
  readonly wait_p50_ms: number | null;
  readonly wait_p95_ms: number | null;
  readonly run_p50_ms: number | null;
  readonly run_p95_ms: number | null;
}

const waited = sql`extract(epoch from started_at - created_at) * 1000`;
const ran = sql`extract(epoch from finished_at - started_at) * 1000`;
const succeeded = sql`state = 'succeeded' and started_at is not null`;

// Clocks of processes and of the database may differ.
const skewMs = 60_000;

export async function sumJobs(db: Queryable, { from, to, step }: JobSpan): Promise<JobPoint[]> {
  const rows = await db.query<Row>(sql`
    select date_bin(${`1 ${step}`}::interval, created_at, '2000-01-01T00:00:00Z') as slot, count(*) as submitted,
           count(*) filter (where state = 'succeeded') as succeeded,
           count(*) filter (where state in ('failed', 'expired')) as failed,
           count(*) filter (where state = 'canceled') as canceled,
           (percentile_disc(0.5) within group (order by ${waited}) filter (where started_at is not null))::float8 as wait_p50_ms,
           (percentile_disc(0.95) within group (order by ${waited}) filter (where started_at is not null))::float8 as wait_p95_ms,
           (percentile_disc(0.5) within group (order by ${ran}) filter (where ${succeeded}))::float8 as run_p50_ms,
           (percentile_disc(0.95) within group (order by ${ran}) filter (where ${succeeded}))::float8 as run_p95_ms
    from jobs
    where id >= ${idFrom(from.getTime() - skewMs)}::uuid and id < ${idFrom(to.getTime() + skewMs)}::uuid
      and created_at >= ${from} and created_at < ${to}
    group by 1 order by 1`);
  const whole = (ms: number | null) => (ms === null ? null : Math.max(0, Math.round(ms)));
  return rows.map((row) => ({
    at: row.slot,
    submitted: Number(row.submitted),
    succeeded: Number(row.succeeded),
    failed: Number(row.failed),
    canceled: Number(row.canceled),
    waitP50Ms: whole(row.wait_p50_ms),
    waitP95Ms: whole(row.wait_p95_ms),
    runP50Ms: whole(row.run_p50_ms),
    runP95Ms: whole(row.run_p95_ms),
  }));
}

// The least id of that millisecond.
function idFrom(ms: number): string {
  const digits = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}
