// The graph with the state of each node, and details of the selected one.
import type { Job, JobNode } from "@atelier/sdk";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { jobs as words } from "#strings/jobs";
import { useJobCharges } from "../../api/charges.ts";
import { useClasses } from "../../api/classes.ts";
import type { Graph } from "../../api/graphs.ts";
import { isActive, madeByNodes, nodeMs } from "../../api/jobs.ts";
import { formatCredits, useNow } from "../../ui/figures.tsx";
import { type CardFacts, GraphView, type NodeLook } from "../../ui/graph/graph-view.tsx";
import { Empty } from "../../ui/states.tsx";
import styles from "./job.module.css";
import { NodePanel } from "./node-panel.tsx";

const route = getRouteApi("/console/jobs/$jobId");

export function GraphTab(props: {
  readonly job: Job;
  readonly graph: Graph;
  readonly node: string | undefined;
  // Beside the picture; a node then opens on its own tab.
  readonly isSmall?: boolean;
}): ReactNode {
  const { job, graph } = props;
  const cards = useCards(job, graph);
  const navigate = route.useNavigate();
  const now = useNow(isActive(job) ? 1_000 : 3_600_000);
  const reported = useMemo(() => new Map(job.progress?.nodes?.map((node) => [node.node_id, node])), [job.progress]);
  const choose = (node: string | undefined) =>
    void navigate({
      search: (old) => ({ ...old, tab: "graph" as const, node }) as typeof old,
      replace: true,
      resetScroll: false,
    });
  // Start at the requested node, otherwise at the one that failed.
  const [focus] = useState(
    () => props.node ?? (job.status === "failed" ? (job.error?.node_id ?? undefined) : undefined),
  );
  const chosen = props.isSmall
    ? undefined
    : (props.node ?? (focus !== undefined && Object.hasOwn(graph, focus) ? focus : undefined));
  if (Object.keys(graph).length === 0) return <Empty title={words.graph.empty}>{words.graph.noNodes}</Empty>;
  const node = chosen === undefined ? undefined : graph[chosen];
  return (
    <div className={styles.graphTab} data-panel={node !== undefined}>
      <GraphView
        label={words.graph.label}
        graph={graph}
        lookOf={(id) => lookOf(job, reported, id, now)}
        cards={cards}
        {...(props.isSmall ? { height: "100%", hasMap: false } : {})}
        chosen={chosen}
        onChoose={choose}
        focus={props.isSmall ? runningOf(job) : focus !== undefined && Object.hasOwn(graph, focus) ? focus : undefined}
      />
      {chosen !== undefined && node !== undefined ? (
        <NodePanel
          job={job}
          id={chosen}
          graph={graph}
          node={node}
          look={lookOf(job, reported, chosen, now)}
          onClose={() => choose(undefined)}
          canClose={props.node !== undefined}
        />
      ) : null}
    </div>
  );
}

// What the nodes were charged and what they made, on the nodes.
function useCards(job: Job, graph: Graph): CardFacts {
  const { classes } = useClasses(Object.values(graph).map(({ class_type }) => class_type));
  const { data: charges } = useJobCharges(job);
  const { outputs } = job;
  const madeBy = useMemo(() => {
    const made = madeByNodes(outputs);
    return (id: string) => made.get(id) ?? null;
  }, [outputs]);
  const priceOf = useMemo(() => {
    const credits = new Map(charges?.nodes.map((node) => [node.node_id, node.credits]));
    return (id: string) => {
      const charged = credits.get(id);
      return charged === undefined ? null : words.shortCredits(formatCredits(charged));
    };
  }, [charges]);
  return { classes, madeBy, priceOf, hasStates: true };
}

// Beside the picture, the graph follows what runs.
const runningOf = ({ status, progress }: Job): string | undefined =>
  status === "running" ? progress?.nodes?.find(({ state }) => state === "running")?.node_id : undefined;

// The server does not report nodes that the outputs do not need. Without a full report we claim nothing.
function lookOf(job: Job, reported: ReadonlyMap<string, JobNode>, id: string, now: number): NodeLook {
  const node = reported.get(id);
  if (node) return { state: node.state, progress: node.progress, ms: nodeMs(job, node, now) };
  if (job.status === "queued") return { state: "waiting", progress: 0, ms: null };
  const counts = job.progress?.node_counts;
  const isWhole = counts !== undefined && reported.size > 0 && reported.size >= sumOf(counts);
  return { state: isWhole ? "skipped" : "untold", progress: 0, ms: null };
}

const sumOf = (counts: object) => Object.values(counts).reduce<number>((sum, count) => sum + Number(count), 0);
