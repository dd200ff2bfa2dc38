// The background work of the service's processes, as operators see it.
import { type Static, Type } from "typebox";
import { entity, Timestamp, Uuid, wordOf } from "../wire-values.ts";

export const BackgroundWork = entity("BackgroundWork", "A recurring piece of work in one process.", {
  name: Type.String({ minLength: 1, description: "Owner and work, as owner: work." }),
  every_seconds: Type.Number({ minimum: 0, description: "From the end of one round to the start of the next." }),
  is_running: Type.Boolean({ description: "Whether a round is running." }),
  rounds: Type.Integer({ minimum: 0, description: "Rounds since the process started." }),
  failures: Type.Integer({ minimum: 0, description: "Rounds that failed since the process started." }),
  last: Type.Optional(
    Type.Object(
      {
        started_at: Timestamp,
        duration_ms: Type.Number({ minimum: 0 }),
        result: wordOf(["succeeded", "failed"]),
        problem: Type.Optional(Type.String({ description: "With failed: what went wrong." })),
      },
      { description: "The latest finished round. Absent before the first." },
    ),
  ),
});
export type BackgroundWork = Static<typeof BackgroundWork>;

export const BackgroundProcess = entity(
  "BackgroundProcess",
  "A process of the service that reported within the last minute.",
  {
    id: Uuid,
    name: Type.String({ minLength: 1, description: "The process: its command, machine and process id." }),
    started_at: Timestamp,
    seen_at: Timestamp,
    works: Type.Array(BackgroundWork),
    problems: Type.Array(Type.String(), {
      description: "One sentence for each piece of work that fails or has stalled.",
    }),
  },
);
export type BackgroundProcess = Static<typeof BackgroundProcess>;

export const BackgroundProcessList = entity("BackgroundProcessList", "Every process of the service, oldest first.", {
  data: Type.Array(BackgroundProcess),
});
