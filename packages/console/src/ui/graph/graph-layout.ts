// Positions nodes: where the editor had them if it says so for every node, otherwise in layers from left to right; on a narrow
// screen always in layers, from top to bottom.
import dagre from "@dagrejs/dagre";
import { type Graph, linksOf, nodesOf, type Positions } from "../../api/graphs.ts";

export const nodeWidth = 208;
export const nodeHeight = 64;

export type Direction = "LR" | "TB";

export interface Size {
  readonly width: number;
  readonly height: number;
}

type Sizes = (id: string) => Size;

const sameSize: Sizes = () => ({ width: nodeWidth, height: nodeHeight });

export function layoutOf(
  graph: Graph,
  known: Positions | null,
  direction: Direction,
  sizeOf: Sizes = sameSize,
): Positions {
  const nodes = nodesOf(graph);
  if (known !== null && direction === "LR" && nodes.every(([id]) => known.has(id))) {
    const placed = spread(nodes.map(([id]) => ({ id, at: known.get(id) ?? { x: 0, y: 0 }, size: sizeOf(id) })));
    if (placed !== null) return placed;
  }
  const layers = new dagre.graphlib.Graph();
  layers.setGraph({ rankdir: direction, nodesep: 26, ranksep: 64 });
  layers.setDefaultEdgeLabel(() => ({}));
  for (const [id] of nodes) layers.setNode(id, { ...sizeOf(id) });
  for (const { from, to } of linksOf(graph)) layers.setEdge(from, to);
  dagre.layout(layers);
  return new Map(
    nodes.map(([id]) => {
      const { x, y } = layers.node(id);
      const { width, height } = sizeOf(id);
      return [id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
}

interface Placed {
  readonly id: string;
  readonly at: { readonly x: number; readonly y: number };
  readonly size: Size;
}

// The editor's nodes have other sizes, mostly larger than ours, so we move them as close together as possible without overlap.
// Null if even the editor's full distances overlap.
function spread(nodes: readonly Placed[]): Positions | null {
  for (const [across, down] of scales) {
    const placed = nodes.map((node) => ({ ...node, at: { x: node.at.x * across, y: node.at.y * down } }));
    if (!isCovering(placed)) return new Map(placed.map(({ id, at }) => [id, at]));
  }
  return null;
}

const scales = [
  [0.8, 0.5],
  [1, 0.6],
  [1.1, 0.8],
  [1.2, 1.1],
] as const;

function isCovering(nodes: readonly Placed[]): boolean {
  const inOrder = nodes.toSorted((one, other) => one.at.x - other.at.x);
  return inOrder.some((one, index) => {
    for (const other of inOrder.slice(index + 1)) {
      if (other.at.x - one.at.x >= one.size.width) return false;
      const [upper, lower] = one.at.y <= other.at.y ? [one, other] : [other, one];
      if (lower.at.y - upper.at.y < upper.size.height) return true;
    }
    return false;
  });
}

// The zoom at which people can still read the nodes.
export const readableZoom = 0.8;

export interface Start {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

const margin = 24;
const largestZoom = 1.1;

// The whole graph in the middle if it is readable that way. Otherwise its first node, at a readable size: people pan from there.
export function startOf(graph: Box, first: Box, view: Size): Start {
  const room = { width: view.width - 2 * margin, height: view.height - 2 * margin };
  const fitting = Math.min(room.width / graph.width, room.height / graph.height, largestZoom);
  const zoom = Math.max(readableZoom, fitting);
  return {
    x: placed([graph.x, graph.width], [first.x, first.width], view.width, zoom),
    y: placed([graph.y, graph.height], [first.y, first.height], view.height, zoom),
    zoom,
  };
}

type Span = readonly [from: number, length: number];

function placed([from, length]: Span, [firstFrom, firstLength]: Span, space: number, zoom: number): number {
  if (length * zoom <= space - 2 * margin) return (space - length * zoom) / 2 - from * zoom;
  // No further than the edges of the graph.
  const atFirst = (space - firstLength * zoom) / 2 - firstFrom * zoom;
  return Math.min(margin - from * zoom, Math.max(atFirst, space - margin - (from + length) * zoom));
}

export function boxOf(positions: Positions, sizeOf: Sizes = sameSize): Box {
  let [left, top, right, bottom] = [0, 0, 1, 1];
  let isFirst = true;
  for (const [id, { x, y }] of positions) {
    const { width, height } = sizeOf(id);
    left = isFirst ? x : Math.min(left, x);
    top = isFirst ? y : Math.min(top, y);
    right = isFirst ? x + width : Math.max(right, x + width);
    bottom = isFirst ? y + height : Math.max(bottom, y + height);
    isFirst = false;
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
