import { operations } from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import { jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { requireIdentityEncoding, requireMediaType } from "../../foundation/http/body/read-body.ts";
import { admitted, readObject } from "./read-call.ts";
import type { ModelRouterDeps } from "./router-deps.ts";

export function estimateModelRoute(deps: Pick<ModelRouterDeps, "models" | "bodyBytesMax">): Route<Principal> {
  return {
    operation: operations.estimateModel,
    bodyBytesMax: deps.bodyBytesMax,
    async handle(incoming) {
      const model = await admitted(deps, incoming);
      requireMediaType(incoming.headers, "application/json");
      requireIdentityEncoding(incoming.headers);
      const bytes = await readObject(incoming);
      const { caller, method, path, queryText } = incoming;
      const request = { method, path, queryText };
      const estimate = await deps.models.estimate({
        workspaceId: caller.workspaceId,
        apiKeyId: caller.keyId,
        model,
        bytes,
        request,
      });
      return jsonAnswer(200, estimate, { "cache-control": "no-store" });
    },
  };
}
