import { operations, type ProviderHealth as WireHealth } from "@atelier/contract";
import type { HealthEntry, ProviderHealth } from "../../capabilities/providers/index.ts";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { freshAnswer } from "./fresh-answer.ts";

export interface ProviderHealthDeps {
  readonly health: Pick<ProviderHealth, "list">;
}

export function listProviderHealthRoute({ health }: ProviderHealthDeps): Route<AdminCaller> {
  return route(operations.listProviderHealth, () => freshAnswer(200, { data: health.list().map(present) }));
}

function present({ provider, credentialOf, circuit, triesAgainAt, lastFailure, ...figures }: HealthEntry): WireHealth {
  return {
    provider,
    credential: credentialOf === null ? "server" : "own",
    workspace_id: credentialOf,
    circuit,
    tries_again_at: triesAgainAt?.toISOString() ?? null,
    calls: figures.calls,
    success: figures.success,
    latency_ms: figures.latencyMs,
    last_failure: lastFailure && {
      at: lastFailure.at.toISOString(),
      status: lastFailure.status,
      words: lastFailure.reason,
    },
  };
}
