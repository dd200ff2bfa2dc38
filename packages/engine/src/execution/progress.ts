// A job's progress: every node has a weight, the running one counts by its steps. The value never decreases. We report the start
// of a node immediately, with everything that ended before it: many nodes compute in one go, so a delayed report would arrive
// after they have ended. Steps and ends are reported at most every 100 ms.
import type { EngineProgress } from "../engine-host.ts";

export interface ProgressNode {
  readonly id: string;
  readonly classType: string;
  readonly weight: number;
}

const emitEveryMs = 100;

export class ProgressMeter {
  readonly #total: number;
  readonly #nodesTotal: number;
  readonly #emit: (progress: EngineProgress) => void;
  readonly #now: () => number;
  #doneWeight = 0;
  #nodesDone = 0;
  #current: ProgressNode | null = null;
  #step: number | null = null;
  #steps: number | null = null;
  #value = 0;
  #emittedAt = Number.NEGATIVE_INFINITY;
  #heldBack: NodeJS.Timeout | null = null;

  constructor(nodes: readonly ProgressNode[], emit: (progress: EngineProgress) => void, now: () => number) {
    this.#total = Math.max(
      nodes.reduce((sum, node) => sum + node.weight, 0),
      Number.MIN_VALUE,
    );
    this.#nodesTotal = nodes.length;
    this.#emit = emit;
    this.#now = now;
  }

  start(node: ProgressNode): void {
    this.#current = node;
    this.#step = null;
    this.#steps = null;
    this.#reportNow(false);
  }

  step(step: number, steps: number): void {
    if (steps <= 1) return;
    this.#step = step;
    this.#steps = steps;
    const sinceMs = this.#now() - this.#emittedAt;
    if (sinceMs < emitEveryMs) this.#holdBack(emitEveryMs - sinceMs);
    else this.#reportNow(false);
  }

  finish(node: ProgressNode): void {
    this.#doneWeight += node.weight;
    this.#nodesDone += 1;
    if (this.#current?.id === node.id) this.#current = null;
    if (this.#nodesDone === this.#nodesTotal) this.#reportNow(true);
    else this.#holdBack(emitEveryMs);
  }

  // Nothing is reported after the end of the job.
  close(): void {
    if (this.#heldBack) clearTimeout(this.#heldBack);
    this.#heldBack = null;
  }

  #holdBack(ms: number): void {
    this.#heldBack ??= setTimeout(() => this.#reportNow(false), ms).unref();
  }

  #reportNow(isLast: boolean): void {
    this.close();
    this.#emittedAt = this.#now();
    const running = this.#current && this.#step !== null && this.#steps ? this.#step / this.#steps : 0;
    const value = (this.#doneWeight + running * (this.#current?.weight ?? 0)) / this.#total;
    this.#value = isLast ? 1 : Math.max(this.#value, Math.min(value, 1));
    const steps = this.#steps === null ? "" : ` ${this.#step}/${this.#steps}`;
    this.#emit({
      value: this.#value,
      nodesDone: this.#nodesDone,
      nodesTotal: this.#nodesTotal,
      currentNode: this.#current?.id ?? null,
      currentNodeClass: this.#current?.classType ?? null,
      step: this.#current ? this.#step : null,
      steps: this.#current ? this.#steps : null,
      message: this.#current ? `${this.#current.classType}${steps}` : null,
    });
  }
}
