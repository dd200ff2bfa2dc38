// What a job's webhook_url hears: the job as a read shows it, and a sequence (decisions, section 4).
import type { Job, JobNotice, JobNotifier } from "../../../capabilities/jobs/index.ts";
import { type Notice, noticeBytesMax, type Webhooks } from "../../../capabilities/webhooks/index.ts";
import type { LinkArrival, Surface } from "../surface.ts";
import { presentJob } from "./present-job.ts";

export interface JobNotifierDeps {
  readonly webhooks: Pick<Webhooks, "enqueue" | "wake">;
  readonly surfaceOf: (job: Job) => Surface;
  // Where links lead that must be absolute, since there is no request.
  readonly arrival: () => LinkArrival;
}

export function jobNotifier(deps: JobNotifierDeps): JobNotifier {
  return {
    enqueue: (tx, notices) =>
      deps.webhooks.enqueue(
        tx,
        notices.map((notice) => noticeOf(deps, notice)),
      ),
    wake: (notices) =>
      deps.webhooks.wake(notices.map(({ job, webhookUrl }) => ({ workspaceId: job.workspaceId, url: webhookUrl }))),
  };
}

function noticeOf(deps: JobNotifierDeps, { job, sequence, webhookUrl }: JobNotice): Notice {
  return {
    workspaceId: job.workspaceId,
    subjectId: job.id,
    sequence,
    url: webhookUrl,
    type: `job.${job.state}`,
    body: bodyOf(deps, job, sequence),
  };
}

// A job with so many outputs that no receiver would take them is told with as many as fit; a read shows all.
function bodyOf(deps: JobNotifierDeps, job: Job, sequence: number): Buffer {
  // Nodes are for those who look; a receiver is told of states.
  const progress = job.progress && { ...job.progress, nodes: null };
  const presented = presentJob(deps.surfaceOf(job), { ...job, progress }, deps.arrival());
  for (let count = presented.outputs.length; ; count = Math.floor(count / 2)) {
    const body = Buffer.from(JSON.stringify({ ...presented, outputs: presented.outputs.slice(0, count), sequence }));
    if (body.byteLength <= noticeBytesMax || count === 0) return body;
  }
}
