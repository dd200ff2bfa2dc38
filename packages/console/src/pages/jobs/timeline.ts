// When each node waited and ran, on one time axis. We shorten long stretches in which nothing ran, so that a job that waited for
// two hours still shows what it did in two seconds.
import type { Job, JobNode } from "@atelier/sdk";
import { type Graph, linksOf } from "../../api/graphs.ts";
import { nodeMs } from "../../api/jobs.ts";

export interface TimelineRow {
  readonly node: JobNode;
  // Fractions of the full width; null if it did not run.
  readonly from: number | null;
  readonly to: number | null;
  // When it started waiting, if known.
  readonly waitedFrom: number | null;
  readonly fromMs: number | null;
}

export interface TimelineBreak {
  readonly at: number;
  readonly ms: number;
}

export interface TimelineTick {
  readonly at: number;
  // Since the submission.
  readonly ms: number;
}

export interface Timeline {
  // In the order they started; nodes that did not run come last, in graph order.
  readonly rows: readonly TimelineRow[];
  readonly breaks: readonly TimelineBreak[];
  readonly ticks: readonly TimelineTick[];
  readonly totalMs: number;
  // Whether the server reported when nodes started; otherwise we derive it from what each needs.
  readonly isMeasured: boolean;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

export function timelineOf(job: Job, graph: Graph, now: number): Timeline {
  const nodes = job.progress?.nodes ?? [];
  const isMeasured = nodes.some(({ began_ms }) => typeof began_ms === "number");
  const timed = nodes.map((node) => ({ ...node, ms: nodeMs(job, node, now) }));
  const spans = isMeasured ? measured(timed) : derived(timed, graph);
  const started = job.started_at ? new Date(job.started_at).getTime() : null;
  const queuedMs = started === null ? 0 : Math.max(0, started - new Date(job.created_at).getTime());
  const ended = job.completed_at ? new Date(job.completed_at).getTime() : now;
  const ranMs = started === null ? 0 : Math.max(0, ended - started);
  const lastMs = Math.max(ranMs, ...Array.from(spans.values(), ({ to }) => to));
  // The axis begins with the submission.
  const busy = Array.from(spans.values(), ({ from, to }): Span => ({ from: from + queuedMs, to: to + queuedMs }));
  const totalMs = Math.max(1, queuedMs + lastMs);
  const scale = scaleOf(busy, totalMs);
  const rows = timed.map((node): TimelineRow => {
    const span = spans.get(node.node_id);
    if (span === undefined) return { node, from: null, to: null, waitedFrom: null, fromMs: null };
    return {
      node,
      from: scale.at(span.from + queuedMs),
      to: scale.at(span.to + queuedMs),
      waitedFrom: scale.at(queuedMs),
      fromMs: span.from,
    };
  });
  const last = Number.POSITIVE_INFINITY;
  const inOrder = rows.toSorted((one, other) => (one.fromMs ?? last) - (other.fromMs ?? last) || 0);
  return { rows: inOrder, breaks: scale.breaks, ticks: ticksOf(totalMs, scale), totalMs, isMeasured };
}

const tickSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const longSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400].map((s) => s * 1_000);
const ticksMax = 5;
// Room for a label such as "+1 min 25 s" beside its mark, the last one included.
const tickGap = 0.16;

// Round times, far enough apart to be readable, none of them inside a shortened stretch.
function ticksOf(totalMs: number, scale: ReturnType<typeof scaleOf>): readonly TimelineTick[] {
  const shownMs = totalMs - scale.breaks.reduce((sum, { ms }) => sum + ms, 0);
  const step = [...tickSteps, ...longSteps].find((ms) => shownMs / ms <= ticksMax) ?? 86_400_000;
  const ticks: TimelineTick[] = [{ at: 0, ms: 0 }];
  const first = Math.max(1, Math.ceil(totalMs / step) - 1_000);
  for (let count = first; count * step <= totalMs; count++) {
    const ms = count * step;
    const at = scale.at(ms);
    const isClear = scale.breaks.every((cut) => Math.abs(cut.at - at) > breakShare / 2);
    const hasRoom = at - (ticks.at(-1)?.at ?? 0) >= tickGap && at <= 1 - tickGap;
    if (isClear && hasRoom) ticks.push({ at, ms });
  }
  return ticks;
}

function measured(nodes: readonly JobNode[]): ReadonlyMap<string, Span> {
  return new Map(
    nodes.flatMap(({ node_id, began_ms, ms }) =>
      typeof began_ms === "number" ? [[node_id, { from: began_ms, to: began_ms + (ms ?? 0) }] as const] : [],
    ),
  );
}

// A node started when the last of its inputs had ended; the engine runs one node at a time, in graph order if nothing else
// decides.
function derived(nodes: readonly JobNode[], graph: Graph): ReadonlyMap<string, Span> {
  const needs = Map.groupBy(linksOf(graph), ({ to }) => to);
  const spans = new Map<string, Span>();
  const left = nodes.filter(({ ms }) => ms !== null);
  const waitingFor = new Set(left.map(({ node_id }) => node_id));
  let clock = 0;
  while (left.length > 0) {
    const ready = left.findIndex(({ node_id }) => !needs.get(node_id)?.some(({ from }) => waitingFor.has(from)));
    const [node] = left.splice(Math.max(0, ready), 1);
    if (node === undefined) break;
    spans.set(node.node_id, { from: clock, to: clock + (node.ms ?? 0) });
    clock += node.ms ?? 0;
    waitingFor.delete(node.node_id);
  }
  return spans;
}

// We shorten a stretch if nothing ran in it and it is longer than everything that ran together.
const breakShare = 0.06;

function scaleOf(busy: readonly Span[], totalMs: number): { at(ms: number): number; breaks: readonly TimelineBreak[] } {
  const merged = union(busy);
  const busyMs = merged.reduce((sum, { from, to }) => sum + to - from, 0);
  const edges = [{ from: 0, to: 0 }, ...merged, { from: totalMs, to: totalMs }];
  const longest = Math.max(1_000, busyMs);
  const idle = edges.slice(1).flatMap(({ from }, at) => {
    const begin = edges[at]?.to ?? 0;
    return from - begin > longest ? [{ from: begin, to: from }] : [];
  });
  const idleMs = idle.reduce((sum, { from, to }) => sum + to - from, 0);
  const shownMs = Math.max(1, totalMs - idleMs);
  const room = 1 - idle.length * breakShare;
  const at = (ms: number): number => {
    let shown = 0;
    let cut = 0;
    for (const { from, to } of idle) {
      if (ms <= from) break;
      const share = Math.min(1, (ms - from) / (to - from));
      shown += share * breakShare;
      cut += Math.min(ms, to) - from;
    }
    return Math.min(1, shown + ((ms - cut) / shownMs) * room);
  };
  return { at, breaks: idle.map(({ from, to }) => ({ at: at(from) + breakShare / 2, ms: to - from })) };
}

function union(spans: readonly Span[]): readonly Span[] {
  const sorted = spans.toSorted((one, other) => one.from - other.from);
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of sorted) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}
