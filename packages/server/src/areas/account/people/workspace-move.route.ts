// A workspace leaves for another server, step by step. Owners decide.
import { MoveWorkspace, operations, type WorkspaceMove } from "@atelier/contract";
import { actingAs, type Identity } from "../../../capabilities/identity/index.ts";
import type { Moves } from "../../../capabilities/moves/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { badField } from "../../../foundation/json/bad-field.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { requireWorkspace } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";

export interface WorkspaceMoveDeps {
  readonly identity: Identity;
  readonly moves: Pick<Moves, "of" | "put" | "undo">;
  // What still runs, by its plural name.
  countOpen(workspaceId: WorkspaceId): Promise<Readonly<Record<string, number>>>;
}

const fresh = { "cache-control": "no-store" } as const;

export function getWorkspaceMoveRoute(deps: WorkspaceMoveDeps): Route<AccountCaller> {
  return route(operations.getWorkspaceMove, async ({ caller, params }) => {
    const { workspaceId } = await requireWorkspace(deps.identity, caller, params["workspaceId"]);
    return jsonAnswer(200, await present(deps, workspaceId), fresh);
  });
}

export function moveWorkspaceRoute(deps: WorkspaceMoveDeps): Route<AccountCaller> {
  return route(operations.moveWorkspace, async (incoming) => {
    const { caller, params, requestId } = incoming;
    const { workspaceId } = await requireWorkspace(deps.identity, caller, params["workspaceId"]);
    const { moved_to, is_done = false } = requireValid(MoveWorkspace, await incoming.json());
    const { open } = await present(deps, workspaceId);
    const running = Object.entries(open).map(([name, count]) => `${count} ${name}`);
    if (is_done && running.length > 0) {
      throw new Fault("conflict", `${running.join(", ")} still run here. Wait until they end, then export once more.`);
    }
    const by = actingAs(caller.principal, requestId);
    await deps.moves.put(workspaceId, { movedTo: addressOf(moved_to), isDone: is_done }, by);
    return jsonAnswer(200, await present(deps, workspaceId), fresh);
  });
}

export function undoWorkspaceMoveRoute(deps: WorkspaceMoveDeps): Route<AccountCaller> {
  return route(operations.undoWorkspaceMove, async ({ caller, params, requestId }) => {
    const { workspaceId } = await requireWorkspace(deps.identity, caller, params["workspaceId"]);
    await deps.moves.undo(workspaceId, actingAs(caller.principal, requestId));
    return jsonAnswer(200, await present(deps, workspaceId), fresh);
  });
}

function addressOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.search !== "" || url.hash !== "")
    throw badField("moved_to", "must be an address without user, query or fragment");
  return text.replace(/\/+$/, "");
}

async function present({ moves, countOpen }: WorkspaceMoveDeps, workspaceId: WorkspaceId): Promise<WorkspaceMove> {
  const move = moves.of(workspaceId);
  const counts = Object.entries(await countOpen(workspaceId)).filter(([, count]) => count > 0);
  return {
    state: move === null ? "here" : move.movedAt === null ? "moving" : "moved",
    moved_to: move?.movedTo ?? null,
    since: (move?.movedAt ?? move?.beganAt)?.toISOString() ?? null,
    open: Object.fromEntries(counts),
  };
}
