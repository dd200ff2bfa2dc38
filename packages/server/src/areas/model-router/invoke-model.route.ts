import { operations } from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import { readMaxCredits } from "../../capabilities/prices/index.ts";
import { noMarks } from "../../capabilities/providers/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { HeaderValues, Route } from "../../foundation/http/area.ts";
import { readIdempotencyKey } from "../../foundation/http/idempotency-key.ts";
import { requireIdentityEncoding, requireMediaType } from "../../foundation/http/read-body.ts";
import { retirementHeaders } from "../../foundation/http/retirement-headers.ts";
import { modelFor } from "./catalog.ts";
import { type Invoked, type InvokeModelDeps, invokeModel } from "./invoke-model.ts";
import { parseModelId } from "./model-id.ts";
import type { ReadModelsDeps } from "./read-models.route.ts";

export type InvokeRouteDeps = InvokeModelDeps &
  Pick<ReadModelsDeps, "catalog" | "catalogFor" | "requireEntitlement"> & { readonly bodyBytesMax: number };

export function invokeModelRoute(deps: InvokeRouteDeps): Route<Principal> {
  return {
    operation: operations.invokeModel,
    bodyBytesMax: deps.bodyBytesMax,
    async handle(incoming) {
      const found = modelFor(deps, incoming.caller.workspaceId, parseModelId(incoming));
      const model = found instanceof Promise ? await found : found;
      await deps.requireEntitlement(incoming.caller, model.id);
      requireMediaType(incoming.headers, "application/json");
      requireIdentityEncoding(incoming.headers);
      const idempotencyKey = readIdempotencyKey(incoming.rawHeaders);
      const maxCredits = readMaxCredits(incoming.rawHeaders);
      const bytes = await incoming.bytes();
      if (bytes.byteLength === 0) throw new Fault("invalid_json", "The body must be a JSON object.");
      const invoked = await invokeModel(deps, {
        caller: incoming.caller,
        requestId: incoming.requestId,
        model,
        bytes,
        idempotencyKey,
        maxCredits,
        request: { method: incoming.method, path: incoming.path, queryText: incoming.queryText },
        signal: incoming.signal,
        waitsForOthers: () => incoming.waitsForOthers(),
        countsRefusals: true,
      });
      return {
        status: invoked.answer.status,
        headers: { ...retirementHeaders(model.marks ?? noMarks), ...headersOf(invoked) },
        body: invoked.answer.body,
      };
    },
  };
}

// Spec, Router rule 8; decisions, section 3: replays say so, and 200 tells the slots.
function headersOf({ answer, isReplay, concurrency }: Invoked): HeaderValues {
  return {
    ...answer.headers,
    "cache-control": "no-store",
    ...(isReplay ? { "idempotent-replayed": "true" } : {}),
    ...(concurrency && answer.status === 200
      ? {
          "x-service-concurrency-limit": String(concurrency.limit),
          "x-service-concurrency-current": String(concurrency.current),
          "x-service-concurrency-remaining": String(Math.max(0, concurrency.limit - concurrency.current)),
        }
      : {}),
  };
}
