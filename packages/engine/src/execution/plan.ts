// Decides what of a graph must run: outputs with a known signature are replayed; for the others we run only what they need and
// do not have yet.
import type { Graph } from "../graph/graph.ts";
import { linksOf } from "../graph/walk-graph.ts";

export interface Plan {
  // In topological order: every node comes after what it needs.
  readonly run: readonly string[];
  // Everything else the outputs need; their results are cached or not needed.
  readonly cached: readonly string[];
}

export function planFor(
  graph: Graph,
  order: readonly string[],
  outputs: readonly string[],
  isKnown: (id: string) => boolean,
): Plan {
  const wanted = new Set(outputs.filter((id) => !isKnown(id)));
  for (const id of order.toReversed()) {
    if (!wanted.has(id)) continue;
    for (const [, [source]] of linksOf(graph, id)) if (!isKnown(source)) wanted.add(source);
  }
  return { run: order.filter((id) => wanted.has(id)), cached: order.filter((id) => !wanted.has(id)) };
}
