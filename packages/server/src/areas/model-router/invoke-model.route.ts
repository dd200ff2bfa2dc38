import { operations } from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { Invoked } from "../../capabilities/model-calls/index.ts";
import { noMarks } from "../../capabilities/providers/index.ts";
import type { HeaderValues, Route } from "../../foundation/http/area.ts";
import { retirementHeaders } from "../../foundation/http/retirement-headers.ts";
import { readCall } from "./read-call.ts";
import type { ModelRouterDeps } from "./router-deps.ts";

export function invokeModelRoute(deps: Pick<ModelRouterDeps, "models" | "bodyBytesMax">): Route<Principal> {
  return {
    operation: operations.invokeModel,
    bodyBytesMax: deps.bodyBytesMax,
    async handle(incoming) {
      const call = await readCall(deps, incoming, () => ({}));
      const { signal } = incoming;
      const waitsForOthers = () => incoming.waitsForOthers();
      const streamed = wantsOneBody(incoming.headers.accept) ? "whole" : "live";
      const invoked = await deps.models.invoke({ ...call, signal, waitsForOthers, countsRefusals: true, streamed });
      const headers = { ...retirementHeaders(call.model.marks ?? noMarks), ...headersOf(invoked) };
      const { answer, live } = invoked;
      if (!live) return { status: answer.status, headers, body: answer.body };
      return { status: answer.status, headers, body: live.body, trailers: () => live.trailers() };
    },
  };
}

// A streamed answer comes as the one body that its events make if the caller accepts JSON and no event stream.
function wantsOneBody(accept: string | undefined): boolean {
  const types = (accept ?? "").toLowerCase().split(",");
  const has = (type: string) => types.some((each) => each.split(";", 1)[0]?.trim() === type);
  return has("application/json") && !has("text/event-stream") && !has("*/*") && !has("text/*");
}

// Spec, Router rule 8; decisions, section 3: replays are marked, and 200 reports the slots.
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
