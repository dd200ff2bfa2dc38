// The payload for a job's webhook_url: the job as a read shows it, and a sequence number (decisions, section 4).
import type { Job, JobNotice, JobNotifier } from "../../../capabilities/jobs/index.ts";
import { type Notice, noticeBytesMax, type Webhooks } from "../../../capabilities/webhooks/index.ts";
import type { LinkArrival, Surface } from "../surface.ts";
import { presentJob } from "./present-job.ts";

export interface JobNotifierDeps {
  readonly webhooks: Pick<Webhooks, "enqueue" | "wake">;
  readonly surfaceOf: (job: Job) => Surface;
  // The base for absolute links, since there is no request.
  readonly arrival: () => LinkArrival;
}

export function jobNotifier(deps: JobNotifierDeps): JobNotifier {
  return {
    enqueue: (tx, notices) =>
      deps.webhooks.enqueue(
        tx,
        notices.map((notice) => makeNotice(deps, notice)),
      ),
    wake: (addresses) => deps.webhooks.wake(addresses),
  };
}

function makeNotice(deps: JobNotifierDeps, { job, sequence, webhookUrl, tags }: JobNotice): Notice {
  return {
    workspaceId: job.workspaceId,
    subjectId: job.id,
    sequence,
    url: webhookUrl,
    type: `job.${job.state}`,
    facts: { tags, deploymentId: job.poolId },
    body: renderBody(deps, job, sequence),
  };
}

// If a job has more outputs than a receiver would accept, only as many as fit are sent; a read shows all.
function renderBody(deps: JobNotifierDeps, job: Job, sequence: number): Buffer {
  // Node states are for people who watch; a receiver only gets the job's states.
  const progress = job.progress && { ...job.progress, nodes: null };
  const presented = presentJob(deps.surfaceOf(job), { ...job, progress }, deps.arrival());
  for (let count = presented.outputs.length; ; count = Math.floor(count / 2)) {
    const body = Buffer.from(JSON.stringify({ ...presented, outputs: presented.outputs.slice(0, count), sequence }));
    if (body.byteLength <= noticeBytesMax || count === 0) return body;
  }
}
