// The graph as a timeline: one bar per node, in the order they started, below a time axis.
import type { Job } from "@atelier/sdk";
import { getRouteApi } from "@tanstack/react-router";
import { Clock3 } from "lucide-react";
import type { ReactNode } from "react";
import { jobs } from "#strings/jobs";
import { useJobCharges } from "../../api/charges.ts";
import type { Graph } from "../../api/graphs.ts";
import { isActive } from "../../api/jobs.ts";
import { StateChip } from "../../ui/chip.tsx";
import { formatCredits, formatDuration, useNow } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty } from "../../ui/states.tsx";
import styles from "./job.module.css";
import { type Timeline, type TimelineRow, timelineOf } from "./timeline.ts";

const words = jobs.timeline;
const route = getRouteApi("/console/jobs/$jobId");

export function TimelineTab({ job, graph }: { readonly job: Job; readonly graph: Graph }): ReactNode {
  const now = useNow(isActive(job) ? 1_000 : 60_000);
  const nodes = job.progress?.nodes ?? [];
  const { data: charges } = useJobCharges(job);
  const credits = new Map(charges?.nodes.map((node) => [node.node_id, node.credits]));
  if (nodes.length === 0)
    return (
      <Empty icon={Clock3} title={job.status === "queued" ? words.notStarted : words.unreported}>
        <p>{job.status === "queued" ? words.barsLater : words.why}</p>
      </Empty>
    );
  const timeline = timelineOf(job, graph, now);
  const total = Object.values(job.progress?.node_counts ?? {}).reduce<number>((sum, count) => sum + Number(count), 0);
  return (
    <Panel
      title={words.title}
      actions={
        <span className={kit.soft}>
          {words.summary(jobs.nodes(total || nodes.length), formatDuration(timeline.totalMs))}
        </span>
      }
    >
      <Bars timeline={timeline} credits={credits} />
      <p className={styles.legend}>
        <i data-kind="wait" /> {words.waited} <i data-kind="run" /> {words.ran}{" "}
        {timeline.breaks.length > 0 ? (
          <>
            {" "}
            <i data-kind="break" /> {words.shortened}
          </>
        ) : null}
        {timeline.isMeasured ? "" : ` · ${words.derived}`}
        {total > nodes.length ? ` · ${words.notListed(jobs.nodes(total - nodes.length))}` : ""}
      </p>
    </Panel>
  );
}

interface BarsProps {
  readonly timeline: Timeline;
  // What each node was charged, by id.
  readonly credits: ReadonlyMap<string, string>;
}

function Bars({ timeline, credits }: BarsProps): ReactNode {
  return (
    <>
      <div className={styles.barRow} data-axis="true" aria-hidden="true">
        <div className={styles.axis}>
          {timeline.ticks.map(({ at, ms }) => (
            <span key={ms} style={{ left: percent(at) }}>
              {ms === 0 ? "0" : `+${formatDuration(ms)}`}
            </span>
          ))}
        </div>
      </div>
      <ol className={styles.bars}>
        {timeline.rows.map((row) => (
          <Bar key={row.node.node_id} row={row} timeline={timeline} credits={credits.get(row.node.node_id)} />
        ))}
      </ol>
    </>
  );
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

interface BarProps {
  readonly row: TimelineRow;
  readonly timeline: Timeline;
  readonly credits: string | undefined;
}

function Bar({ row, timeline, credits }: BarProps): ReactNode {
  const navigate = route.useNavigate();
  const { node, from, to, waitedFrom } = row;
  return (
    <li className={styles.barRow} data-state={node.state} data-timeline-node={node.node_id}>
      <button
        type="button"
        className={styles.barName}
        onClick={() =>
          void navigate({ search: (old) => ({ ...old, tab: "graph", node: node.node_id }), resetScroll: false })
        }
      >
        {node.title ?? node.class_type}
        <small>{words.node(node.node_id)}</small>
      </button>
      <StateChip state={node.state} />
      <div className={styles.track} aria-hidden="true">
        {timeline.breaks.map(({ at, ms }) => (
          <span key={at} className={styles.break} style={{ left: percent(at) }} title={words.idle(formatDuration(ms))}>
            {formatDuration(ms)}
          </span>
        ))}
        {from !== null && to !== null ? (
          <>
            {waitedFrom !== null && waitedFrom < from ? (
              <span
                className={styles.waitBar}
                style={{ left: percent(waitedFrom), width: percent(from - waitedFrom) }}
              />
            ) : null}
            <span
              className={styles.runBar}
              style={{ left: percent(from), width: percent(Math.max(0.004, to - from)) }}
            />
          </>
        ) : null}
      </div>
      <span className={styles.barFigure}>
        {node.ms === null ? (node.state === "cached" ? words.reused : "–") : formatDuration(node.ms)}
        {credits !== undefined && Number(credits) > 0 ? (
          <small>{jobs.shortCredits(formatCredits(credits))}</small>
        ) : null}
      </span>
    </li>
  );
}
