// How far a graph has come, over the submitted nodes that will run. The application reports only nodes that have started
// and nodes it created itself on the way (expansions), so progress by its own lists would jump back and forth. Ours never
// falls: every node counts by its weight, running ones by their steps, cached ones as done.
import { classIn, type NodeBoard, neededNodes, titleIn } from "../../graph-runs/index.ts";
import type { JobProgress } from "../../jobs/index.ts";
import { isRecord, type JsonRecord, memberOf } from "../line/json-record.ts";
import type { ApplicationEvent, NodeProgress } from "../line/read-frame.ts";

export interface ProgressNode {
  readonly id: string;
  readonly classType: string;
  readonly weight: number;
  readonly title: string | null;
}

const stepsMax = 1_000;

// The nodes that the outputs need. If `isOutput` is null, the classes are unknown and every node counts.
export function progressNodes(graph: JsonRecord, isOutput: ((classType: string) => boolean) | null): ProgressNode[] {
  const ids = neededNodes(graph, isOutput ?? (() => true));
  return ids.map((id) => ({
    id,
    classType: classIn(graph[id]),
    weight: weightOf(graph, id),
    title: titleIn(graph[id]),
  }));
}

function inputsOf(graph: JsonRecord, id: string): JsonRecord {
  const node = memberOf(graph, id);
  const inputs = isRecord(node) ? memberOf(node, "inputs") : undefined;
  return isRecord(inputs) ? inputs : {};
}

// A sampler of 20 steps is most of its graph.
function weightOf(graph: JsonRecord, id: string): number {
  const steps = memberOf(inputsOf(graph, id), "steps");
  return 1 + (typeof steps === "number" && steps > 1 ? Math.min(Math.trunc(steps), stepsMax) : 0);
}

interface Tally {
  readonly node: ProgressNode;
  // From 0 to 1, never falls.
  share: number;
  isDone: boolean;
  hasFailed: boolean;
  // Nodes that the application created in place of this one.
  readonly parts: Set<string>;
  readonly partsDone: Set<string>;
}

const messageCharactersMax = 200;
// The most that expansions alone can complete of a node, because we do not know how many more will come.
const partsShareMax = 0.9;
const partsMax = 10_000;

export class GraphProgress {
  readonly #tallies: ReadonlyMap<string, Tally>;
  readonly #weightTotal: number;
  #value = 0;
  #current: Tally | null = null;
  // The node that started last.
  #executing: Tally | null = null;
  #step: number | null = null;
  #steps: number | null = null;
  #text: string | null = null;

  readonly #board: NodeBoard;

  constructor(nodes: readonly ProgressNode[], board: NodeBoard) {
    this.#board = board;
    this.#tallies = new Map(
      nodes.map((node) => [
        node.id,
        { node, share: 0, isDone: false, hasFailed: false, parts: new Set(), partsDone: new Set() },
      ]),
    );
    this.#weightTotal = nodes.reduce((sum, { weight }) => sum + weight, 0);
  }

  // The submitted node that a node id of the run belongs to: itself, or the one it was expanded from.
  submittedNode(nodeId: string, ...others: readonly (string | null)[]): string | null {
    for (const id of [nodeId, ...others]) if (id !== null && this.#tallies.has(id)) return id;
    // Expansions are named after their origin: `5.0.0.2` and `5:2` came from `5`.
    for (let cut = nodeId.length - 1; cut > 0; cut--) {
      const isCut = nodeId[cut] === "." || nodeId[cut] === ":";
      if (isCut && this.#tallies.has(nodeId.slice(0, cut))) return nodeId.slice(0, cut);
    }
    return null;
  }

  // True if there is something new to report.
  apply(event: ApplicationEvent): boolean {
    switch (event.kind) {
      case "cached":
        for (const id of event.nodes) {
          // Set this before counting it as done, because the first status stays.
          this.#board.cached(id);
          this.#finish(this.#tallies.get(id));
        }
        return event.nodes.length > 0;
      case "executing": {
        const tally = this.#tallyOf(event.nodeId, event.displayNodeId);
        if (tally !== null && this.#executing !== null && this.#executing !== tally)
          this.#board.leave(this.#executing.node.id);
        this.#executing = tally ?? this.#executing;
        return this.#begin(tally);
      }
      case "progress_state":
        for (const node of event.nodes) this.#applyNode(node);
        return event.nodes.length > 0;
      case "progress": {
        const tally = event.nodeId === null ? this.#current : this.#tallyOf(event.nodeId);
        return tally !== null && this.#advance(tally, event.value, event.max);
      }
      case "executed":
        this.#finish(this.#tallies.get(event.nodeId));
        return true;
      case "failed": {
        const failed = event.failure.nodeId === null ? null : this.#tallyOf(event.failure.nodeId);
        if (failed === null || failed.isDone) return false;
        failed.hasFailed = true;
        this.#board.fail(failed.node.id);
        return true;
      }
      case "text":
        if (this.#tallyOf(event.nodeId) !== this.#current || this.#current === null) return false;
        this.#text =
          event.text
            .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
            .trim()
            .slice(0, messageCharactersMax) || null;
        return true;
      default:
        return false;
    }
  }

  finish(): void {
    this.#board.completeAll();
    for (const tally of this.#tallies.values()) this.#finish(tally);
    this.#current = null;
  }

  snapshot(): JobProgress {
    const tallies = [...this.#tallies.values()];
    const nodesDone = tallies.filter(({ isDone }) => isDone).length;
    const weight = tallies.reduce((sum, { node, share }) => sum + node.weight * share, 0);
    const value = nodesDone === tallies.length ? 1 : weight / Math.max(this.#weightTotal, 1);
    this.#value = Math.max(this.#value, Math.min(1, value));
    const current = this.#current?.node ?? null;
    const steps = this.#steps === null ? "" : ` ${this.#step}/${this.#steps}`;
    return {
      value: this.#value,
      nodesDone,
      nodesTotal: tallies.length,
      currentNode: current?.id ?? null,
      currentNodeClass: current?.classType ?? null,
      step: current && this.#step,
      steps: current && this.#steps,
      message: current && (this.#text ?? `${current.classType}${steps}`),
    };
  }

  #tallyOf(nodeId: string, ...others: readonly (string | null)[]): Tally | null {
    const id = this.submittedNode(nodeId, ...others);
    return id === null ? null : (this.#tallies.get(id) ?? null);
  }

  #applyNode(progress: NodeProgress): void {
    const tally = this.#tallyOf(progress.nodeId, progress.displayNodeId, progress.realNodeId);
    if (tally === null) return;
    if (tally.node.id !== progress.nodeId) this.#applyPart(tally, progress);
    else if (progress.state === "finished") this.#finish(tally);
    else if (progress.state === "running") this.#advance(tally, progress.value, progress.max);
  }

  #applyPart(tally: Tally, { nodeId, state, value, max }: NodeProgress): void {
    if (tally.parts.size < partsMax) tally.parts.add(nodeId);
    if (state === "finished" && tally.parts.has(nodeId)) tally.partsDone.add(nodeId);
    tally.share = Math.max(tally.share, partsShareMax * (tally.partsDone.size / (tally.parts.size + 1)));
    if (!tally.isDone) this.#board.advance(tally.node.id, tally.share);
    if (state === "running") this.#show(tally, value, max);
  }

  #advance(tally: Tally, value: number, max: number): boolean {
    if (tally.isDone) return false;
    if (max > 0) tally.share = Math.max(tally.share, Math.min(1, Math.max(0, value / max)));
    this.#board.advance(tally.node.id, tally.share);
    this.#show(tally, value, max);
    return true;
  }

  #show(tally: Tally, value: number, max: number): void {
    this.#begin(tally);
    if (max <= 1) return;
    this.#steps = Math.min(Math.ceil(max), Number.MAX_SAFE_INTEGER);
    this.#step = Math.min(Math.max(0, Math.floor(value)), this.#steps);
  }

  #begin(tally: Tally | null): boolean {
    if (tally === null || tally.isDone || tally === this.#current) return false;
    this.#board.begin(tally.node.id);
    this.#current = tally;
    this.#step = null;
    this.#steps = null;
    this.#text = null;
    return true;
  }

  #finish(tally: Tally | undefined): void {
    if (tally === undefined || tally.isDone || tally.hasFailed) return;
    this.#board.finish(tally.node.id);
    tally.share = 1;
    tally.isDone = true;
    if (this.#current === tally) this.#current = null;
  }
}
