// A workspace that leaves for another server.
import { type Static, Type } from "typebox";
import { entity, mapOf, nullable, Timestamp, wordOf } from "../wire-values.ts";

const movedTo = Type.String({
  format: "uri",
  pattern: "^https?://[^/]",
  maxLength: 500,
  description: "The other server's address, such as https://atelier.example.",
});

export const WorkspaceMove = entity("WorkspaceMove", "Whether a workspace is here, moving, or moved.", {
  state: wordOf(["here", "moving", "moved"], {
    description:
      "moving: no new work; what runs ends, and everything can be read. moved: every other call answers workspace_moved.",
  }),
  moved_to: nullable(movedTo, "Where it goes, or went."),
  since: nullable(Timestamp, "When that began."),
  open: mapOf(Type.Integer({ minimum: 1 }), {
    description: "What still runs here, counted by its name. Empty: the last export can be made.",
  }),
});
export type WorkspaceMove = Static<typeof WorkspaceMove>;

export const MoveWorkspace = entity("MoveWorkspace", "Where a workspace goes.", {
  moved_to: movedTo,
  is_done: Type.Optional(
    Type.Boolean({ description: "true: it is complete there. From then on this server only says where it is." }),
  ),
});
export type MoveWorkspace = Static<typeof MoveWorkspace>;
