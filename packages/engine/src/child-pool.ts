// Several child processes, each with one task at a time. They start when first needed (or by `warm`), are reused, and end when
// idle; waiting tasks are served in order. A child that dies takes its task with it and is replaced when the next task needs
// one, so a child that cannot start costs one task at a time and is not restarted in a loop.
import type { Supervised } from "./supervised-child.ts";

export { type ChildEnd, SupervisedChild } from "./supervised-child.ts";

export interface PooledChild {
  readonly process: Supervised;
  // Ends a child that has no task.
  retire(): void;
}

export interface PoolTask<Child, Result> {
  readonly signal: AbortSignal | undefined;
  // Whether a child may run the task at all; by default every one may.
  suits?(child: Child): boolean;
  // Which of the idle children the task prefers; by default the first.
  choose?(idle: readonly Child[]): Child | undefined;
  run(child: Child): Promise<Result>;
  // The signal fired, or the pool was closed, before a child was free. Returns the result, or throws.
  notRun(why: "aborted" | "closed"): Result;
}

export interface PoolOptions<Child> {
  readonly size: number;
  readonly memoryMegabytesMax: number;
  // An idle child is ended after this long; 0 keeps it forever.
  readonly idleSecondsMax: number;
  start(): Child;
}

interface Waiting<Child, Result> {
  readonly task: PoolTask<Child, Result>;
  readonly resolve: (result: Promise<Result>) => void;
  readonly leave: () => void;
}

// Memory that a child still holds after its task counts against the next one, so we replace a bloated child.
const reusableShareOfMemory = 0.6;

export class ChildPool<Child extends PooledChild, Result> {
  readonly #options: PoolOptions<Child>;
  readonly #children = new Set<Child>();
  readonly #idle = new Map<Child, NodeJS.Timeout | undefined>();
  // Ended to make room for a task that none of the idle ones suited.
  readonly #leaving = new Set<Child>();
  #queue: Waiting<Child, Result>[] = [];
  #isWarm = false;
  #isClosed = false;

  constructor(options: PoolOptions<Child>) {
    this.#options = options;
  }

  // Children that could take a task now.
  get free(): number {
    const busy = this.#children.size - this.#idle.size;
    return this.#isClosed ? 0 : Math.max(0, this.#options.size - busy - this.#queue.length);
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get processIds(): readonly number[] {
    return [...this.#children].flatMap(({ process: { isAlive, id } }) => (isAlive && id !== null ? [id] : []));
  }

  async run(task: PoolTask<Child, Result>): Promise<Result> {
    if (this.#isClosed) return task.notRun("closed");
    if (task.signal?.aborted) return task.notRun("aborted");
    const { promise, resolve } = Promise.withResolvers<Result>();
    const leave = () => {
      this.#queue = this.#queue.filter((other) => other !== waiting);
      resolve(notRun(task, "aborted"));
    };
    const waiting = { task, resolve, leave };
    task.signal?.addEventListener("abort", leave, { once: true });
    this.#queue.push(waiting);
    this.#serveNext();
    return promise;
  }

  // Starts all children now, and keeps them.
  async warm(): Promise<void> {
    this.#isWarm = true;
    while (this.#children.size < this.#options.size && !this.#isClosed) this.#rest(this.#start());
    await Promise.all([...this.#children].map((child) => child.process.ready));
  }

  // Ends the waiting tasks first, then the children, each by `kill`; resolves when the last process has ended.
  async close(kill: (child: Child) => void): Promise<void> {
    this.#isClosed = true;
    for (const { task, resolve, leave } of this.#queue.splice(0)) {
      task.signal?.removeEventListener("abort", leave);
      resolve(notRun(task, "closed"));
    }
    for (const timer of this.#idle.values()) clearTimeout(timer);
    const children = [...this.#children];
    for (const child of children) kill(child);
    await Promise.all(children.map((child) => child.process.gone));
  }

  #serveNext(): void {
    for (let [next] = this.#queue; next; [next] = this.#queue) {
      const child = this.#take(next.task);
      if (!child) return;
      this.#queue.shift();
      next.task.signal?.removeEventListener("abort", next.leave);
      void this.#runOn(child, next);
    }
  }

  #take(task: PoolTask<Child, Result>): Child | null {
    const resting = [...this.#idle.keys()].filter((known) => known.process.isAlive);
    const idle = resting.filter((known) => task.suits?.(known) ?? true);
    const child = task.choose?.(idle) ?? idle[0];
    if (child) {
      this.#forgetIdle(child);
      return child;
    }
    if (this.#children.size < this.#options.size) return this.#start();
    this.#makeRoom(resting[0]);
    return null;
  }

  // The task goes on when the child is gone. One leaves for each task that waits, and no more.
  #makeRoom(child: Child | undefined): void {
    if (child === undefined || this.#leaving.size >= this.#queue.length) return;
    this.#leaving.add(child);
    this.#forgetIdle(child);
    child.retire();
  }

  #start(): Child {
    const child = this.#options.start();
    this.#children.add(child);
    void child.process.gone.then(() => this.#replace(child));
    return child;
  }

  #replace(child: Child): void {
    this.#children.delete(child);
    this.#leaving.delete(child);
    const wasIdle = this.#forgetIdle(child);
    if (this.#isClosed) return;
    // Do not restart a child that cannot even start unless there is a task.
    if (this.#isWarm && !wasIdle && this.#children.size < this.#options.size) this.#rest(this.#start());
    this.#serveNext();
  }

  async #runOn(child: Child, { task, resolve }: Waiting<Child, Result>): Promise<void> {
    const result = task.run(child);
    await result.catch(() => undefined);
    // Release the child before reporting the result, so that the next caller finds it free.
    const heldMegabytes = child.process.isAlive ? await child.process.heldMegabytes() : 0;
    if (child.process.isAlive && !this.#isClosed) {
      if (heldMegabytes > this.#options.memoryMegabytesMax * reusableShareOfMemory) child.retire();
      else this.#rest(child);
    }
    resolve(result);
    this.#serveNext();
  }

  #rest(child: Child): void {
    const seconds = this.#options.idleSecondsMax;
    if (this.#isWarm || seconds === 0) {
      this.#idle.set(child, undefined);
      return;
    }
    const timer = setTimeout(() => {
      this.#idle.delete(child);
      child.retire();
    }, seconds * 1000);
    timer.unref();
    this.#idle.set(child, timer);
  }

  #forgetIdle(child: Child): boolean {
    clearTimeout(this.#idle.get(child));
    return this.#idle.delete(child);
  }
}

async function notRun<Child, Result>(task: PoolTask<Child, Result>, why: "aborted" | "closed"): Promise<Result> {
  return task.notRun(why);
}
