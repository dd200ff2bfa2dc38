// v2's event stream: a live addition to polling, never the source of truth. On connect the server sends a snapshot (status, then
// progress, then the newest preview); outputs come before the terminal status, which ends the stream.
import { type Static, Type } from "typebox";
import { JobState, Output, Progress } from "./jobs.ts";
import { entity, nullable, wordOf } from "./wire-values.ts";

const id = Type.Optional(Type.String({ description: "Hand it back as Last-Event-ID to go on from here." }));

export const StatusEvent = entity("StatusEvent", "Every change of state, and of the place in the queue while queued.", {
  event: Type.Literal("status"),
  id,
  data: Type.Object({
    status: JobState,
    queue_position: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
  }),
});
export type StatusEvent = Static<typeof StatusEvent>;

export const ProgressEvent = entity("ProgressEvent", "A whole picture of the progress, about twice a second.", {
  event: Type.Literal("progress"),
  id,
  data: Progress,
});
export type ProgressEvent = Static<typeof ProgressEvent>;

export const PreviewEvent = entity("PreviewEvent", "A picture of the work so far.", {
  event: Type.Literal("preview"),
  id,
  data: Type.Object({
    node_id: Type.String({ description: "The node that runs." }),
    content_type: Type.String({ description: "The picture's media type." }),
    data_base64: Type.String({ contentEncoding: "base64", description: "The picture." }),
  }),
});
export type PreviewEvent = Static<typeof PreviewEvent>;

export const OutputEvent = entity("OutputEvent", "Something the job made, told once.", {
  event: Type.Literal("output"),
  id,
  data: Output,
});
export type OutputEvent = Static<typeof OutputEvent>;

export const LogEvent = entity("LogEvent", "Reserved for lines of the running engine.", {
  event: Type.Literal("log"),
  id,
  data: Type.Object({
    level: wordOf(["debug", "info", "warning", "error"]),
    message: Type.String(),
  }),
});
export type LogEvent = Static<typeof LogEvent>;

export const JobEvent = Type.Union([StatusEvent, ProgressEvent, PreviewEvent, OutputEvent, LogEvent], {
  title: "JobEvent",
  description:
    "One frame of the stream: its event and id lines, and its data line as JSON. Skip names you do not know.",
});
export type JobEvent = Static<typeof JobEvent>;
