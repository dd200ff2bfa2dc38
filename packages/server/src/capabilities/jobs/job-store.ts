// Reads jobs. Unended jobs are always visible, ended ones until their retention is over. Only outputs of the current attempt
// are visible.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import type {
  ExecutedGraph,
  Job,
  JobDelivery,
  JobId,
  JobOutput,
  JobPreview,
  JobProblem,
  JobProgress,
  JobState,
  PoolId,
} from "./job.ts";

export interface JobLocator {
  readonly jobId: JobId;
  readonly workspaceId: WorkspaceId;
  readonly poolId: PoolId;
}

// A job as stored. Its position in the queue is counted elsewhere.
export interface FoundJob {
  readonly job: Job;
  readonly liveVersion: number;
  readonly previewVersion: number;
}

// Without the nodes, which are not read for lists.
export const jobColumns = sql`
  j.id, j.workspace_id, j.pool_id, j.state, j.version, j.created_at, j.started_at, j.finished_at, j.expires_at,
  j.metadata, j.metadata_map, j.priority, j.attempt, j.lock_id, j.outputs_reused, j.problem,
  case when j.finished_at is null then l.progress else j.progress end as progress,
  case when j.has_target then (
    select json_build_array(count(*) filter (where d.status = 'delivered'), count(*) filter (where d.status = 'pending'),
      count(*) filter (where d.status = 'dead'), (array_agg(d.last_error order by d.due_at desc)
        filter (where d.last_error is not null))[1])
    from output_deliveries d where d.job_id = j.id) end as delivery,
  case when j.state = 'queued' then j.needs_id end as needs_id,
  coalesce(l.version, 0) as live_version, coalesce(l.preview_version, 0) as preview_version,
  case when j.state <> 'queued' then (
    select json_agg(json_build_array(o.asset_id, o.node_id, o.name, o.kind, o.content_type, o.size::text,
                                     encode(o.hash, 'hex'), o.version, o.folder) order by o.version)
    from job_outputs o where o.job_id = j.id and o.attempt = j.attempt) end as outputs`;
const columnsWithNodes = sql`${jobColumns}, case when j.finished_at is null then l.nodes else j.nodes end as nodes`;
export const isShown = sql`(j.finished_at is null or j.due_at > now())`;

export async function findJobs(db: Queryable, locators: readonly JobLocator[]): Promise<Map<JobId, FoundJob>> {
  const rows = await db.query<JobRow>(sql`
    select ${columnsWithNodes} from unnest(
      ${locators.map(({ jobId }) => jobId)}::uuid[],
      ${locators.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${locators.map(({ poolId }) => poolId)}::uuid[]
    ) as given (id, workspace_id, pool_id)
    join jobs j on j.id = given.id and j.workspace_id = given.workspace_id and j.pool_id = given.pool_id
    left join job_live l on l.job_id = j.id
    where ${isShown}`);
  return new Map(rows.map((row) => [trustedId<"job">(row.id), toFound(row)]));
}

// For watchers: they were admitted by a read that named the workspace.
export async function findWatchedJobs(db: Queryable, jobIds: readonly JobId[]): Promise<Map<JobId, FoundJob>> {
  const rows = await db.query<JobRow>(sql`
    select ${columnsWithNodes} from unnest(${jobIds}::uuid[]) as given (id)
    join jobs j on j.id = given.id left join job_live l on l.job_id = j.id`);
  return new Map(rows.map((row) => [trustedId<"job">(row.id), toFound(row)]));
}

export interface WatchedVersion {
  readonly jobId: JobId;
  readonly version: number;
  readonly liveVersion: number;
}

// The watched jobs that differ from what is known of them.
export async function findChangedJobs(db: Queryable, watched: readonly WatchedVersion[]): Promise<JobId[]> {
  const rows = await db.query<{ id: JobId }>(sql`
    select j.id from unnest(
      ${watched.map(({ jobId }) => jobId)}::uuid[],
      ${watched.map(({ version }) => version)}::int[],
      ${watched.map(({ liveVersion }) => liveVersion)}::int[]
    ) as given (id, version, live_version)
    join jobs j on j.id = given.id left join job_live l on l.job_id = given.id
    where j.version <> given.version or coalesce(l.version, 0) <> given.live_version`);
  return rows.map(({ id }) => id);
}

// The known jobs that are still visible and unchanged. One row for all of them: most reads end here.
export async function findUnchangedJobs(db: Queryable, known: readonly WatchedVersion[]): Promise<Set<JobId>> {
  const [row] = await db.query<{ same: string | null }>(sql`
    select string_agg(given.n::text, ',') as same from unnest(
      ${known.map((_, at) => at)}::int[],
      ${known.map(({ jobId }) => jobId)}::uuid[],
      ${known.map(({ version }) => version)}::int[],
      ${known.map(({ liveVersion }) => liveVersion)}::int[]
    ) as given (n, id, version, live_version)
    join jobs j on j.id = given.id left join job_live l on l.job_id = j.id
    where j.version = given.version and coalesce(l.version, 0) = given.live_version and ${isShown}`);
  const same = row?.same ?? "";
  return new Set(same === "" ? [] : same.split(",").flatMap((at) => known[Number(at)]?.jobId ?? []));
}

// The executed graph, or the submitted one if it has not run.
export async function findGraph(db: Queryable, locator: JobLocator): Promise<ExecutedGraph | null> {
  const [row] = await db.query<{ graph: Buffer; lock_id: string | null }>(sql`
    select coalesce(g.executed, g.submitted) as graph, j.lock_id from jobs j join job_graphs g on g.job_id = j.id
    where j.id = ${locator.jobId} and j.workspace_id = ${locator.workspaceId} and j.pool_id = ${locator.poolId} and ${isShown}`);
  return row === undefined ? null : { graph: row.graph, lockId: row.lock_id };
}

// Metadata that its files carry besides the graph, as JSON text.
export async function findPngInfo(db: Queryable, locator: JobLocator): Promise<string | null> {
  const [row] = await db.query<{ png_info: string | null }>(sql`
    select g.png_info from jobs j join job_graphs g on g.job_id = j.id
    where j.id = ${locator.jobId} and j.workspace_id = ${locator.workspaceId} and j.pool_id = ${locator.poolId} and ${isShown}`);
  return row?.png_info ?? null;
}

export async function findPreview(db: Queryable, jobId: JobId): Promise<JobPreview | null> {
  const [row] = await db.query<{ preview_node_id: string; preview_type: string; preview: Buffer }>(sql`
    select preview_node_id, preview_type, preview from job_live where job_id = ${jobId} and preview is not null`);
  return row ? { nodeId: row.preview_node_id, contentType: row.preview_type, bytes: row.preview } : null;
}

export interface JobRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly pool_id: string;
  readonly state: string;
  readonly version: number;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly expires_at: Date;
  readonly metadata: string | null;
  readonly metadata_map: Readonly<Record<string, string>> | null;
  readonly priority: number;
  readonly attempt: number;
  readonly lock_id: string | null;
  readonly outputs_reused: boolean;
  // Written by us, never by a caller.
  readonly problem: JobProblem | null;
  readonly progress: JobProgress | null;
  // Absent if not read.
  readonly nodes?: string | null;
  readonly delivery: readonly [number, number, number, string | null] | null;
  readonly needs_id: string | null;
  readonly live_version: number;
  readonly preview_version: number;
  readonly outputs: readonly OutputRow[] | null;
}

type OutputRow = readonly [
  ...[string, string, string, JobOutput["kind"]],
  ...[string, string, string, number, JobOutput["folder"]],
];

export function toFound(row: JobRow): FoundJob {
  const job: Job = {
    id: trustedId(row.id),
    workspaceId: trustedId(row.workspace_id),
    poolId: trustedId(row.pool_id),
    state: row.state as JobState,
    version: row.version,
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.finished_at,
    expiresAt: row.expires_at,
    queuePosition: null,
    progress: row.progress && (row.nodes === undefined ? row.progress : { ...row.progress, nodes: row.nodes }),
    outputs: (row.outputs ?? []).map(toOutput),
    error: row.problem,
    outputsReused: row.outputs_reused,
    creditsUsed: null,
    metadata: row.metadata_map ?? row.metadata,
    priority: row.priority,
    attempt: row.attempt,
    ...(row.needs_id === null ? {} : { needsId: row.needs_id }),
    ...(row.lock_id === null ? {} : { lockId: row.lock_id }),
    ...(row.delivery === null ? {} : { delivery: toDelivery(row.delivery) }),
  };
  return { job, liveVersion: row.live_version, previewVersion: row.preview_version };
}

function toDelivery([delivered, pending, failed, lastError]: NonNullable<JobRow["delivery"]>): JobDelivery {
  return { delivered, pending, failed, lastError };
}

function toOutput([assetId, nodeId, name, kind, contentType, size, hash, version, folder]: OutputRow): JobOutput {
  return {
    assetId: trustedId(assetId),
    nodeId,
    name,
    kind,
    contentType,
    sizeBytes: Number(size),
    hash,
    folder,
    version,
  };
}
