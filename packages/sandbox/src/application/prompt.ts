// A submitted prompt, and how the application lists it: a tuple of number, id, graph, extra data and outputs to run.
import type { Graph } from "@atelier/engine";

export interface Prompt {
  readonly number: number;
  readonly id: string;
  readonly graph: Graph;
  readonly extraData: Readonly<Record<string, unknown>>;
  readonly outputs: readonly string[];
  // The client whose socket hears about it; without one, no socket does.
  readonly clientId: string | null;
  readonly createdAtMs: number;
}

// Credentials for nodes that call a partner. The old application shows them in its queue while the prompt is there.
const isSensitive = (name: string) => /^(?:api_key|auth_token)(?:_|$)/.test(name);

export function toTuple(prompt: Prompt, credentials: "shown" | "hidden"): readonly unknown[] {
  const { number, id, graph, extraData, outputs } = prompt;
  const shown = Object.entries(extraData).filter(([name]) => credentials === "shown" || !isSensitive(name));
  return [number, id, graph, Object.fromEntries(shown), outputs];
}
