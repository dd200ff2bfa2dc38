// How long calls that leave this server take and what comes of them, per provider and partner. What a caller did wrong, what
// a provider refused and what it broke are told apart by the router's own closed words, so that one slow or failing provider
// is seen before its callers complain. Definitions may come and go while we run: the first 200 names are told, the rest as one.
import { Histogram, type Registry } from "prom-client";

// A model call from its first byte to its outcome; the start of a task at a partner; a task from its start to its end.
export type CallAtProvider = "model" | "task_start" | "task";

export interface ProviderMeter {
  // Called once for each call that was allowed to leave, with its outcome in the words of usage rows.
  ended(call: CallAtProvider, provider: string, outcome: string, milliseconds: number): void;
}

const providersMax = 200;
const others = "other";

export function registerProviderMetrics(
  registry: Registry,
  // From the word of a usage row to the closed set of labels.
  labelOf: (outcome: string) => string,
): ProviderMeter {
  const seconds = new Histogram({
    name: "atelier_provider_call_seconds",
    help: "How long calls at providers and partners took, by what came of them.",
    labelNames: ["call", "provider", "outcome"],
    buckets: [0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800],
    registers: [registry],
  });
  const named = new Set<string>();
  return {
    ended(call, provider, outcome, milliseconds) {
      if (named.size < providersMax) named.add(provider);
      const labels = { call, provider: named.has(provider) ? provider : others, outcome: labelOf(outcome) };
      seconds.observe(labels, Math.max(0, milliseconds) / 1000);
    },
  };
}
