// Workspaces. Roles: owner, member, operator (decisions, section 7).
import { type Static, Type } from "typebox";
import { Credits, entity, Timestamp, Uuid, wordOf } from "../wire-values.ts";

export const WorkspaceRole = wordOf(["owner", "member", "operator"], {
  title: "WorkspaceRole",
  description: "What a person may do: owners manage, members use, operators run the service.",
});

export const Workspace = entity("Workspace", "Who owns keys, credits, entitlements, jobs and assets.", {
  id: Uuid,
  name: Type.String({ minLength: 1, maxLength: 100, description: "Display name." }),
  role: Type.Optional(WorkspaceRole),
  credits: Type.Optional(
    Type.Object({
      available: Credits,
      held: Credits,
    }),
  ),
  created_at: Timestamp,
});
export type Workspace = Static<typeof Workspace>;
