// Submission: one statement for a batch of jobs. Each gets a verdict in the decided order (known under its key, key with
// other content, queue full, created), and only created jobs are written: key, job, graph, sealed data and queue position
// together. An empty fingerprint is of a job that moved here: its request is not known, and counts as the same. A concurrent twin waits in the key's index for the first and gets `again`; so does the second of two in one
// batch.
import { joinBytes, type Queryable, type Statement, sql } from "../../../foundation/database/index.ts";
import { trustedId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import { labelsOf } from "../changes/job-labels.ts";
import type { JobId, JobMetadata, Submission } from "../job.ts";

export interface NewJob {
  readonly id: JobId;
  readonly submission: Submission;
  // Sealed extra data.
  readonly envelope: string | null;
  // The sealed output target.
  readonly targetEnvelope?: string | null;
  // The trace context of its submission.
  readonly traceparent?: string | null;
  readonly isFull: boolean;
}

export interface SubmitRules {
  readonly attemptsMax: number;
  readonly keepSeconds: number;
}

export type SubmitVerdict =
  | { readonly kind: "created"; readonly createdAt: Date; readonly expiresAt: Date }
  | { readonly kind: "replayed"; readonly jobId: JobId }
  // The key's job is past its retention but not swept yet.
  | { readonly kind: "over"; readonly jobId: JobId }
  | { readonly kind: "key_reused" }
  | { readonly kind: "queue_full" }
  | { readonly kind: "again" };

export async function insertJobs(db: Queryable, jobs: readonly NewJob[], rules: SubmitRules): Promise<SubmitVerdict[]> {
  const { bodies: graphs, offsets } = joinBytes(jobs.map(({ submission }) => submission.workflow));
  const rows = await db.query<SubmitRow>(sql`
    with item as (
      select * from unnest(
        ${jobs.map((_, index) => index)}::int[],
        ${jobs.map(({ id }) => id)}::uuid[],
        ${jobs.map(({ submission }) => submission.workspaceId)}::uuid[],
        ${jobs.map(({ submission }) => submission.poolId)}::uuid[],
        ${jobs.map(({ submission }) => submission.idempotencyKey)}::text[],
        ${jobs.map(({ submission }) => submission.fingerprint)}::bytea[],
        ${jobs.map(({ isFull }) => isFull)}::boolean[],
        ${offsets.map(({ from }) => from)}::int[],
        ${offsets.map(({ length }) => length)}::int[],
        ${jobs.map(({ submission }) => submission.nodesTotal)}::int[],
        ${jobs.map(({ submission }) => submission.priority)}::smallint[],
        ${jobs.map(({ submission }) => asText(submission.metadata))}::text[],
        ${jobs.map(({ submission }) => mapOf(submission.metadata))}::json[],
        ${jobs.map(({ submission }) => submission.webhookUrl)}::text[],
        ${jobs.map(({ submission }) => submission.apiKeyId)}::uuid[],
        ${jobs.map(({ envelope }) => envelope)}::text[],
        ${jobs.map(({ targetEnvelope = null }) => targetEnvelope)}::text[],
        ${jobs.map(({ submission }) => submission.assetIds.length > 0)}::boolean[],
        ${jobs.map(({ submission }) => submission.holds.some(({ amount }) => amount > 0n))}::boolean[],
        ${jobs.map(({ submission }) => submission.needsId ?? null)}::uuid[],
        ${jobs.map(({ traceparent = null }) => traceparent)}::text[],
        ${jobs.map(({ submission }) => submission.pngInfo ?? null)}::text[],
        ${jobs.map(({ submission }) => labelsText(submission.labels))}::jsonb[]
      ) as given (n, id, workspace_id, pool_id, idempotency_key, fingerprint, is_full, graph_from, graph_bytes, nodes_total,
                  priority, metadata, metadata_map, webhook_url, api_key_id, envelope, target, holds_assets, holds_credits, needs_id,
                  traceparent, png_info, labels)
    ), looked as (
      select item.*, k.job_id as known_job_id, k.fingerprint as known_fingerprint, k.is_there,
             item.idempotency_key is not null and row_number() over (
               partition by item.workspace_id, item.pool_id, item.idempotency_key order by item.n) > 1 as is_twin
      from item left join lateral (
        select job_keys.job_id, job_keys.fingerprint, coalesce(j.finished_at is null or j.due_at > now(), false) as is_there
        from job_keys left join jobs j on j.id = job_keys.job_id
        where job_keys.workspace_id = item.workspace_id and job_keys.pool_id = item.pool_id
          and job_keys.idempotency_key = item.idempotency_key limit 1
      ) k on true
    ), wanted as (
      select * from looked where known_job_id is null and not is_twin and not is_full
    ), taken as (
      insert into job_keys (workspace_id, pool_id, idempotency_key, job_id, fingerprint)
      select workspace_id, pool_id, idempotency_key, id, fingerprint from wanted where idempotency_key is not null
      order by workspace_id, pool_id, idempotency_key
      on conflict do nothing returning job_id
    ), fresh as (
      select * from wanted where idempotency_key is null or id in (select job_id from taken)
    ), made as (
      insert into jobs (id, workspace_id, pool_id, attempts_max, priority, metadata, metadata_map, webhook_url, api_key_id,
        idempotency_key, nodes_total, holds_assets, holds_credits, needs_id, has_target, labels, expires_at, due_at)
      select id, workspace_id, pool_id, ${rules.attemptsMax}::int, priority, metadata, metadata_map, webhook_url, api_key_id,
        idempotency_key, nodes_total, holds_assets, holds_credits, needs_id, target is not null, labels,
        now() + ${rules.keepSeconds}::float8 * interval '1 second', now() + ${rules.keepSeconds}::float8 * interval '1 second'
      from fresh returning id, created_at, expires_at
    ), graphed as (
      insert into job_graphs (job_id, submitted, traceparent, png_info)
      select id, substring(${graphs}::bytea from graph_from for graph_bytes), traceparent, png_info from fresh
    ), sealed as (
      insert into job_secrets (job_id, envelope) select id, envelope from fresh where envelope is not null
    ), targeted as (insert into job_targets (job_id, envelope) select id, target from fresh where target is not null
    ), labelled as (${insertLabels(jobs)}
    ), queued as (
      insert into job_ready (job_id, pool_id, workspace_id, rank, needs_id)
      select id, pool_id, workspace_id, -priority, needs_id from fresh
    )
    select case
        when made.id is not null then 'created'
        when looked.known_job_id is not null and not looked.is_there then 'over'
        when looked.known_job_id is not null and looked.known_fingerprint not in (looked.fingerprint, '') then 'key_reused'
        when looked.known_job_id is not null then 'replayed'
        when looked.is_twin then 'again'
        when looked.is_full then 'queue_full'
        else 'again'
      end as verdict, looked.known_job_id, made.created_at, made.expires_at
    from looked left join made on made.id = looked.id order by looked.n`);
  return rows.map(toVerdict);
}

// A batch without maps pays nothing for them.
function insertLabels(jobs: readonly NewJob[]): Statement {
  const given = jobs.flatMap(({ submission }, n) =>
    labelsOf(submission, submission.metadata).map((label) => ({ n, label })),
  );
  return given.length === 0
    ? sql`select`
    : sql`insert into job_labels (job_id, label)
      select fresh.id, given.label from unnest(${given.map(({ n }) => n)}::int[], ${given.map(({ label }) => label)}::uuid[])
        as given (n, label) join fresh on fresh.n = given.n`;
}

// Null if there are none.
function labelsText(labels: Labels | undefined): string | null {
  return labels && (labels.tags !== null || labels.endUser !== null) ? JSON.stringify(labels) : null;
}

const asText = (metadata: JobMetadata | null) => (typeof metadata === "string" ? metadata : null);
const mapOf = (metadata: JobMetadata | null) =>
  metadata === null || typeof metadata === "string" ? null : JSON.stringify(metadata);

// Deletes what this transaction has just written for submissions that it must refuse after all.
export async function withdrawJobs(tx: Queryable, jobIds: readonly JobId[]): Promise<void> {
  await tx.execute(sql`
    with gone as (
      delete from jobs where id = any (${jobIds}::uuid[])
    ), keys as (
      delete from job_keys where job_id = any (${jobIds}::uuid[])
    ), graphs as (
      delete from job_graphs where job_id = any (${jobIds}::uuid[])
    ), secrets as (
      delete from job_secrets where job_id = any (${jobIds}::uuid[])
    ), targets as (
      delete from job_targets where job_id = any (${jobIds}::uuid[])
    ), labels as (
      delete from job_labels where job_id = any (${jobIds}::uuid[])
    )
    delete from job_ready where job_id = any (${jobIds}::uuid[])`);
}

// Which of the ids are stored jobs. Settles a lost COMMIT answer.
export async function findSubmitted(
  db: Queryable,
  jobIds: readonly JobId[],
): Promise<Map<JobId, { createdAt: Date; expiresAt: Date }>> {
  const rows = await db.query<{ id: string; created_at: Date; expires_at: Date }>(sql`
    select id, created_at, expires_at from jobs where id = any (${jobIds}::uuid[])`);
  return new Map(
    rows.map((row) => [trustedId<"job">(row.id), { createdAt: row.created_at, expiresAt: row.expires_at }]),
  );
}

interface SubmitRow {
  readonly verdict: SubmitVerdict["kind"];
  readonly known_job_id: string | null;
  readonly created_at: Date | null;
  readonly expires_at: Date | null;
}

function toVerdict(row: SubmitRow): SubmitVerdict {
  switch (row.verdict) {
    case "created":
      return { kind: "created", createdAt: row.created_at as Date, expiresAt: row.expires_at as Date };
    case "replayed":
    case "over":
      return { kind: row.verdict, jobId: trustedId<"job">(row.known_job_id as string) };
    default:
      return { kind: row.verdict };
  }
}
