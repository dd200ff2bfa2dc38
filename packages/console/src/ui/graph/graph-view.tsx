// Displays a graph: nodes, links, and the state of each node. A separate chunk, loaded where it is shown. The timeline shows the
// same as a list.
import { uiViewers } from "#strings/ui/viewers";
import "@xyflow/react/dist/base.css";
import {
  Background,
  ControlButton,
  Controls,
  type Edge,
  Handle,
  MiniMap,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
} from "@xyflow/react";
import { Maximize } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { formatDuration } from "../figures.tsx";
import { type Box, type Direction, readableZoom, startOf } from "./graph-layout.ts";
import { type DrawnGraph, type DrawnNode, useDrawing } from "./graph-nodes.ts";
import styles from "./graph-view.module.css";
import { CardNode } from "./node-card.tsx";
import { Looks, stateWords } from "./node-looks.tsx";

export type { CardFacts, NodeLook } from "./graph-nodes.ts";

const words = uiViewers.graph;

// Above this many nodes, only those in view are rendered.
const largeGraph = 60;

interface GraphViewProps extends DrawnGraph {
  readonly label: string;
  readonly onChoose?: ((id: string) => void) | undefined;
  // The node to start at; if absent, the whole graph.
  readonly focus?: string | undefined;
  readonly height?: string;
  // Absent: with a map of what does not fit.
  readonly hasMap?: boolean;
}

type Flow = ReactFlowInstance<DrawnNode, Edge>;

export function GraphView(props: GraphViewProps): ReactNode {
  // Fixed when the graph is opened.
  const [direction] = useState<Direction>(() => (matchMedia("(max-width: 48rem)").matches ? "TB" : "LR"));
  const [flow, setFlow] = useState<Flow | null>(null);
  const { nodes, edges, box, first } = useDrawing(props, direction);
  const view = useRef<HTMLDivElement>(null);
  const start = useStart(flow, view, { box, first, focus: props.focus, isSmall: props.cards === undefined });
  useFocus(flow, props.focus);
  return (
    <ReactFlowProvider>
      <div className={styles.view} style={{ height: props.height ?? "min(70vh, 40rem)" }}>
        <div ref={view} className={styles.flow}>
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            aria-label={props.label}
            onInit={setFlow}
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
              for (const change of changes)
                if (change.type === "select" && change.selected) props.onChoose?.(change.id);
            }}
            ariaLabelConfig={controlWords}
            proOptions={{ hideAttribution: true }}
          >
            <Background gap={22} size={1.2} />
            <Controls showInteractive={false} showFitView={false} position="top-right">
              <ControlButton aria-label={words.fit} title={words.fit} onClick={start.again}>
                <Maximize aria-hidden="true" className={styles.fit} />
              </ControlButton>
            </Controls>
          </ReactFlow>
        </div>
        {start.isCut && props.hasMap !== false ? (
          // Below the graph, so that it covers nothing.
          <MiniMap
            pannable
            className={styles.map ?? ""}
            style={{ width: start.viewWidth, height: mapHeight }}
            position="bottom-left"
            ariaLabel={words.overview}
          />
        ) : null}
      </div>
    </ReactFlowProvider>
  );
}

const mapHeight = 76;

interface Starting {
  readonly box: Box;
  readonly first: Box;
  readonly focus: string | undefined;
  readonly isSmall: boolean;
}

// Begins at a readable size, and again when the view gets its size or another graph. Small nodes are a map of the graph, and
// always fit.
function useStart(
  flow: Flow | null,
  view: React.RefObject<HTMLDivElement | null>,
  { box, first, focus, isSmall }: Starting,
): { readonly isCut: boolean; readonly viewWidth: number; again(): void } {
  const [isCut, setCut] = useState(false);
  const [viewWidth, setViewWidth] = useState(0);
  const latest = useRef({ box, first, isSmall });
  latest.current = { box, first, isSmall };
  const again = useCallback(() => {
    const at = view.current?.getBoundingClientRect();
    if (flow === null || at === undefined || at.width === 0) return;
    const now = latest.current;
    if (now.isSmall) return void flow.fitView({ padding: 0.12, maxZoom: 1.1 });
    const start = startOf(now.box, now.first, at);
    setCut(start.zoom === readableZoom);
    setViewWidth(at.width);
    void flow.setViewport(start);
  }, [flow, view]);
  const { x, y, width, height } = box;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at a change of what it does not read
  useLayoutEffect(() => {
    if (focus === undefined) again();
  }, [again, focus, x, y, width, height]);
  return { isCut, viewWidth, again };
}

// Once per requested node, not at every change of state.
function useFocus(flow: Flow | null, id: string | undefined): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (flow === null || id === undefined || shown.current === id) return;
    shown.current = id;
    void flow.fitView({ nodes: [{ id }], padding: 1.2, minZoom: readableZoom, maxZoom: 1 });
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

function SmallNode({ id, data, selected }: NodeProps<DrawnNode>): ReactNode {
  const { title, classType, look, note, direction } = data;
  const isDown = direction === "TB";
  return (
    <div
      className={styles.node}
      data-node={id}
      data-state={look?.state}
      data-chosen={selected}
      data-noted={note !== null}
    >
      <Handle
        type="target"
        position={isDown ? Position.Top : Position.Left}
        className={styles.handle}
        isConnectable={false}
      />
      <div className={styles.title}>{title}</div>
      <div className={styles.line}>
        {look === null ? null : <Looks state={look.state} />}
        <span>{look === null ? (note ?? (title === classType ? words.node(id) : classType)) : stateWords(look)}</span>
        {look?.ms !== null && look?.ms !== undefined ? (
          <span className={styles.ms}>{formatDuration(look.ms)}</span>
        ) : null}
      </div>
      {look?.state === "running" ? (
        <div className={styles.share} style={{ width: `${Math.round(look.progress * 100)}%` }} />
      ) : null}
      <Handle
        type="source"
        position={isDown ? Position.Bottom : Position.Right}
        className={styles.handle}
        isConnectable={false}
      />
    </div>
  );
}

const nodeTypes = { node: SmallNode, card: CardNode };
