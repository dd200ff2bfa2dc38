// A job in its wire format. Every required member is present, null until known: clients of the public contract refuse a job
// that lacks one.
import type { Job as JobBody, JobPage, Output, OutputDelivery, Progress, WaitingFor } from "@atelier/contract";
import type { Job, JobDelivery, JobOutput, JobProgress } from "../../../capabilities/jobs/index.ts";
import type { AwaitedWorker } from "../../../capabilities/pools/index.ts";
import { assetUrls, jobUrls, pageLinks } from "../links.ts";
import type { LinkArrival, Surface } from "../surface.ts";
import { presentNodes } from "./present-nodes.ts";

export function presentJob(
  surface: Surface,
  job: Job,
  arrival: LinkArrival,
  awaited: AwaitedWorker | null = null,
): JobBody {
  return {
    id: job.id,
    status: job.state,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    completed_at: job.completedAt?.toISOString() ?? null,
    expires_at: job.expiresAt.toISOString(),
    queue_position: job.queuePosition,
    ...(awaited === null ? {} : { waiting_for: presentAwaited(awaited) }),
    progress: job.progress === null ? null : presentProgress(job, job.progress),
    outputs: job.outputs.map((output) => presentOutput(surface, job, output, arrival)),
    error: job.error === null ? null : presentProblem(job.error),
    metrics: {
      queue_ms: msBetween(job.createdAt, job.startedAt),
      execution_ms: msBetween(job.startedAt, job.completedAt),
    },
    outputs_reused: job.outputsReused,
    ...(job.metadata === null ? {} : { metadata: job.metadata }),
    priority: job.priority,
    ...(job.delivery === undefined ? {} : { output_delivery: presentDelivery(job.delivery) }),
    ...(job.lockId === undefined ? {} : { lock_id: job.lockId }),
    urls: jobUrls(surface.mountPath, job.id),
  };
}

function presentAwaited({ nodeClasses, models, lastSeenAt }: AwaitedWorker): WaitingFor {
  return {
    reason: "worker",
    node_classes: [...nodeClasses],
    models: [...models],
    last_seen_at: lastSeenAt?.toISOString() ?? null,
  };
}

function presentDelivery({ delivered, pending, failed, lastError }: JobDelivery): OutputDelivery {
  return { delivered, pending, failed, last_error: lastError };
}

export function presentProgress(job: Pick<Job, "state" | "attempt">, progress: JobProgress): Progress {
  return {
    value: Math.min(1, Math.max(0, progress.value)),
    nodes_done: progress.nodesDone,
    nodes_total: progress.nodesTotal,
    current_node: progress.currentNode,
    current_node_class: progress.currentNodeClass,
    step: progress.step,
    steps: progress.steps,
    message: progress.message,
    ...presentNodes(job, progress.nodes ?? null),
  };
}

// Spec, Output URL rules: `url` is the content endpoint, which requires the credential.
export function presentOutput(surface: Surface, job: Job, output: JobOutput, arrival: LinkArrival): Output {
  const { assetId } = output;
  const link = surface.links.output({ assetId, jobExpiresAt: job.expiresAt }, arrival);
  return {
    id: assetId,
    node_id: output.nodeId,
    // A graph can save into folders, which a client that saves an output under its name does not have. Asset.file_path has the
    // full path.
    name: output.name.slice(output.name.lastIndexOf("/") + 1),
    type: output.kind,
    content_type: output.contentType,
    size_bytes: output.sizeBytes,
    hash: `blake3:${output.hash}`,
    url: link.url,
    url_expires_at: link.expiresAt?.toISOString() ?? null,
    job_id: job.id,
    ...(output.folder === "output" ? {} : { is_preview: true }),
    urls: assetUrls(surface.mountPath, assetId, { type: output.contentType, size: output.sizeBytes }),
  };
}

export interface JobsPage {
  readonly jobs: readonly Job[];
  // In the order of the jobs.
  readonly awaited: readonly (AwaitedWorker | null)[];
  readonly nextCursor: string | null;
  readonly limit: number;
}

export function presentJobPage(
  surface: Surface,
  page: JobsPage,
  arrival: LinkArrival & { readonly query: URLSearchParams },
): JobPage {
  return {
    data: page.jobs.map((job, at) => presentJob(surface, job, arrival, page.awaited[at])),
    ...pageLinks("jobs", surface.mountPath, arrival.query, page.nextCursor),
    limit: page.limit,
  };
}

// Does not say where in the engine a graph failed: that would show paths of the machine that ran it.
function presentProblem(problem: NonNullable<Job["error"]>): NonNullable<JobBody["error"]> {
  return {
    code: problem.code,
    message: problem.message,
    node_id: problem.nodeId,
    class_type: problem.classType,
    traceback: null,
  };
}

// The clocks of two machines may differ slightly; a duration is never negative.
function msBetween(from: Date | null, to: Date | null): number | null {
  return from === null || to === null ? null : Math.max(0, to.getTime() - from.getTime());
}
