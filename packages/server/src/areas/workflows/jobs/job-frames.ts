// One event of a job as bytes. An event's id says how much of the job its reader has by then: every output up to that version.
// So a client that sends it back, to any process, gets the rest and nothing twice.
import type { Job, JobOutput, JobPreview, JobProgress } from "../../../capabilities/jobs/index.ts";
import { encodeEvent } from "../../../foundation/http/streams/event-stream.ts";
import type { LinkArrival, Surface } from "../surface.ts";
import { presentOutput, presentProgress } from "./present-job.ts";

export interface JobFrames {
  status(job: Pick<Job, "state" | "queuePosition">, version: number): Buffer;
  progress(job: Job, progress: JobProgress, version: number): Buffer;
  preview(preview: JobPreview, version: number): Buffer;
  output(job: Job, output: JobOutput): Buffer;
}

export function jobFrames(surface: Surface, arrival: LinkArrival): JobFrames {
  const encode = (event: string, version: number, data: unknown) => encodeEvent({ event, id: String(version), data });
  return {
    status: ({ state, queuePosition }, version) =>
      encode("status", version, { status: state, queue_position: queuePosition }),
    progress: (job, progress, version) => encode("progress", version, presentProgress(job, progress)),
    preview: ({ nodeId, contentType, bytes }, version) =>
      encode("preview", version, {
        node_id: nodeId,
        content_type: contentType,
        data_base64: bytes.toString("base64"),
      }),
    output: (job, output) => encode("output", output.version, presentOutput(surface, job, output, arrival)),
  };
}

// What a reader already has. Null if nothing. An id that is not ours, or ahead of the job, counts as none.
export function versionIn(lastEventId: string | string[] | undefined, newest: number): number | null {
  if (typeof lastEventId !== "string" || !/^\d{1,15}$/.test(lastEventId)) return null;
  const version = Number(lastEventId);
  return version <= newest ? version : null;
}
