// The event stream of a job: take a share of the quota, watch the job, read it once, send the snapshot, then forward what is
// broadcast. In this order nothing is lost between the read and the first event.
import type { Job, Jobs, RequestedJob } from "../../../capabilities/jobs/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Answer, Incoming, TakeOverAnswer } from "../../../foundation/http/area.ts";
import { openEventStream } from "../../../foundation/http/streams/event-stream.ts";
import type { WorkflowCaller } from "../surface.ts";
import type { JobBroadcast } from "./job-broadcast.ts";
import type { JobBroadcasts } from "./job-broadcasts.ts";
import { versionIn } from "./job-frames.ts";
import type { StreamQuota } from "./stream-quota.ts";

export interface FollowJobDeps {
  readonly jobs: Pick<Jobs, "get" | "preview">;
  readonly broadcasts: JobBroadcasts;
  readonly streamQuota: StreamQuota;
  readonly clock: Clock;
}

type Request = Incoming<WorkflowCaller>;
type RawExchange = Parameters<TakeOverAnswer["takeOver"]>[0];

export async function followJob(deps: FollowJobDeps, requested: RequestedJob, incoming: Request): Promise<Answer> {
  if (incoming.method === "HEAD" || requested.jobId === null) {
    await deps.jobs.get(requested);
    return { takeOver: ({ response, headers }) => void response.writeHead(200, headOf(headers)).end() };
  }
  const giveBack = await deps.streamQuota.take(incoming.caller.workspaceId);
  const { broadcast, leave } = deps.broadcasts.enter(requested.jobId, incoming);
  const job = await look(deps.jobs, requested, broadcast).catch((thrown: unknown) => {
    leave();
    giveBack();
    throw thrown;
  });
  const lastEventId = incoming.headers["last-event-id"];
  return { takeOver: (raw) => begin(raw, { clock: deps.clock, broadcast, job, lastEventId, leave, giveBack }) };
}

// The newest preview is part of the snapshot; the first watcher has to fetch it.
async function look(jobs: FollowJobDeps["jobs"], requested: RequestedJob, broadcast: JobBroadcast): Promise<Job> {
  const job = await jobs.get(requested);
  if (broadcast.hasPreview || job.state === "queued") return job;
  const preview = await jobs.preview(requested);
  if (preview !== null && !broadcast.hasPreview) broadcast.absorbPreview(preview);
  return job;
}

interface Opening {
  readonly clock: Clock;
  readonly broadcast: JobBroadcast;
  readonly job: Job;
  readonly lastEventId: string | string[] | undefined;
  readonly leave: () => void;
  readonly giveBack: () => void;
}

// A stream may stay open for hours: everything it keeps alive is named here, and the request is not among it.
function begin({ response, headers, onEnd }: RawExchange, opening: Opening): void {
  const { clock, broadcast, job, lastEventId, leave, giveBack } = opening;
  const snapshot = () => broadcast.catchUp(stream);
  const stream = openEventStream({
    response,
    headers: toValues(headers),
    clock,
    random: Math.random,
    onEnd,
    snapshot,
  });
  broadcast.absorb(job);
  const remove = broadcast.add(stream, versionIn(lastEventId, job.version));
  stream.onClosed(() => {
    remove();
    leave();
    giveBack();
  });
}

const headOf = (headers: readonly (string | string[])[]) => ({
  ...toValues(headers),
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
});

// Alternating names and values, as the HTTP entrance passes them.
function toValues(list: readonly (string | string[])[]): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (let at = 0; at + 1 < list.length; at += 2) {
    const value = list[at + 1];
    if (value !== undefined) values[String(list[at])] = value;
  }
  return values;
}
