// Runs foreign input in child processes that can be killed: an endless loop, a memory bomb or a crash ends one child
// and one task, never us. Children are started when first needed, reused, and ended when idle; waiting is first come,
// first served and bounded. After close() no process is left; if we are killed, the children end by themselves.
import { ownEntry } from "@atelier/engine/own-code";
import { ChildFailure } from "./child-pool-failure.ts";
import { Child, type TaskLimits } from "./child-pool-process.ts";
import { Fault } from "./fault.ts";
import type { Log } from "./log.ts";

export { ChildFailure, type ChildFailureKind } from "./child-pool-failure.ts";
export type { TaskLimits } from "./child-pool-process.ts";

export interface ChildPoolOptions {
  // See childEntry().
  readonly entry: URL;
  readonly size: number;
  // What a task may take beyond the bare runtime: JavaScript heap, and resident memory of any kind.
  readonly memoryMegabytesMax: number;
  readonly idleSecondsMax: number;
  // Tasks that may wait for a free child; default 1,000. One more is service_unavailable.
  readonly queueMax?: number;
  readonly log?: Pick<Log, "warn">;
}

export interface ChildPool<Task, Result> {
  // Task and result are structured-cloned. Rejects with ChildFailure, or with the signal's reason when aborted.
  run(task: Task, limits: TaskLimits): Promise<Result>;
  // Fails every task with kind `closed` and resolves when the last process has ended.
  close(): Promise<void>;
}

// The entry beside the caller, in the caller's own language: sources run sources, the built package runs itself.
export function childEntry(callerUrl: string, name: string): URL {
  return ownEntry(`./${name}`, callerUrl);
}

interface Waiting<Task, Result> {
  readonly task: Task;
  readonly limits: TaskLimits;
  readonly resolve: (result: Result) => void;
  readonly reject: (why: unknown) => void;
  readonly leaveQueue: () => void;
}

// What a child still holds after its task is counted against the next one, so a bloated child is replaced.
const reusableShareOfMemory = 0.6;

export function childPool<Task, Result>(options: ChildPoolOptions): ChildPool<Task, Result> {
  const pool = new Pool<Task, Result>(options);
  return { run: (task, limits) => pool.run(task, limits), close: () => pool.close() };
}

class Pool<Task, Result> {
  readonly #options: ChildPoolOptions;
  readonly #children = new Set<Child<Task, Result>>();
  readonly #idle = new Map<Child<Task, Result>, NodeJS.Timeout>();
  #queue: Waiting<Task, Result>[] = [];
  #closed = false;

  constructor(options: ChildPoolOptions) {
    this.#options = options;
  }

  run(task: Task, limits: TaskLimits): Promise<Result> {
    if (this.#closed) return Promise.reject(new ChildFailure("closed", "The pool is closed."));
    if (limits.signal?.aborted) return Promise.reject(limits.signal.reason);
    if (this.#queue.length >= (this.#options.queueMax ?? 1000))
      return Promise.reject(
        new Fault("service_unavailable", "Too much of this work is waiting. Try again shortly.", {
          retryAfterSeconds: 1,
        }),
      );
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const leaveQueue = () => {
      this.#queue = this.#queue.filter((other) => other !== waiting);
      reject(limits.signal?.reason);
    };
    const waiting: Waiting<Task, Result> = { task, limits, resolve, reject, leaveQueue };
    limits.signal?.addEventListener("abort", leaveQueue, { once: true });
    this.#queue.push(waiting);
    this.#serveNext();
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const closed = new ChildFailure("closed", "The pool was closed.");
    for (const waiting of this.#queue.splice(0)) waiting.reject(closed);
    for (const timer of this.#idle.values()) clearTimeout(timer);
    const children = [...this.#children];
    for (const child of children) child.kill(closed);
    await Promise.all(children.map((child) => child.gone));
  }

  #serveNext(): void {
    while (this.#queue.length > 0) {
      const child = this.#takeChild();
      if (!child) return;
      const waiting = this.#queue.shift();
      waiting?.limits.signal?.removeEventListener("abort", waiting.leaveQueue);
      if (waiting) this.#runOn(child, waiting);
    }
  }

  #takeChild(): Child<Task, Result> | null {
    for (const [child, timer] of this.#idle) {
      this.#idle.delete(child);
      clearTimeout(timer);
      if (child.alive) return child;
    }
    return this.#children.size < this.#options.size ? this.#startChild() : null;
  }

  #startChild(): Child<Task, Result> {
    const child = new Child<Task, Result>(this.#options.entry, this.#options.memoryMegabytesMax);
    this.#children.add(child);
    child.gone.then(() => {
      this.#children.delete(child);
      clearTimeout(this.#idle.get(child));
      this.#idle.delete(child);
      if (!this.#closed) this.#serveNext();
    });
    return child;
  }

  async #runOn(child: Child<Task, Result>, waiting: Waiting<Task, Result>): Promise<void> {
    try {
      waiting.resolve(await child.run(waiting.task, waiting.limits));
    } catch (why) {
      if (why instanceof ChildFailure && why.kind !== "failed" && why.kind !== "closed")
        this.#options.log?.warn({ kind: why.kind, reason: why.message, output: why.cause }, "a child process was lost");
      waiting.reject(why);
    }
    await this.#retireOrKeep(child);
  }

  async #retireOrKeep(child: Child<Task, Result>): Promise<void> {
    const heldMegabytes = child.alive ? await child.heldMegabytes() : 0;
    if (!child.alive || this.#closed) return;
    if (heldMegabytes > this.#options.memoryMegabytesMax * reusableShareOfMemory) {
      child.kill(undefined);
      return;
    }
    const timer = setTimeout(() => {
      this.#idle.delete(child);
      child.kill(undefined);
    }, this.#options.idleSecondsMax * 1000);
    timer.unref();
    this.#idle.set(child, timer);
    this.#serveNext();
  }
}
