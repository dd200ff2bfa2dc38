// v2's event stream: a live addition to polling, never the source of truth. On connect the server sends a snapshot (status, then
// progress, then the newest preview); outputs come before the terminal status, which ends the stream.
import { type Static, Type } from "typebox";
import { JobState, Output, Progress } from "./jobs.ts";
import { entity, nullable, wordOf } from "./wire-values.ts";

const id = Type.Optional(Type.String({ description: "Send it as Last-Event-ID to resume from here." }));

export const StatusEvent = entity(
  "StatusEvent",
  "Every status change, and every change of queue position while queued.",
  {
    event: Type.Literal("status"),
    id,
    data: Type.Object({
      status: JobState,
      queue_position: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
    }),
  },
);

export const ProgressEvent = entity("ProgressEvent", "A complete progress snapshot, about twice a second.", {
  event: Type.Literal("progress"),
  id,
  data: Progress,
});

export const PreviewEvent = entity("PreviewEvent", "An image of the work so far.", {
  event: Type.Literal("preview"),
  id,
  data: Type.Object({
    node_id: Type.String({ description: "The running node." }),
    content_type: Type.String({ description: "The image's media type." }),
    data_base64: Type.String({ contentEncoding: "base64", description: "The image." }),
  }),
});

export const OutputEvent = entity("OutputEvent", "A job output, sent once.", {
  event: Type.Literal("output"),
  id,
  data: Output,
});

export const LogEvent = entity("LogEvent", "Reserved for log lines of the running engine.", {
  event: Type.Literal("log"),
  id,
  data: Type.Object({
    level: wordOf(["debug", "info", "warning", "error"]),
    message: Type.String(),
  }),
});

export const JobEvent = Type.Union([StatusEvent, ProgressEvent, PreviewEvent, OutputEvent, LogEvent], {
  title: "JobEvent",
  description:
    "One frame of the stream: its event and id lines, and its data line as JSON. Skip events you do not know.",
});
export type JobEvent = Static<typeof JobEvent>;
