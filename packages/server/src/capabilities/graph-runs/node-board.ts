// What each node of a running graph is doing, from whatever tells: the embedded engine or an application. A node goes
// waiting → running → done, cached or failed, and never back; what comes late, twice or about nodes that the graph does
// not have changes nothing. One board for each attempt: the next attempt begins with all of them waiting.
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
  // Null: it has not begun.
  beganMs: number | null;
  // When something else was begun and it was not heard of again; null: it goes on.
  leftMs: number | null;
  ms: number | null;
}

export type BoardClock = Pick<Clock, "monotonicMs" | "now">;

// The nodes of a large graph that a picture has room for.
const pictureNodesMax = 500;

export class NodeBoard {
  readonly #clock: BoardClock;
  readonly #beganMs: number;
  readonly #entries = new Map<string, Entry>();
  // In the order in which they changed last.
  readonly #changed = new Set<Entry>();
  readonly #running = new Set<Entry>();
  readonly #counts: Record<NodeState, number> = { waiting: 0, running: 0, cached: 0, done: 0, failed: 0 };
  readonly #classes = new Map<string, { ran: number; ms: number; cached: number }>();
  // Calls whose charge was counted: the same call may be answered twice.
  // Begins with the time: a process that goes on with the attempt of another tells anew, and is the newer one.
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

  // A node whose steps are told runs, whether or not its beginning was heard.
  advance(nodeId: string, share: number): void {
    this.begin(nodeId);
    const entry = this.#entries.get(nodeId);
    if (entry?.state !== "running") return;
    entry.leftMs = null;
    if (!(share > entry.share)) return;
    entry.share = Math.min(1, share);
    this.#touch(entry);
  }

  // Another node is begun. Where one runs after the other this one has ended, though it may be told late or never.
  leave(nodeId: string): void {
    const entry = this.#entries.get(nodeId);
    if (entry?.state === "running") entry.leftMs ??= this.#clock.monotonicMs();
  }

  // `ms`: as the one who ran it measured it; absent: since its beginning was heard.
  finish(nodeId: string, ms?: number): void {
    this.#end(this.#entries.get(nodeId), "done", ms);
  }

  cached(nodeId: string): void {
    this.#end(this.#entries.get(nodeId), "cached");
  }

  fail(nodeId: string): void {
    this.#end(this.#entries.get(nodeId), "failed");
  }

  // With the end of the attempt: the node that failed is named, and of a graph that succeeded every node is done.
  close(ending: JobEnding): void {
    if (ending.kind === "failed" && ending.problem.nodeId !== null) this.fail(ending.problem.nodeId);
    if (ending.kind === "succeeded") this.completeAll();
  }

  // Of nodes whose end was not heard it is not known how long they took.
  completeAll(): void {
    for (const entry of this.#entries.values()) {
      const { beganMs, leftMs } = entry;
      this.#end(entry, "done", leftMs === null || beganMs === null ? null : leftMs - beganMs);
    }
  }

  picture(attempt: number): string {
    const classes: ClassTime[] = Array.from(this.#classes, ([classType, time]) => ({ classType, ...time }));
    const nodes = this.#shown().map((entry) => this.#told(entry));
    return encodeNodes({ attempt, sequence: this.#sequence, counts: this.#counts, classes, nodes });
  }

  // All of them, else those that matter most.
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

  #told({ node, state, share, beganMs, ms }: Entry): NodeEntry {
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
