// The workspace's saved workflows: list, save, rename, archive, copy, delete. Every member may change them; only an owner deletes
// for good.
import { ChangeSavedWorkflow, DuplicateWorkflow, operations } from "@atelier/contract";
import { type Identity, type Principal, requireScope } from "../../../capabilities/identity/index.ts";
import type { JobRuns, PoolId } from "../../../capabilities/jobs/index.ts";
import type {
  Author,
  SavedWorkflow,
  SavedWorkflows,
  WorkflowLocator,
} from "../../../capabilities/saved-workflows/index.ts";
import type { Cursors } from "../../../foundation/cursor.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { readExpectedVersion } from "../../../foundation/http/expected-version.ts";
import { pageBody, QueryReader, refuseCursor } from "../../../foundation/http/page-query.ts";
import { isUuid, requireId, type WorkspaceId } from "../../../foundation/ids.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentSaved } from "./present-saved.ts";
import { type ReadBodyDeps, readNewWorkflow, savedBodyBytesMax } from "./read-saved-body.ts";

export interface SavedWorkflowDeps extends ReadBodyDeps {
  readonly savedWorkflows: SavedWorkflows;
  readonly runs: JobRuns;
  // Whose jobs count as runs of a saved workflow.
  readonly poolId: PoolId;
  readonly identity: Identity;
  readonly cursors: Cursors;
}

export function listSavedWorkflowsRoute(deps: SavedWorkflowDeps): Route<AccountCaller> {
  return route(operations.listSavedWorkflows, async ({ caller: { principal }, query }) => {
    requireScope(principal, "workflows");
    const { workspaceId } = principal;
    const reader = new QueryReader(query);
    const text = (name: string, most: number) =>
      reader.read(name, (given) => (given.length <= most ? given : null), `1 to ${most} characters`) ?? null;
    const [q, folder, tag, classType] = [text("q", 200), text("folder", 800), text("tag", 40), text("class", 200)];
    const isArchived = reader.read("archived", readFlag, "true or false") ?? false;
    const [limit, cursor] = [reader.readLimit(), reader.readCursor()];
    reader.requireNoProblem();
    const purpose = `saved workflows ${JSON.stringify([workspaceId, q, folder, tag, classType, isArchived])}`;
    const before = cursor === undefined ? null : readPosition(deps.cursors.read(purpose, cursor));
    const by = { workspaceId, text: q ?? "", folder, tag, classType, isArchived, before, limit };
    const { workflows, next } = await deps.savedWorkflows.list(by);
    const nextCursor = next && deps.cursors.issue(purpose, [next.updatedAt.toISOString(), next.id]);
    return jsonAnswer(200, pageBody(await withRuns(deps, workspaceId, workflows), nextCursor, limit), fresh);
  });
}

export function saveWorkflowRoute(deps: SavedWorkflowDeps): Route<AccountCaller> {
  return {
    operation: operations.saveWorkflow,
    bodyBytesMax: savedBodyBytesMax,
    async handle(incoming) {
      const { principal } = incoming.caller;
      requireScope(principal, "workflows");
      const { body, source } = await readNewWorkflow(deps, incoming);
      const { name, folder = "", tags = [], note = null } = body;
      const { workspaceId } = principal;
      const saved = await deps.savedWorkflows.save(
        { workspaceId, name, folder, tags, note, source },
        authorOf(principal),
      );
      return answerSaved(201, presentSaved(saved, null), saved, { location: `/account/workflows/${saved.id}` });
    },
  };
}

export function getSavedWorkflowRoute(deps: SavedWorkflowDeps): Route<AccountCaller> {
  return route(operations.getSavedWorkflow, async (incoming) => {
    const locator = requireLocator(incoming);
    return answerOne(deps, await deps.savedWorkflows.get(locator));
  });
}

export function changeSavedWorkflowRoute(deps: SavedWorkflowDeps): Route<AccountCaller> {
  return route(operations.changeSavedWorkflow, async (incoming) => {
    const locator = requireLocator(incoming);
    const expected = readExpectedVersion(incoming.headers);
    const { archived: isArchived, ...change } = requireValid(ChangeSavedWorkflow, await incoming.json());
    const archiving = isArchived === undefined ? {} : { isArchived };
    return answerOne(deps, await deps.savedWorkflows.change(locator, { ...change, ...archiving }, expected));
  });
}

export function deleteSavedWorkflowRoute(deps: SavedWorkflowDeps): Route<AccountCaller> {
  return route(operations.deleteSavedWorkflow, async (incoming) => {
    const locator = requireLocator(incoming);
    await deps.savedWorkflows.remove(locator, readExpectedVersion(incoming.headers));
    return { status: 204 };
  });
}

export function duplicateSavedWorkflowRoute(deps: SavedWorkflowDeps): Route<AccountCaller> {
  return route(operations.duplicateSavedWorkflow, async (incoming) => {
    const locator = requireLocator(incoming);
    const { name, folder = null, version = null } = requireValid(DuplicateWorkflow, await incoming.json());
    const by = authorOf(incoming.caller.principal);
    const copy = await deps.savedWorkflows.duplicate(locator, { name, folder, version }, by);
    return answerSaved(201, presentSaved(copy, null), copy, { location: `/account/workflows/${copy.id}` });
  });
}

export function requireLocator({ caller: { principal }, params }: Incoming<AccountCaller>): WorkflowLocator {
  requireScope(principal, "workflows");
  const id = requireId<"workflow">(params["workflowId"], "There is no such workflow or version in this workspace.");
  return { workspaceId: principal.workspaceId, id };
}

export function authorOf(principal: Principal): Author {
  return principal.kind === "key" ? { kind: "key", id: principal.keyId } : { kind: "person", id: principal.personId };
}

export const etagOf = (revision: number) => `"${revision}"`;
export const fresh = { "cache-control": "no-store" } as const;

async function answerOne(deps: SavedWorkflowDeps, workflow: SavedWorkflow) {
  const [body] = await withRuns(deps, workflow.workspaceId, [workflow]);
  return answerSaved(200, body, workflow);
}

const answerSaved = (status: number, body: unknown, { revision }: SavedWorkflow, more: Record<string, string> = {}) =>
  jsonAnswer(status, body, { ...fresh, etag: etagOf(revision), ...more });

async function withRuns(
  { runs, poolId }: SavedWorkflowDeps,
  workspaceId: WorkspaceId,
  workflows: readonly SavedWorkflow[],
) {
  const latest = await runs.latest({ workspaceId, poolId, workflowIds: workflows.map(({ id }) => id) });
  return workflows.map((workflow) => presentSaved(workflow, latest.get(workflow.id) ?? null));
}

const readFlag = (text: string) => (text === "true" ? true : text === "false" ? false : null);

function readPosition(position: readonly string[] | null) {
  const [at = "", id = ""] = position ?? [];
  const updatedAt = new Date(at);
  if (Number.isNaN(updatedAt.getTime()) || !isUuid(id)) throw refuseCursor();
  return { updatedAt, id };
}
