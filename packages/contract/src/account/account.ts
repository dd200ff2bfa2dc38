// Workspaces and the roles in them.
import { type Static, Type } from "typebox";
import { workspaceRoles } from "../roles.ts";
import { Credits, entity, Timestamp, Uuid, wordOf } from "../wire-values.ts";

export const WorkspaceRole = wordOf([...workspaceRoles, "operator"], {
  title: "WorkspaceRole",
  description:
    "What a person may do: viewers read, members use, billing sets budgets, owners manage, operators run the service.",
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
