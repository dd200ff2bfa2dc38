// A graph as the drawing library wants it: nodes with their places and sizes, and links with the colour of their type.
import type { DescribedClass } from "@atelier/sdk";
import { type Edge, type Node, Position } from "@xyflow/react";
import { useMemo, useRef } from "react";
import { uiViewers } from "#strings/ui/viewers";
import { type Graph, linksOf, nodesOf, type Positions, titleOf } from "../../api/graphs.ts";
import type { MadeByNode } from "../../api/jobs.ts";
import { type Box, boxOf, type Direction, layoutOf, nodeHeight, nodeWidth, type Size } from "./graph-layout.ts";
import { type Card, cardsOf, cardWidth, colourOf } from "./node-cards.ts";

const words = uiViewers.graph;

export interface NodeLook {
  readonly state: string;
  readonly progress: number;
  readonly ms: number | null;
  // Said instead of the state's word.
  readonly note?: string;
}

export interface NodeData extends Record<string, unknown> {
  readonly title: string;
  readonly classType: string;
  readonly look: NodeLook | null;
  readonly note: string | null;
  readonly direction: Direction;
  // Null for a small node, which shows its title only.
  readonly card: Card | null;
  readonly price: string | null;
  // The asset of the last picture it made, and how many things it made.
  readonly picture: string | null;
  readonly made: number;
}

export type DrawnNode = Node<NodeData, "node" | "card">;

// What cards show beyond the graph itself.
export interface CardFacts {
  readonly classes: ReadonlyMap<string, DescribedClass>;
  readonly priceOf?: (id: string) => string | null;
  readonly madeBy?: (id: string) => MadeByNode | null;
  // Whether all nodes have a line for their state, as in a job. Nodes that save something have room for a picture then, so that
  // nothing moves when it arrives.
  readonly hasStates?: boolean;
}

export interface DrawnGraph {
  readonly graph: Graph;
  readonly positions?: Positions | null;
  // By node; if absent, only the graph itself is shown.
  readonly lookOf?: ((id: string) => NodeLook) | undefined;
  // Nodes that cannot run here, each with the reason.
  readonly lacking?: ReadonlyMap<string, string> | undefined;
  // What to say about a node instead of its class; such nodes are marked.
  readonly noteOf?: ((id: string) => string | null) | undefined;
  readonly chosen?: string | undefined;
  // Absent: small nodes.
  readonly cards?: CardFacts | undefined;
}

export interface Drawing {
  readonly nodes: DrawnNode[];
  readonly edges: Edge[];
  readonly box: Box;
  // The node that a graph too large to be seen as a whole starts at.
  readonly first: Box;
}

export function useDrawing(props: DrawnGraph, direction: Direction): Drawing {
  const { graph, positions, cards, lacking } = props;
  const drawn = useCards(graph, cards, lacking);
  const { layout, box, first } = useLayout(graph, positions ?? null, direction, drawn);
  const entries = useMemo(() => nodesOf(graph), [graph]);
  const draw = useSameNodes();
  const nodes = entries.map(([id]) =>
    draw(drawnNode(props, { id, direction, at: layout.get(id), card: drawn?.get(id) })),
  );
  const edges = useMemo(() => edgesOf(graph, drawn), [graph, drawn]);
  const running = (id: string) => props.lookOf?.(id).state === "running";
  return { nodes, edges: edges.map((edge) => (running(edge.target) ? { ...edge, animated: true } : edge)), box, first };
}

// A node that looks as before is the very same object, so that a tick redraws only what changed.
function useSameNodes(): (node: DrawnNode) => DrawnNode {
  const last = useRef(new Map<string, DrawnNode>());
  return (node) => {
    const before = last.current.get(node.id);
    if (before !== undefined && isSame(before, node)) return before;
    last.current.set(node.id, node);
    return node;
  };
}

function isSame(one: DrawnNode, other: DrawnNode): boolean {
  const [a, b] = [one.data, other.data];
  return (
    one.position === other.position &&
    one.selected === other.selected &&
    a.card === b.card &&
    a.note === b.note &&
    a.price === b.price &&
    a.picture === b.picture &&
    a.made === b.made &&
    (a.look === b.look ||
      (a.look !== null &&
        b.look !== null &&
        a.look.state === b.look.state &&
        a.look.progress === b.look.progress &&
        a.look.ms === b.look.ms &&
        a.look.note === b.look.note))
  );
}

interface Layout {
  readonly layout: Positions;
  readonly box: Box;
  readonly first: Box;
}

// Links and sizes decide the layout; values typed since do not move anything.
function useLayout(
  graph: Graph,
  positions: Positions | null,
  direction: Direction,
  cards: ReadonlyMap<string, Card> | null,
): Layout {
  const sizes = [...(cards?.values() ?? [])].map(({ height }) => height).join();
  const key = `${direction} ${wiringOf(graph)} ${sizes}`;
  const last = useRef<(Layout & { readonly key: string; readonly positions: Positions | null }) | null>(null);
  if (last.current === null || last.current.key !== key || last.current.positions !== positions) {
    const sizeOf = sizesOf(cards);
    const layout = layoutOf(graph, positions, direction, sizeOf);
    last.current = { key, positions, layout, box: boxOf(layout, sizeOf), first: firstOf(layout, direction, sizeOf) };
  }
  return last.current;
}

function useCards(graph: Graph, facts: CardFacts | undefined, lacking: DrawnGraph["lacking"]) {
  const { classes, madeBy, hasStates = false } = facts ?? {};
  return useMemo(() => {
    if (classes === undefined) return null;
    return cardsOf(graph, {
      classes,
      hasPicture: (id) =>
        madeBy?.(id)?.picture != null || (hasStates && classes.get(graph[id]?.class_type ?? "")?.is_output === true),
      hasFoot: (id) => hasStates || lacking?.has(id) === true,
    });
  }, [graph, classes, madeBy, hasStates, lacking]);
}

const sizesOf =
  (cards: ReadonlyMap<string, Card> | null) =>
  (id: string): Size =>
    cards === null
      ? { width: nodeWidth, height: nodeHeight }
      : { width: cardWidth, height: cards.get(id)?.height ?? nodeHeight };

// Which nodes there are and how they are linked: what a layout depends on.
function wiringOf(graph: Graph): string {
  return `${Object.keys(graph).join(" ")}|${linksOf(graph)
    .map(({ from, slot, to, input }) => `${from}.${slot}>${to}.${input}`)
    .join(" ")}`;
}

function firstOf(placed: Positions, direction: Direction, sizeOf: (id: string) => Size) {
  const along = ({ x, y }: { x: number; y: number }) => (direction === "LR" ? [x, y] : [y, x]);
  const sorted = [...placed].toSorted(([, one], [, other]) => {
    const [[a = 0, b = 0], [c = 0, d = 0]] = [along(one), along(other)];
    return a - c || b - d;
  });
  return boxOf(new Map(sorted.slice(0, 1)), sizeOf);
}

interface Placing {
  readonly id: string;
  readonly direction: Direction;
  readonly at: { readonly x: number; readonly y: number } | undefined;
  readonly card: Card | undefined;
}

function drawnNode(props: DrawnGraph, { id, direction, at, card }: Placing): DrawnNode {
  const node = props.graph[id];
  const reason = props.lacking?.get(id);
  const look: NodeLook | null =
    reason === undefined ? (props.lookOf?.(id) ?? null) : { state: "missing", progress: 0, ms: null, note: reason };
  const note = props.noteOf?.(id) ?? null;
  const title = titleOf(node, id);
  const made = props.cards?.madeBy?.(id) ?? null;
  const size = card ? { width: cardWidth, height: card.height } : { width: nodeWidth, height: nodeHeight };
  return {
    id,
    type: card ? "card" : "node",
    position: at ?? { x: 0, y: 0 },
    ...size,
    // Nodes are replaced at each change of state. With their size given, the library need not measure them, and links stay put.
    measured: size,
    handles: card ? cardHandles(card, direction) : smallHandles[direction],
    selected: id === props.chosen,
    ariaLabel: saidOf(id, title, look, note),
    data: {
      ...{ title, classType: node?.class_type ?? "", look, note, direction, card: card ?? null },
      price: props.cards?.priceOf?.(id) ?? null,
      picture: made?.picture ?? null,
      made: made?.count ?? 0,
    },
  };
}

function saidOf(id: string, title: string, look: NodeLook | null, note: string | null): string {
  const said = words.saidNode(title, id);
  if (look === null) return note === null ? said : words.saidState(said, note);
  const share = look.state === "running" ? `, ${Math.round(look.progress * 100)} %` : "";
  const state = look.note ?? words.states[look.state as keyof typeof words.states] ?? look.state;
  return words.saidState(said, `${state}${share}`);
}

function edgesOf(graph: Graph, cards: ReadonlyMap<string, Card> | null): Edge[] {
  return linksOf(graph).map(({ from, slot, to, input }): Edge => {
    const ariaLabel = words.saidLink(titleOf(graph[from], from), titleOf(graph[to], to), input);
    const edge = { id: `${from}.${slot}>${to}.${input}`, source: from, target: to, focusable: false, ariaLabel };
    if (cards === null) return edge;
    const type = cards.get(to)?.inputs.find(({ name }) => name === input)?.type ?? null;
    const hasEnd = (cards.get(from)?.outputs.length ?? 0) > slot;
    return {
      ...edge,
      ...(hasEnd ? { sourceHandle: String(slot) } : {}),
      targetHandle: input,
      style: { stroke: colourOf(type), strokeWidth: 2 },
    };
  });
}

function cardHandles({ inputs, outputs, height }: Card, direction: Direction) {
  const end = (type: "source" | "target", id: string, y: number) => {
    const size = { width: 1, height: 1 };
    if (direction === "TB") {
      const [position, top] = type === "source" ? [Position.Bottom, height - 1] : [Position.Top, 0];
      return { id, type, position, x: cardWidth / 2, y: top, ...size };
    }
    const [position, x] = type === "source" ? [Position.Right, cardWidth - 1] : [Position.Left, 0];
    return { id, type, position, x, y, ...size };
  };
  return [
    ...inputs.map(({ name, y }) => end("target", name, y)),
    ...outputs.map(({ y }, at) => end("source", String(at), y)),
  ];
}

const across = { y: nodeHeight / 2, width: 1, height: 1 };
const down = { x: nodeWidth / 2, width: 1, height: 1 };
const smallHandles = {
  LR: [
    { type: "target" as const, position: Position.Left, x: 0, ...across },
    { type: "source" as const, position: Position.Right, x: nodeWidth - 1, ...across },
  ],
  TB: [
    { type: "target" as const, position: Position.Top, y: 0, ...down },
    { type: "source" as const, position: Position.Bottom, y: nodeHeight - 1, ...down },
  ],
};
