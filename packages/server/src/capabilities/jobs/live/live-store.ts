// Live state of running jobs. Fenced by the lease. The progress value never falls, whichever attempt reports it.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { JobId, JobPreview, JobProgress } from "../job.ts";
import type { JobLease } from "../worker-port.ts";

export interface LiveNews {
  readonly lease: JobLease;
  readonly progress: JobProgress | null;
  readonly preview: JobPreview | null;
  readonly nodes: string | null;
}

// Nodes have a separate column.
const withoutNodes = ({ nodes: _, ...progress }: JobProgress) => progress;

// Returns the jobs whose news took effect. Locks their leases: a transaction that ends a job meanwhile waits, and includes
// what was written here.
export async function writeLive(db: Queryable, news: readonly LiveNews[]): Promise<JobId[]> {
  const rows = await db.query<{ job_id: JobId }>(sql`
    with item as (
      select * from unnest(
        ${news.map(({ lease }) => lease.jobId)}::uuid[],
        ${news.map(({ lease }) => lease.attempt)}::int[],
        ${news.map(({ lease }) => lease.workerId)}::uuid[],
        ${news.map(({ progress }) => (progress === null ? null : JSON.stringify(withoutNodes(progress))))}::jsonb[],
        ${news.map(({ preview }) => preview?.nodeId ?? null)}::text[],
        ${news.map(({ preview }) => preview?.contentType ?? null)}::text[],
        ${news.map(({ preview }) => preview?.bytes ?? null)}::bytea[],
        ${news.map(({ nodes }) => nodes)}::text[]
      ) as given (job_id, attempt, worker_id, progress, preview_node_id, preview_type, preview, nodes)
    ), leased as (
      select l.job_id, l.attempt, l.worker_id from job_leases l join item using (job_id, attempt, worker_id)
      order by l.job_id for key share of l
    )
    insert into job_live as l (job_id, progress, preview_version, preview_node_id, preview_type, preview, nodes)
    select item.job_id, item.progress, case when item.preview is null then 0 else 1 end, item.preview_node_id,
      item.preview_type, item.preview, item.nodes
    from item join leased using (job_id, attempt, worker_id)
    order by item.job_id
    on conflict (job_id) do update set
      version = l.version + 1, changed_at = now(),
      progress = coalesce(excluded.progress || jsonb_build_object(
        'value', greatest((l.progress ->> 'value')::float8, (excluded.progress ->> 'value')::float8),
        'nodesDone', greatest((l.progress ->> 'nodesDone')::int, (excluded.progress ->> 'nodesDone')::int)), l.progress),
      preview_version = l.preview_version + excluded.preview_version,
      preview_node_id = coalesce(excluded.preview_node_id, l.preview_node_id),
      preview_type = coalesce(excluded.preview_type, l.preview_type),
      preview = coalesce(excluded.preview, l.preview),
      nodes = coalesce(excluded.nodes, l.nodes)
    returning job_id`);
  return rows.map((row) => row.job_id);
}

// An ended job has its progress in its own row; its last preview is removed with the job.
export async function forgetLive(db: Queryable): Promise<number> {
  return db.execute(sql`
    delete from job_live l where l.changed_at < now() - interval '1 hour' and l.preview is null
      and not exists (select from jobs j where j.id = l.job_id and j.finished_at is null)`);
}
