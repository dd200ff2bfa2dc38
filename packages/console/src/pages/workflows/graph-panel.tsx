// The graph itself: values and prices on the nodes, what is missing, and what each node made last.
import type { GraphEstimate } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useMemo } from "react";
import { workflows as words } from "#strings/workflows";
import type { KnownClasses } from "../../api/classes.ts";
import type { Graph } from "../../api/graphs.ts";
import { isActive, jobQuery, type MadeByNode, madeByNodes } from "../../api/jobs.ts";
import { formatCreditRange } from "../../ui/figures.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { type LackingHere, lackingByNode } from "./lacking.ts";
import type { Opened } from "./open-workflow.ts";
import { sketchedClasses } from "./sketch.ts";
import styles from "./workflows.module.css";

const GraphView = lazy(() =>
  import("../../ui/graph/graph-view.tsx").then(({ GraphView: component }) => ({ default: component })),
);

export function GraphPanel(props: {
  readonly opened: Opened;
  // With the changes.
  readonly graph: Graph;
  readonly classes: KnownClasses;
  readonly lacking: LackingHere;
  readonly estimate: GraphEstimate | undefined;
  // The job whose outputs are on the nodes.
  readonly madeBy: string | undefined;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  const { graph, lacking, estimate } = props;
  const { sketch } = props.opened;
  const classes = useMemo(
    () => (sketch ? new Map([...sketchedClasses(sketch.editor), ...props.classes]) : props.classes),
    [sketch, props.classes],
  );
  const madeBy = useMade(props.madeBy, graph);
  const prices = useMemo(
    () =>
      new Map(
        estimate?.nodes.map(({ node_id, credits }) => [node_id, formatCreditRange(credits.lowest, credits.highest)]),
      ),
    [estimate],
  );
  const byNode = useMemo(
    () => lackingByNode(graph, lacking.missing, lacking.weights, words.missing.onNode),
    [graph, lacking],
  );
  return (
    <div className={styles.graph}>
      <Suspense fallback={<Skeleton height="26rem" />}>
        <GraphView
          label={words.graph.label}
          graph={graph}
          positions={props.opened.positions}
          lacking={byNode}
          cards={{ classes, priceOf: (id) => prices.get(id) ?? null, madeBy }}
          chosen={props.chosen}
          onChoose={props.onChoose}
          height="var(--graph-height)"
        />
      </Suspense>
    </div>
  );
}

const lookEveryMs = 2_000;

// A job that is gone leaves the nodes without pictures. One that still runs, as for someone who comes back from its page at once,
// is read again until it has ended.
function useMade(jobId: string | undefined, graph: Graph): (id: string) => MadeByNode | null {
  const { data } = useQuery({
    ...jobQuery(jobId ?? ""),
    enabled: jobId !== undefined,
    retry: false,
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? lookEveryMs : false),
  });
  const outputs = data?.outputs;
  return useMemo(() => {
    const made = madeByNodes(outputs ?? []);
    return (id) => (Object.hasOwn(graph, id) ? (made.get(id) ?? null) : null);
  }, [outputs, graph]);
}
