// Displays a graph: nodes, links, and the state of each node. A separate chunk, loaded where it is shown. The timeline shows the
// same as a list.
import { uiViewers } from "#strings/ui/viewers";
import "@xyflow/react/dist/base.css";
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MiniMap,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from "@xyflow/react";
import { Ban, Check, CircleDashed, CircleHelp, Diamond, type LucideIcon, Play, Unplug, X } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { type Graph, linksOf, nodesOf, type Positions, titleOf } from "../../api/graphs.ts";
import { formatDuration } from "../figures.tsx";
import { type Direction, layoutOf, nodeHeight, nodeWidth } from "./graph-layout.ts";
import styles from "./graph-view.module.css";

export interface NodeLook {
  readonly state: string;
  readonly progress: number;
  readonly ms: number | null;
}

interface NodeData extends Record<string, unknown> {
  readonly title: string;
  readonly classType: string;
  readonly look: NodeLook | null;
  readonly note: string | null;
}

type GraphNodeShape = Node<NodeData, "node">;

const words = uiViewers.graph;
const looks: Readonly<Record<string, readonly [LucideIcon, string]>> = {
  waiting: [CircleDashed, words.states.waiting],
  running: [Play, words.states.running],
  cached: [Diamond, words.states.cached],
  done: [Check, words.states.done],
  failed: [X, words.states.failed],
  skipped: [Ban, words.states.skipped],
  untold: [CircleHelp, words.states.notReported],
  missing: [Unplug, words.states.missing],
};

const missingLook: NodeLook = { state: "missing", progress: 0, ms: null };

// Above this many nodes, only those in view are rendered.
const largeGraph = 150;

interface GraphViewProps {
  readonly label: string;
  readonly graph: Graph;
  readonly positions?: Positions | null;
  // By node; if absent, only the graph itself is shown.
  readonly lookOf?: ((id: string) => NodeLook) | undefined;
  // Classes this server lacks; their nodes are marked.
  readonly missing?: ReadonlySet<string>;
  // What to say about a node instead of its class; such nodes are marked.
  readonly noteOf?: ((id: string) => string | null) | undefined;
  readonly chosen?: string | undefined;
  readonly onChoose?: ((id: string) => void) | undefined;
  // The node to start at; if absent, the whole graph.
  readonly focus?: string | undefined;
  readonly height?: string;
}

export function GraphView(props: GraphViewProps): ReactNode {
  // Fixed when the graph is opened.
  const [direction] = useState<Direction>(() => (matchMedia("(max-width: 48rem)").matches ? "TB" : "LR"));
  const [flow, setFlow] = useState<ReactFlowInstance<GraphNodeShape, Edge> | null>(null);
  const [nodes, edges] = useDrawn(props, direction);
  useFocus(flow, props.focus);
  return (
    <div className={styles.view} style={{ height: props.height ?? "min(70vh, 40rem)" }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        aria-label={props.label}
        onInit={setFlow}
        fitView={props.focus === undefined}
        fitViewOptions={{ padding: 0.12, maxZoom: 1.1 }}
        minZoom={0.05}
        maxZoom={2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable
        edgesFocusable={false}
        elementsSelectable
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        preventScrolling={false}
        onlyRenderVisibleElements={nodes.length > largeGraph}
        onNodesChange={(changes) => {
          for (const change of changes) if (change.type === "select" && change.selected) props.onChoose?.(change.id);
        }}
        ariaLabelConfig={controlWords}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={22} size={1.2} />
        <Controls showInteractive={false} position="bottom-right" />
        {nodes.length > largeGraph ? (
          <MiniMap
            pannable
            className={styles.map ?? ""}
            position="bottom-left"
            style={{ width: 150, height: 100 }}
            ariaLabel={words.overview}
          />
        ) : null}
      </ReactFlow>
    </div>
  );
}

function useDrawn(props: GraphViewProps, direction: Direction): readonly [GraphNodeShape[], Edge[]] {
  const { graph, lookOf, noteOf, missing, chosen, positions } = props;
  const layout = useMemo(() => layoutOf(graph, positions ?? null, direction), [graph, positions, direction]);
  const links = useMemo(() => linksOf(graph), [graph]);
  const entries = useMemo(() => nodesOf(graph), [graph]);
  const nodes = entries.map(([id, node]): GraphNodeShape => {
    const look = missing?.has(node.class_type) ? missingLook : (lookOf?.(id) ?? null);
    const note = noteOf?.(id) ?? null;
    return {
      id,
      type: "node",
      position: layout.get(id) ?? { x: 0, y: 0 },
      width: nodeWidth,
      height: nodeHeight,
      // Nodes are replaced at each change of state. With their size given, the library need not measure them, and links stay
      // put.
      measured: { width: nodeWidth, height: nodeHeight },
      handles: handles[direction],
      selected: id === chosen,
      ariaLabel: saidOf(id, titleOf(node), look, note),
      data: { title: titleOf(node), classType: node.class_type, look, note },
    };
  });
  const edges = links.map(({ from, slot, to, input }): Edge => {
    const isInto = lookOf?.(to).state === "running";
    return { id: `${from}.${slot}>${to}.${input}`, source: from, target: to, animated: isInto, focusable: false };
  });
  return [nodes, edges];
}

// Once per requested node, not at every change of state.
function useFocus(flow: ReactFlowInstance<GraphNodeShape, Edge> | null, id: string | undefined): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (flow === null || id === undefined || shown.current === id) return;
    shown.current = id;
    void flow.fitView({ nodes: [{ id }], padding: 1.2, minZoom: 0.7, maxZoom: 1 });
  }, [flow, id]);
}

const controlWords = {
  "node.a11yDescription.default": words.openNode,
  "node.a11yDescription.keyboardDisabled": words.openNode,
  "controls.ariaLabel": words.zoom,
  "controls.zoomIn.ariaLabel": words.zoomIn,
  "controls.zoomOut.ariaLabel": words.zoomOut,
  "controls.fitView.ariaLabel": words.fit,
};

function saidOf(id: string, title: string, look: NodeLook | null, note: string | null): string {
  const said = words.saidNode(title, id);
  if (look === null) return note === null ? said : words.saidState(said, note);
  const share = look.state === "running" ? `, ${Math.round(look.progress * 100)} %` : "";
  return words.saidState(said, `${looks[look.state]?.[1] ?? look.state}${share}`);
}

function OneNode({ id, data, selected }: NodeProps<GraphNodeShape>): ReactNode {
  const { title, classType, look, note } = data;
  const [Icon, word] = looks[look?.state ?? ""] ?? [null, look?.state ?? ""];
  return (
    <div
      className={styles.node}
      data-node={id}
      data-state={look?.state}
      data-chosen={selected}
      data-noted={note !== null}
    >
      <Handle type="target" position={Position.Left} className={styles.handle} isConnectable={false} />
      <div className={styles.title}>{title}</div>
      <div className={styles.line}>
        {Icon ? <Icon aria-hidden="true" /> : null}
        <span>
          {look === null ? (note ?? (title === classType ? words.node(id) : classType)) : stateWords(word, look)}
        </span>
        {look?.ms !== null && look?.ms !== undefined ? (
          <span className={styles.ms}>{formatDuration(look.ms)}</span>
        ) : null}
      </div>
      {look?.state === "running" ? (
        <div className={styles.share} style={{ width: `${Math.round(look.progress * 100)}%` }} />
      ) : null}
      <Handle type="source" position={Position.Right} className={styles.handle} isConnectable={false} />
    </div>
  );
}

function stateWords(word: string, look: NodeLook): string {
  return look.state === "running" && look.progress > 0 ? `${word} ${Math.round(look.progress * 100)} %` : word;
}

const nodeTypes = { node: OneNode };

const across = { y: nodeHeight / 2, width: 1, height: 1 };
const down = { x: nodeWidth / 2, width: 1, height: 1 };
const handles = {
  LR: [
    { type: "target" as const, position: Position.Left, x: 0, ...across },
    { type: "source" as const, position: Position.Right, x: nodeWidth - 1, ...across },
  ],
  TB: [
    { type: "target" as const, position: Position.Top, y: 0, ...down },
    { type: "source" as const, position: Position.Bottom, y: nodeHeight - 1, ...down },
  ],
};
