// The input and the answer of a request, where the workspace keeps them, and the switch for that. Callers who may look at a
// request may read its bodies. Owners decide whether they are kept.
import { operations, type RequestBody, type RequestBodyKeeping, SetRequestBodyKeeping } from "@atelier/contract";
import { actingAs, type Identity, requireScope } from "../../../capabilities/identity/index.ts";
import type { KeptBody, RequestBodies, ShownKeeping } from "../../../capabilities/request-bodies/index.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { isUuid } from "../../../foundation/ids.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { requireWorkspace } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";
import { noSuchRequest, type RequestTrailDeps, showRequest } from "./show-request.ts";

export interface RequestBodyDeps extends RequestTrailDeps {
  readonly requestBodies: Pick<RequestBodies, "find" | "keepingOf" | "change">;
  readonly identity: Identity;
}

const fresh = { "cache-control": "no-store" } as const;

export function getRequestBodiesRoute(deps: RequestBodyDeps): Route<AccountCaller> {
  return route(operations.getRequestBodies, async ({ caller: { principal }, params }) => {
    requireScope(principal, "account");
    const { workspaceId } = principal;
    const id = params["requestId"] ?? "";
    if (!isUuid(id)) throw noSuchRequest();
    const { call, row } = await showRequest(deps, { principal, id });
    const wanted = { workspaceId, requestId: id, callId: call?.id ?? row?.callId ?? null };
    const [found, { isOn }] = await Promise.all([
      deps.requestBodies.find(wanted),
      deps.requestBodies.keepingOf(workspaceId),
    ]);
    const body = {
      request_id: id,
      keeping: isOn,
      kept_at: found?.at.toISOString() ?? null,
      expires_at: found?.expiresAt.toISOString() ?? null,
      input: found?.input ? presentBody(found.input) : null,
      answer: found ? presentBody(found.answer) : null,
      status: found?.answer.status ?? null,
    };
    return jsonAnswer(200, body, fresh);
  });
}

export function getRequestBodyKeepingRoute({ identity, requestBodies }: RequestBodyDeps): Route<AccountCaller> {
  return route(operations.getRequestBodyKeeping, async ({ caller, params }) => {
    const { workspaceId } = await requireWorkspace(identity, caller, params["workspaceId"]);
    return jsonAnswer(200, presentKeeping(await requestBodies.keepingOf(workspaceId)), fresh);
  });
}

export function setRequestBodyKeepingRoute({ identity, requestBodies }: RequestBodyDeps): Route<AccountCaller> {
  return route(operations.setRequestBodyKeeping, async (incoming) => {
    const { caller, params, requestId } = incoming;
    const { workspaceId } = await requireWorkspace(identity, caller, params["workspaceId"]);
    const { enabled, keep_hours: keepHours } = requireValid(SetRequestBodyKeeping, await incoming.json());
    const by = actingAs(caller.principal, requestId);
    return jsonAnswer(
      200,
      presentKeeping(await requestBodies.change(workspaceId, { isOn: enabled, keepHours }, by)),
      fresh,
    );
  });
}

function presentBody({ kind, type, bytes, sha256, text, removed }: KeptBody): RequestBody {
  return { kind, content_type: type, bytes, sha256, text, removed: removed.map(({ at, what }) => ({ at, what })) };
}

function presentKeeping({ isOn, keepHours, changedAt, kept, ...bounds }: ShownKeeping): RequestBodyKeeping {
  return {
    enabled: isOn,
    keep_hours: keepHours,
    keep_hours_max: bounds.keepHoursMax,
    body_bytes_max: bounds.bodyBytesMax,
    changed_at: changedAt?.toISOString() ?? null,
    kept_requests: kept.requests,
    kept_bytes: kept.bytes,
  };
}
