// Positions nodes: where the editor had them if it says so for every node, otherwise in layers from left to right; on a narrow
// screen always in layers, from top to bottom.
import dagre from "@dagrejs/dagre";
import { type Graph, linksOf, nodesOf, type Positions } from "../../api/graphs.ts";

export const nodeWidth = 208;
export const nodeHeight = 64;

export type Direction = "LR" | "TB";

export function layoutOf(graph: Graph, known: Positions | null, direction: Direction): Positions {
  const nodes = nodesOf(graph);
  if (known !== null && direction === "LR" && nodes.every(([id]) => known.has(id))) {
    const placed = spread(nodes.map(([id]) => [id, known.get(id) ?? { x: 0, y: 0 }]));
    if (placed !== null) return placed;
  }
  const layers = new dagre.graphlib.Graph();
  layers.setGraph({ rankdir: direction, nodesep: 26, ranksep: 64 });
  layers.setDefaultEdgeLabel(() => ({}));
  for (const [id] of nodes) layers.setNode(id, { width: nodeWidth, height: nodeHeight });
  for (const { from, to } of linksOf(graph)) layers.setEdge(from, to);
  dagre.layout(layers);
  return new Map(
    nodes.map(([id]) => {
      const { x, y } = layers.node(id);
      return [id, { x: x - nodeWidth / 2, y: y - nodeHeight / 2 }];
    }),
  );
}

// The editor's nodes have other sizes, mostly larger than ours, so we move them as close together as possible without overlap.
// Null if even the editor's full distances overlap.
function spread(
  positions: readonly (readonly [string, { readonly x: number; readonly y: number }])[],
): Positions | null {
  for (const [across, down] of scales) {
    const placed = positions.map(([id, { x, y }]) => [id, { x: x * across, y: y * down }] as const);
    if (!isCovering(placed.map(([, at]) => at))) return new Map(placed);
  }
  return null;
}

const scales = [
  [0.8, 0.5],
  [1, 0.6],
  [1.1, 0.8],
  [1.2, 1.1],
] as const;

function isCovering(positions: readonly { readonly x: number; readonly y: number }[]): boolean {
  const inOrder = positions.toSorted((one, other) => one.x - other.x);
  return inOrder.some(({ x, y }, at) => {
    for (const next of inOrder.slice(at + 1)) {
      if (next.x - x >= nodeWidth) return false;
      if (Math.abs(next.y - y) < nodeHeight) return true;
    }
    return false;
  });
}
