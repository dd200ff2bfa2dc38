// Several engine children, each with one job at a time. Waiting is first come, first served; a job goes to the child
// that last worked for its scope if that one is free, because its results are there.
import { tmpdir } from "node:os";
import { EngineChild } from "./engine-child.ts";
import {
  defaultLimits,
  type EngineFailure,
  type EngineHost,
  type EngineJob,
  type EngineLimits,
  type EnginePool,
  type EnginePoolOptions,
  type EngineResult,
} from "./engine-host.ts";

// What a child still holds after a job counts against the next one, so a bloated child is replaced.
const reusableShareOfMemory = 0.6;
const memoryMegabytesMaxDefault = 2048;
const idleSecondsMaxDefault = 300;

export function openEnginePool(options: EnginePoolOptions): EnginePool {
  return new Pool(options);
}

interface Waiting {
  readonly job: EngineJob;
  readonly host: EngineHost;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: EngineResult) => void;
  readonly leave: () => void;
}

const closedFailure: EngineFailure = {
  code: "engine_closed",
  message: "The engine was stopped.",
  nodeId: null,
  classType: null,
  isRetryable: true,
};

class Pool implements EnginePool {
  readonly size: number;
  readonly #options: EnginePoolOptions;
  readonly #memoryMegabytesMax: number;
  readonly #children = new Set<EngineChild>();
  readonly #idle = new Map<EngineChild, NodeJS.Timeout | null>();
  #queue: Waiting[] = [];
  #isWarm = false;
  #isClosed = false;

  constructor(options: EnginePoolOptions) {
    this.size = options.size;
    this.#options = options;
    this.#memoryMegabytesMax = options.memoryMegabytesMax ?? memoryMegabytesMaxDefault;
  }

  get free(): number {
    return this.#isClosed ? 0 : Math.max(0, this.size - (this.#children.size - this.#idle.size) - this.#queue.length);
  }

  get processIds(): readonly number[] {
    return [...this.#children].flatMap((child) => (child.isAlive && child.processId !== null ? [child.processId] : []));
  }

  run(job: EngineJob, host: EngineHost, signal?: AbortSignal): Promise<EngineResult> {
    if (this.#isClosed) return Promise.resolve({ status: "failed", failure: closedFailure, metrics: null });
    if (signal?.aborted) return Promise.resolve({ status: "canceled", metrics: null });
    const { promise, resolve } = Promise.withResolvers<EngineResult>();
    const leave = () => {
      this.#queue = this.#queue.filter((other) => other !== waiting);
      resolve({ status: "canceled", metrics: null });
    };
    const waiting: Waiting = { job, host, signal, resolve, leave };
    signal?.addEventListener("abort", leave, { once: true });
    this.#queue.push(waiting);
    this.#serveNext();
    return promise;
  }

  async warm(): Promise<void> {
    this.#isWarm = true;
    while (this.#children.size < this.size && !this.#isClosed) this.#rest(this.#start());
    await Promise.all([...this.#children].map((child) => child.ready));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#queue.splice(0)) {
      waiting.signal?.removeEventListener("abort", waiting.leave);
      waiting.resolve({ status: "failed", failure: closedFailure, metrics: null });
    }
    for (const timer of this.#idle.values()) if (timer) clearTimeout(timer);
    const children = [...this.#children];
    for (const child of children) child.kill(closedFailure);
    await Promise.all(children.map((child) => child.gone));
  }

  #serveNext(): void {
    for (let [next] = this.#queue; next; [next] = this.#queue) {
      const child = this.#take(next.job.cacheScope ?? null);
      if (!child) return;
      this.#queue.shift();
      next.signal?.removeEventListener("abort", next.leave);
      void this.#runOn(child, next);
    }
  }

  #take(scope: string | null): EngineChild | null {
    const idle = [...this.#idle.keys()].filter((child) => child.isAlive);
    const own = idle.find((known) => scope !== null && known.lastScope === scope);
    const child = own ?? idle.find((known) => known.lastScope === null) ?? idle[0];
    if (child) {
      const timer = this.#idle.get(child);
      if (timer) clearTimeout(timer);
      this.#idle.delete(child);
      return child;
    }
    return this.#children.size < this.size ? this.#start() : null;
  }

  #start(): EngineChild {
    const child = new EngineChild({
      scratchDirectory: this.#options.scratchDirectory ?? tmpdir(),
      memoryMegabytesMax: this.#memoryMegabytesMax,
      graphBytesUsual: this.#options.limits?.memoryBytes ?? defaultLimits.memoryBytes,
      warn: (fields, message) => this.#options.log?.warn(fields, message),
    });
    this.#children.add(child);
    void child.gone.then(() => this.#replace(child));
    return child;
  }

  #replace(child: EngineChild): void {
    this.#children.delete(child);
    const timer = this.#idle.get(child);
    if (timer) clearTimeout(timer);
    const wasIdle = this.#idle.delete(child);
    if (this.#isClosed) return;
    // A child that cannot even start is not started again and again without a job.
    if (this.#isWarm && !wasIdle && this.#children.size < this.size) this.#rest(this.#start());
    this.#serveNext();
  }

  async #runOn(child: EngineChild, waiting: Waiting): Promise<void> {
    const result = await this.#resultOf(child, waiting);
    // Settled before it is told, so that the next job of this scope finds the child free.
    const heldMegabytes = child.isAlive ? await child.heldMegabytes() : 0;
    if (child.isAlive && !this.#isClosed) {
      if (heldMegabytes > this.#memoryMegabytesMax * reusableShareOfMemory) child.kill(null);
      else this.#rest(child);
    }
    waiting.resolve(result);
    this.#serveNext();
  }

  async #resultOf(child: EngineChild, { job, host, signal }: Waiting): Promise<EngineResult> {
    const limits: EngineLimits = { ...defaultLimits, ...this.#options.limits, ...job.limits };
    try {
      return await child.run(job, limits, host, signal);
    } catch (thrown) {
      this.#options.log?.warn({ reason: String(thrown) }, "an engine job could not be run");
      const message = "The engine could not run the job.";
      return { status: "failed", failure: { ...closedFailure, code: "engine_crashed", message }, metrics: null };
    }
  }

  #rest(child: EngineChild): void {
    const seconds = this.#options.idleSecondsMax ?? idleSecondsMaxDefault;
    if (this.#isWarm || seconds === 0) {
      this.#idle.set(child, null);
      return;
    }
    const timer = setTimeout(() => {
      this.#idle.delete(child);
      child.kill(null);
    }, seconds * 1000);
    timer.unref();
    this.#idle.set(child, timer);
  }
}
