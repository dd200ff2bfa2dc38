// The graph with the state of each node, and details of the selected one.
import type { Job, JobNode } from "@atelier/sdk";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { jobs as words } from "#strings/jobs";
import type { Graph } from "../../api/graphs.ts";
import { isActive, nodeMs } from "../../api/jobs.ts";
import { useNow } from "../../ui/figures.tsx";
import { GraphView, type NodeLook } from "../../ui/graph/graph-view.tsx";
import { Empty } from "../../ui/states.tsx";
import styles from "./job.module.css";
import { NodePanel } from "./node-panel.tsx";

const route = getRouteApi("/console/jobs/$jobId");

export function GraphTab(props: {
  readonly job: Job;
  readonly graph: Graph;
  readonly node: string | undefined;
  readonly isRunning: boolean;
}): ReactNode {
  const { job, graph } = props;
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
  const chosen = props.node ?? (focus !== undefined && Object.hasOwn(graph, focus) ? focus : undefined);
  if (Object.keys(graph).length === 0) return <Empty title={words.graph.empty}>{words.graph.noNodes}</Empty>;
  const node = chosen === undefined ? undefined : graph[chosen];
  return (
    <div className={styles.graphTab} data-panel={node !== undefined}>
      <GraphView
        label={words.graph.label}
        graph={graph}
        lookOf={(id) => lookOf(job, reported, id, now)}
        chosen={chosen}
        onChoose={choose}
        focus={focus !== undefined && Object.hasOwn(graph, focus) ? focus : undefined}
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
