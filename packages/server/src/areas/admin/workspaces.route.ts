import { CreateWorkspaceAsAdmin, operations } from "@atelier/contract";
import type { Workspace, Workspaces } from "../../capabilities/identity/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { pageById, QueryReader } from "../../foundation/http/page-query.ts";
import { parseId, type WorkspaceId } from "../../foundation/ids.ts";
import { badField } from "../../foundation/json/bad-field.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { presentWorkspace } from "./present.ts";
import { requireWorkspaceId } from "./require-field.ts";

export interface AdminWorkspaces extends Pick<Workspaces, "get" | "create" | "person"> {
  // Sorted by id, which is the order of creation.
  list(page: { after: WorkspaceId | null; count: number }): Promise<readonly Workspace[]>;
}

export interface WorkspacesDeps {
  readonly workspaces: AdminWorkspaces;
  readonly cursors: Cursors;
}

const purpose = "admin workspaces";

export function listWorkspacesAsAdminRoute({ workspaces, cursors }: WorkspacesDeps): Route<AdminCaller> {
  return route(operations.listWorkspacesAsAdmin, async ({ query }) => {
    const page = await pageById(
      { reader: new QueryReader(query), cursors, purpose },
      (after: WorkspaceId | null, count) => workspaces.list({ after, count }),
      presentWorkspace,
    );
    return freshAnswer(200, page);
  });
}

export function createWorkspaceAsAdminRoute(deps: WorkspacesDeps): Route<AdminCaller> {
  return route(operations.createWorkspaceAsAdmin, async (incoming) => {
    const { name, owner_id } = requireValid(CreateWorkspaceAsAdmin, await incoming.json());
    const ownerId = parseId<"person">(owner_id);
    if (ownerId === null || (await deps.workspaces.person(ownerId)) === null) {
      throw badField("owner_id", "is not the id of a person");
    }
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    return freshAnswer(201, presentWorkspace(await deps.workspaces.create({ name, ownerId }, by)));
  });
}

export function getWorkspaceAsAdminRoute(deps: WorkspacesDeps): Route<AdminCaller> {
  return route(operations.getWorkspaceAsAdmin, async (incoming) => {
    return freshAnswer(200, presentWorkspace(await deps.workspaces.get(requireWorkspaceId(incoming))));
  });
}
