// The routes of queued model calls. A caller names the model along with the request's id. A request of another workspace, of
// another model or already gone is the same 404.
import { modelRequestStatuses, operations } from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { ModelRequestState, SeenRequest } from "../../capabilities/model-requests/index.ts";
import { Fault } from "../../foundation/fault.ts";
import {
  type BytesAnswer,
  type HeaderValues,
  type Incoming,
  jsonAnswer,
  type Route,
  route,
} from "../../foundation/http/area.ts";
import { pageById, QueryReader } from "../../foundation/http/page-query.ts";
import { singleParameter } from "../../foundation/http/query.ts";
import { type Id, parseId } from "../../foundation/ids.ts";
import { parseModelId } from "./model-id.ts";
import { lookAgainSeconds, presentAccepted, presentRequest } from "./present-request.ts";
import { readCall } from "./read-call.ts";
import type { ModelRouterDeps } from "./router-deps.ts";

type ModelRequestRouteDeps = Omit<ModelRouterDeps, "authenticate" | "admitRate">;

export function submitModelRequestRoute(deps: ModelRequestRouteDeps): Route<Principal> {
  return {
    operation: operations.submitModelRequest,
    bodyBytesMax: deps.bodyBytesMax,
    async handle(incoming) {
      const submission = await readCall(deps, incoming, () => readWebhookUrl(deps, incoming));
      const { request, isReplay } = await deps.models.submit(submission);
      const accepted = presentAccepted(deps.baseUrl(), request);
      return jsonAnswer(202, accepted, {
        "cache-control": "no-store",
        location: accepted.status_url,
        ...(request.state === "completed" ? {} : { "retry-after": "1" }),
        ...(isReplay ? { "idempotent-replayed": "true" } : {}),
      });
    },
  };
}

// An invalid URL is reported only after the key's look-up: a retry is answered as the first request was.
function readWebhookUrl(
  deps: ModelRequestRouteDeps,
  { headers, query }: Incoming<Principal>,
): { readonly webhookUrl: string | null; readonly refusal: Fault | null } {
  const header = headers["x-service-webhook-url"];
  const given = singleParameter(query, "webhook_url");
  const refuse = (problem: string) => ({
    webhookUrl: null,
    refusal: new Fault("invalid_request", `The request is not valid: webhook_url ${problem}.`),
  });
  if (given.kind === "empty" || given.kind === "repeated") return refuse("must be one URL");
  const url = given.kind === "value" ? given.value : header;
  if (url === undefined) return { webhookUrl: null, refusal: null };
  if (typeof url !== "string" || (header !== undefined && header !== url)) return refuse("must be one URL");
  const problem = deps.checkWebhookUrl(url);
  return problem === null ? { webhookUrl: url, refusal: null } : refuse(problem);
}

export function getModelRequestStatusRoute(deps: ModelRequestRouteDeps): Route<Principal> {
  return route(operations.getModelRequestStatus, async (incoming) => {
    const request = await requireRequest(deps, incoming);
    const shown = presentRequest(deps.baseUrl(), request, await deps.models.holdUntil(request));
    return jsonAnswer(200, shown, lookHeaders(deps, request));
  });
}

export function getModelRequestResultRoute(deps: ModelRequestRouteDeps): Route<Principal> {
  return route(operations.getModelRequestResult, async (incoming): Promise<BytesAnswer> => {
    const request = await requireRequest(deps, incoming);
    if (request.state !== "completed") {
      const shown = presentRequest(deps.baseUrl(), request, await deps.models.holdUntil(request));
      return jsonAnswer(202, shown, lookHeaders(deps, request));
    }
    const answer = await deps.models.requests.answer(request);
    if (answer === null) throw notFound();
    return { status: answer.status, headers: { ...answer.headers, "cache-control": "no-store" }, body: answer.body };
  });
}

export function cancelModelRequestRoute(deps: ModelRequestRouteDeps): Route<Principal> {
  return route(operations.cancelModelRequest, async (incoming) => {
    const cancelled = await deps.models.requests.cancel(locatorOf(incoming));
    switch (cancelled.kind) {
      case "cancelled":
        return jsonAnswer(202, presentRequest(deps.baseUrl(), cancelled.request), { "cache-control": "no-store" });
      case "not_found":
        throw notFound();
      case "running":
        return cancelAtProvider(deps, incoming);
      case "completed":
        throw new Fault("already_completed", "This request has already completed and cannot be cancelled.");
    }
  });
}

// The request ends when its provider says so, and costs what the provider says.
async function cancelAtProvider(deps: ModelRequestRouteDeps, incoming: Incoming<Principal>): Promise<BytesAnswer> {
  const running = await requireRequest(deps, incoming);
  const asked = await deps.models.cancelRunning(running);
  if (asked === "cannot")
    throw new Fault(
      "cancel_refused",
      "This request is already at the provider and cannot be stopped. It keeps running and is charged if it completes.",
    );
  if (asked === "refused")
    throw new Fault(
      "cancel_refused",
      "The provider did not stop this request. It may be about to complete, and is charged if it does.",
    );
  const request = await requireRequest(deps, incoming);
  const shown = presentRequest(deps.baseUrl(), request, await deps.models.holdUntil(request));
  return jsonAnswer(202, shown, lookHeaders(deps, request));
}

const states: Readonly<Record<string, ModelRequestState>> = {
  IN_QUEUE: "queued",
  IN_PROGRESS: "running",
  COMPLETED: "completed",
};

export function listModelRequestsRoute(deps: ModelRequestRouteDeps): Route<Principal> {
  return route(operations.listModelRequests, async ({ caller, query }) => {
    const reader = new QueryReader(query);
    const word = modelRequestStatuses.join(", ");
    const state = reader.read("status", (text) => states[text] ?? null, `one of ${word}`) ?? null;
    const model = reader.read("model", modelText, "a model id, provider/model") ?? null;
    const { workspaceId } = caller;
    const purpose = `listModelRequests ${workspaceId} ${state ?? ""} ${model ?? ""}`;
    const page = await pageById(
      { reader, cursors: deps.cursors, purpose },
      (before: Id<"call"> | null, count) => deps.models.requests.list({ workspaceId, state, model, before, count }),
      (request) => presentRequest(deps.baseUrl(), request),
    );
    return jsonAnswer(200, page, { "cache-control": "no-store" });
  });
}

function modelText(text: string): string | null {
  const [provider = "", model = "", ...rest] = text.split("/");
  return rest.length > 0 ? null : parseModelId({ path: text, params: { provider, model } });
}

function lookHeaders(deps: ModelRequestRouteDeps, request: SeenRequest): HeaderValues {
  const own = { "cache-control": "no-store" };
  if (request.state === "completed") return own;
  return { ...own, "retry-after": String(lookAgainSeconds(request, deps.clock.now())) };
}

async function requireRequest(deps: ModelRequestRouteDeps, incoming: Incoming<Principal>): Promise<SeenRequest> {
  const request = await deps.models.requests.find(locatorOf(incoming));
  if (request === null) throw notFound();
  return request;
}

// The model need not be served any more: its requests can still be read.
function locatorOf(incoming: Incoming<Principal>) {
  const model = parseModelId(incoming);
  const id = parseId<"call">(incoming.params["request_id"] ?? "");
  if (model === null || id === null) throw notFound();
  return { workspaceId: incoming.caller.workspaceId, model, id };
}

function notFound(): Fault {
  return new Fault("request_not_found", "This workspace has no such request under this model.");
}
