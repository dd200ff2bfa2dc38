// Measures how long calls that leave this server take and how they end, per provider and partner. The router's closed set
// of words separates the caller's mistakes, the provider's refusals and its failures, so operators see a slow or failing
// provider before its callers complain. Definitions come and go at runtime: the first 200 names get their own label, the
// rest share one.
import { Histogram, type Registry } from "prom-client";

// A model call from its first byte to its outcome; the start of a partner task; a task from start to end.
export type CallAtProvider = "model" | "task_start" | "task";

export interface ProviderMeter {
  // Called once for each call that was allowed to leave, with its outcome in the words of usage rows.
  ended(call: CallAtProvider, provider: string, outcome: string, milliseconds: number): void;
}

const providersMax = 200;
const others = "other";

export function registerProviderMetrics(
  registry: Registry,
  // Maps the word of a usage row to the closed set of labels.
  labelOf: (outcome: string) => string,
): ProviderMeter {
  const seconds = new Histogram({
    name: "atelier_provider_call_seconds",
    help: "How long calls at providers and partners took, by outcome.",
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
