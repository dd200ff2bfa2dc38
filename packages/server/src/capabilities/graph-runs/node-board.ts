// The state of each node of a running graph, as reported by the embedded engine or an application. A node goes waiting →
// running → done, cached or failed, and never back. Reports that are late, repeated or about unknown nodes change nothing.
// One board per attempt: the next attempt starts with all nodes waiting.
import type { NodeState } from "@atelier/contract";
import type { Clock } from "../../foundation/clock.ts";
import { type ClassTime, encodeNodes, type JobEnding, type NodeEntry } from "../jobs/index.ts";

export interface BoardNode {
  readonly id: string;
  readonly classType: string;
  readonly title: string | null;
}

interface Entry {
  readonly node: BoardNode;
  state: NodeState;
  share: number;
  // Null if it has not started.
  beganMs: number | null;
  // When another node started and this one was not heard of again. Null while it runs.
  leftMs: number | null;
  ms: number | null;
}

export type BoardClock = Pick<Clock, "monotonicMs" | "now">;

// How many nodes of a large graph fit into a picture.
const pictureNodesMax = 500;

export class NodeBoard {
  readonly #clock: BoardClock;
  readonly #beganMs: number;
  readonly #entries = new Map<string, Entry>();
  // Ordered by last change.
  readonly #changed = new Set<Entry>();
  readonly #running = new Set<Entry>();
  readonly #counts: Record<NodeState, number> = { waiting: 0, running: 0, cached: 0, done: 0, failed: 0 };
  readonly #classes = new Map<string, { ran: number; ms: number; cached: number }>();
  // Starts at the current time: if a process continues another one's attempt, its reports count as newer.
  #sequence: number;

  constructor(nodes: readonly BoardNode[], clock: BoardClock) {
    this.#clock = clock;
    this.#beganMs = clock.monotonicMs();
    this.#sequence = clock.now().getTime();
    for (const node of nodes) {
      this.#entries.set(node.id, {
        node,
        state: "waiting",
        share: 0,
        beganMs: null,
        leftMs: null,
        ms: null,
      });
    }
    this.#counts.waiting = this.#entries.size;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  begin(nodeId: string): void {
    const entry = this.#entries.get(nodeId);
    if (entry?.state === "running") entry.leftMs = null;
    if (entry?.state !== "waiting") return;
    entry.beganMs = this.#clock.monotonicMs();
    this.#running.add(entry);
    this.#become(entry, "running");
  }

  // A node that reports steps is running, whether or not its start was reported.
  advance(nodeId: string, share: number): void {
    this.begin(nodeId);
    const entry = this.#entries.get(nodeId);
    if (entry?.state !== "running") return;
    entry.leftMs = null;
    if (!(share > entry.share)) return;
    entry.share = Math.min(1, share);
    this.#touch(entry);
  }

  // Another node started. If nodes run one after the other, this one has ended, even if that is reported late or never.
  leave(nodeId: string): void {
    const entry = this.#entries.get(nodeId);
    if (entry?.state === "running") entry.leftMs ??= this.#clock.monotonicMs();
  }

  // `ms` is the time measured by the engine. If absent, we count from the reported start.
  finish(nodeId: string, ms?: number): void {
    this.#end(this.#entries.get(nodeId), "done", ms);
  }

  cached(nodeId: string): void {
    this.#end(this.#entries.get(nodeId), "cached");
  }

  fail(nodeId: string): void {
    this.#end(this.#entries.get(nodeId), "failed");
  }

  // Call at the end of the attempt: marks the node that failed, or all nodes as done if the graph succeeded.
  close(ending: JobEnding): void {
    if (ending.kind === "failed" && ending.problem.nodeId !== null) this.fail(ending.problem.nodeId);
    if (ending.kind === "succeeded") this.completeAll();
  }

  // For nodes whose end was not reported, the duration is unknown.
  completeAll(): void {
    for (const entry of this.#entries.values()) {
      const { beganMs, leftMs } = entry;
      this.#end(entry, "done", leftMs === null || beganMs === null ? null : leftMs - beganMs);
    }
  }

  picture(attempt: number): string {
    const classes: ClassTime[] = Array.from(this.#classes, ([classType, time]) => ({ classType, ...time }));
    const nodes = this.#shown().map((entry) => this.#describe(entry));
    return encodeNodes({ attempt, sequence: this.#sequence, counts: this.#counts, classes, nodes });
  }

  // All nodes if they fit, otherwise the most important ones.
  #shown(): Entry[] {
    if (this.#entries.size <= pictureNodesMax) return [...this.#entries.values()];
    const shown = new Set<Entry>();
    const take = (entries: Iterable<Entry>) => {
      for (const entry of entries) if (shown.size < pictureNodesMax) shown.add(entry);
    };
    const newest = [...this.#changed].reverse();
    take(newest.filter(({ state }) => state === "failed"));
    take(this.#running);
    take(newest);
    take(this.#entries.values());
    return [...shown];
  }

  #describe({ node, state, share, beganMs, ms }: Entry): NodeEntry {
    const isRunning = state === "running" && beganMs !== null;
    const soFar = isRunning ? Math.round(Math.max(0, this.#clock.monotonicMs() - beganMs)) : ms;
    const after = beganMs === null ? null : Math.round(Math.max(0, beganMs - this.#beganMs));
    const { id: nodeId, classType, title } = node;
    return { nodeId, classType, title, state, share, beganMs: after, ms: soFar };
  }

  #end(entry: Entry | undefined, state: "done" | "cached" | "failed", ms?: number | null): void {
    if (entry === undefined || (entry.state !== "waiting" && entry.state !== "running")) return;
    const endedMs = entry.leftMs ?? this.#clock.monotonicMs();
    const heardMs = entry.state === "running" && entry.beganMs !== null ? endedMs - entry.beganMs : null;
    const tookMs = state === "cached" ? null : ms === undefined ? heardMs : ms;
    entry.ms = tookMs === null ? null : Math.max(0, Math.round(tookMs));
    this.#running.delete(entry);
    if (state !== "failed") entry.share = 1;
    this.#count(entry, state);
    this.#become(entry, state);
  }

  #count({ node, ms }: Entry, state: NodeState): void {
    const time = this.#classes.get(node.classType) ?? { ran: 0, ms: 0, cached: 0 };
    if (state === "cached") time.cached += 1;
    else if (ms !== null) {
      time.ran += 1;
      time.ms += ms;
    }
    this.#classes.set(node.classType, time);
  }

  #become(entry: Entry, state: NodeState): void {
    this.#counts[entry.state] -= 1;
    this.#counts[state] += 1;
    entry.state = state;
    this.#touch(entry);
  }

  #touch(entry: Entry): void {
    this.#sequence += 1;
    this.#changed.delete(entry);
    this.#changed.add(entry);
  }
}
