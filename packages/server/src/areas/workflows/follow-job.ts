// The event stream of a job: a place, a watch on the job, then one look at it, then the snapshot, then what is told to
// all. In this order nothing is lost between the look and the first event.
import { type Job, type Jobs, type Place, terminalStates } from "../../capabilities/jobs/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Answer, Incoming } from "../../foundation/http/area.ts";
import { type EventStream, openEventStream } from "../../foundation/http/event-stream.ts";
import type { JobBroadcast } from "./job-broadcast.ts";
import type { JobBroadcasts } from "./job-broadcasts.ts";
import { versionIn } from "./job-frames.ts";
import type { StreamPlaces } from "./stream-places.ts";
import type { WorkflowCaller } from "./surface.ts";

export interface FollowJobDeps {
  readonly jobs: Pick<Jobs, "get" | "preview">;
  readonly broadcasts: JobBroadcasts;
  readonly places: StreamPlaces;
  readonly clock: Clock;
}

type Request = Incoming<WorkflowCaller>;

export async function followJob(deps: FollowJobDeps, place: Place, incoming: Request): Promise<Answer> {
  if (incoming.method === "HEAD" || place.jobId === null) {
    await deps.jobs.get(place);
    return { takeOver: ({ response, headers }) => void response.writeHead(200, headOf(headers)).end() };
  }
  const giveBack = await deps.places.take(incoming.caller.workspaceId);
  const { broadcast, leave } = deps.broadcasts.enter(place.jobId, incoming);
  const depart = () => {
    leave();
    giveBack();
  };
  const job = await look(deps.jobs, place, broadcast).catch((thrown: unknown) => {
    depart();
    throw thrown;
  });
  return {
    takeOver({ response, headers }) {
      const stream = openEventStream({
        response,
        headers: toValues(headers),
        clock: deps.clock,
        random: Math.random,
        shutdown: incoming.signal,
        snapshot: () => broadcast.catchUp(stream),
      });
      begin({ stream, broadcast, job, lastEventId: incoming.headers["last-event-id"], depart });
    },
  };
}

// The newest preview is part of the snapshot; whoever came first has to ask for it.
async function look(jobs: FollowJobDeps["jobs"], place: Place, broadcast: JobBroadcast): Promise<Job> {
  const job = await jobs.get(place);
  if (broadcast.hasPreview || terminalStates.has(job.state) || job.state === "queued") return job;
  const preview = await jobs.preview(place);
  if (preview !== null && !broadcast.hasPreview) broadcast.absorbPreview(preview);
  return job;
}

function begin(opened: {
  readonly stream: EventStream;
  readonly broadcast: JobBroadcast;
  readonly job: Job;
  readonly lastEventId: string | string[] | undefined;
  readonly depart: () => void;
}): void {
  const { stream, broadcast, job, depart } = opened;
  broadcast.absorb(job);
  const remove = broadcast.add(stream, versionIn(opened.lastEventId, job.version));
  const end = () => {
    remove();
    depart();
  };
  if (stream.closed.aborted) end();
  else stream.closed.addEventListener("abort", end, { once: true });
}

const headOf = (headers: readonly (string | string[])[]) => ({
  ...toValues(headers),
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
});

// Names and values in turns, as the front door hands them over.
function toValues(list: readonly (string | string[])[]): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (let at = 0; at + 1 < list.length; at += 2) {
    const value = list[at + 1];
    if (value !== undefined) values[String(list[at])] = value;
  }
  return values;
}
