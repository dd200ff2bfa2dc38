// What a worker gets with its lease when it claims a job.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import { trustedId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import type { JobId } from "../job.ts";

export interface JobWork {
  readonly workflow: Buffer;
  readonly pngInfo: string | null;
  readonly nodesTotal: number;
  readonly envelope: string | null;
  readonly expiresAt: Date;
  // Time between creation and the claim.
  readonly waitedMs: number;
  // The trace context of its submission, or null.
  readonly traceparent: string | null;
  readonly labels: Labels | null;
}

export async function findWork(tx: Queryable, jobIds: readonly JobId[]): Promise<Map<JobId, JobWork>> {
  const rows = await tx.query<RowOf<JobWork> & { readonly id: JobId }>(sql`
    select j.id, g.submitted as workflow, g.png_info, g.traceparent, j.nodes_total, s.envelope, j.expires_at, j.labels,
      extract(epoch from j.claimed_at - j.created_at)::float8 * 1000 as waited_ms
    from unnest(${jobIds}::uuid[]) as given (id) join jobs j on j.id = given.id join job_graphs g on g.job_id = j.id
      left join job_secrets s on s.job_id = j.id`);
  return new Map(rows.map(({ id, ...row }) => [id, fromRow<JobWork>(row)]));
}

// Graphs of some jobs, to see what they need.
export async function findGraphs(db: Queryable, jobIds: readonly JobId[]): Promise<Map<JobId, Buffer>> {
  const rows = await db.query<{ job_id: string; submitted: Buffer }>(sql`
    select job_id, submitted from job_graphs where job_id = any (${jobIds}::uuid[])`);
  return new Map(rows.map((row) => [trustedId<"job">(row.job_id), row.submitted]));
}
