import { operations } from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { requireIdentityEncoding, requireMediaType } from "../../foundation/http/read-body.ts";
import { modelFor } from "./catalog.ts";
import { type EstimateModelDeps, estimateModel } from "./estimate-model.ts";
import { parseModelId } from "./model-id.ts";
import type { ReadModelsDeps } from "./read-models.route.ts";

export type EstimateRouteDeps = EstimateModelDeps &
  Pick<ReadModelsDeps, "catalog" | "catalogFor" | "requireEntitlement"> & { readonly bodyBytesMax: number };

export function estimateModelRoute(deps: EstimateRouteDeps): Route<Principal> {
  return {
    operation: operations.estimateModel,
    bodyBytesMax: deps.bodyBytesMax,
    async handle(incoming) {
      const { workspaceId } = incoming.caller;
      const model = await modelFor(deps, workspaceId, parseModelId(incoming));
      await deps.requireEntitlement(incoming.caller, model.id);
      requireMediaType(incoming.headers, "application/json");
      requireIdentityEncoding(incoming.headers);
      const bytes = await incoming.bytes();
      if (bytes.byteLength === 0) throw new Fault("invalid_json", "The body must be a JSON object.");
      const request = { method: incoming.method, path: incoming.path, queryText: incoming.queryText };
      const estimate = await estimateModel(deps, { workspaceId, model, bytes, request });
      return jsonAnswer(200, estimate, { "cache-control": "no-store" });
    },
  };
}
