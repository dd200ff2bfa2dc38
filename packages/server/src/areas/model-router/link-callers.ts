// Callers who came with a link may use its work, in any version, and the requests that they made; everything else is refused. A
// route that is not named here is closed to them. Derived tokens are kept to the models that they name and to their own requests;
// which routes are open to them is decided where they are recognised.
import { operations } from "@atelier/contract";
import type { Principal, TokenRights } from "../../capabilities/identity/index.ts";
import { requireModelOfToken } from "../../capabilities/model-calls/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Incoming, Route } from "../../foundation/http/area.ts";
import type { KeyId, WorkspaceId } from "../../foundation/ids.ts";
import { parseModelId } from "./model-id.ts";

export interface LinkCallerDeps {
  // Whose key made a call. Null if there is no such call.
  keyOfCall(wanted: { readonly workspaceId: WorkspaceId; readonly id: string }): Promise<KeyId | null>;
}

const ofWork = new Set<string>([
  operations.getModel.id,
  operations.getInputSchema.id,
  operations.estimateModel.id,
  operations.invokeModel.id,
  operations.submitModelRequest.id,
]);
const ofRequest = new Set<string>([
  operations.getModelRequestStatus.id,
  operations.getModelRequestResult.id,
  operations.cancelModelRequest.id,
]);

export function linkOf(caller: Principal): string | null {
  return caller.kind === "key" ? (caller.onlyModel ?? null) : null;
}

export function tokenOf(caller: Principal): TokenRights | null {
  return caller.kind === "key" ? (caller.token ?? null) : null;
}

export function keepLinksToWork(deps: LinkCallerDeps, routes: readonly Route<Principal>[]): Route<Principal>[] {
  return routes.map((route) => ({
    ...route,
    handle(incoming) {
      if (tokenOf(incoming.caller) !== null)
        return requireOfToken(deps, route.operation.id, incoming).then(() => route.handle(incoming));
      const work = linkOf(incoming.caller);
      if (work === null || route.operation.id === operations.listModels.id) return route.handle(incoming);
      return requireAllowed(deps, route.operation.id, work, incoming).then(() => route.handle(incoming));
    },
  }));
}

async function requireAllowed(
  deps: LinkCallerDeps,
  operationId: string,
  work: string,
  incoming: Incoming<Principal>,
): Promise<void> {
  const isOfRequest = ofRequest.has(operationId);
  if (!isOfRequest && !ofWork.has(operationId)) throw new Fault("forbidden", "A link can only call its own work.");
  const model = parseModelId(incoming);
  if (model === null || !isVersionOf(model, work))
    throw new Fault("model_not_found", "There is no such model, or this link is not for it.");
  if (hasWebhook(incoming)) throw new Fault("forbidden", "A call through a link cannot have a webhook.");
  if (isOfRequest) await requireOwnRequest(deps, incoming);
}

async function requireOfToken(deps: LinkCallerDeps, operationId: string, incoming: Incoming<Principal>): Promise<void> {
  if (operationId === operations.listModels.id) return;
  const model = parseModelId(incoming);
  if (model !== null) requireModelOfToken(incoming.caller, model);
  if (hasWebhook(incoming)) throw new Fault("forbidden", "A call with a token cannot have a webhook.");
  if (ofRequest.has(operationId)) await requireOwnRequest(deps, incoming);
}

async function requireOwnRequest(deps: LinkCallerDeps, incoming: Incoming<Principal>): Promise<void> {
  const { workspaceId, keyId } = incoming.caller;
  const id = incoming.params["request_id"] ?? "";
  if (keyId === null || (await deps.keyOfCall({ workspaceId, id })) !== keyId)
    throw new Fault("request_not_found", "This workspace has no such request under this model.");
}

// Names cannot end like a version, so what follows the work's id is one.
function isVersionOf(model: string, work: string): boolean {
  return model === work || (model.startsWith(`${work}.v`) && /^[1-9][0-9]*$/.test(model.slice(work.length + 2)));
}

const hasWebhook = ({ headers, query }: Incoming<Principal>) =>
  headers["x-service-webhook-url"] !== undefined || query.has("webhook_url");
