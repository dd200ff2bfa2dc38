// Where nodes stand: as the editor had them when it says so for every node, else in layers, from left to right
// or, on a narrow screen, from top to bottom.
import dagre from "@dagrejs/dagre";
import { type Graph, linksOf, nodesOf, type Positions } from "../../api/graphs.ts";

export const nodeWidth = 208;
export const nodeHeight = 64;

export type Direction = "LR" | "TB";

export function layoutOf(graph: Graph, known: Positions | null, direction: Direction): Positions {
  const nodes = nodesOf(graph);
  if (known !== null && nodes.every(([id]) => known.has(id))) return spread(known);
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

// The editor's nodes have a size of their own, mostly larger than ours: closer together they read better.
function spread(known: Positions): Positions {
  return new Map(Array.from(known, ([id, { x, y }]) => [id, { x: x * 0.8, y: y * 0.5 }]));
}
