// Shows one request of the caller's workspace.
import { operations } from "@atelier/contract";
import { requireScope } from "../../../capabilities/identity/index.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { isUuid } from "../../../foundation/ids.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentRequestTrail } from "./present-request-trail.ts";
import { noSuchRequest, type RequestTrailDeps, showRequest } from "./show-request.ts";

export function getAccountRequestRoute(deps: RequestTrailDeps): Route<AccountCaller> {
  return route(operations.getAccountRequest, async ({ caller, params }) => {
    requireScope(caller.principal, "account");
    const id = params["requestId"] ?? "";
    if (!isUuid(id)) throw noSuchRequest();
    return jsonAnswer(
      200,
      presentRequestTrail(await showRequest(deps, { workspaceId: caller.principal.workspaceId, id })),
    );
  });
}
