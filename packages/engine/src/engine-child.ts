// One child process and its current job. Whatever the child does, the job ends: by its own result, by a limit, or with the
// process. No other job is affected.
import { ChildFolder, type JobFolder } from "./child-folder.ts";
import type { EngineEvent, EngineFailure, EngineHost, EngineJob, EngineLimits, EngineResult } from "./engine-host.ts";
import type { ChildMessage, HostMessage } from "./engine-protocol.ts";
import { HostCalls } from "./host-calls.ts";
import type { Isolation } from "./isolation/open-isolation.ts";
import { ownEntry } from "./own-code.ts";
import { type ChildEnd, SupervisedChild } from "./supervised-child.ts";
import { type NodeWatch, watchNodes } from "./watch-node.ts";

const obeyMsMax = 1000;
// What a child needs before it does any work: runtime, watch thread and codec.
const runtimeMegabytes = 128;

interface ChildOptions {
  readonly scratchDirectory: string;
  readonly isolation: Isolation;
  readonly memoryMegabytesMax: number;
  // The memory a graph of this pool may hold unless its job says otherwise.
  readonly graphBytesUsual: number;
  readonly warn: (fields: Readonly<Record<string, unknown>>, message: string) => void;
}

interface Hand {
  readonly jobId: string;
  readonly host: EngineHost;
  readonly calls: HostCalls;
  readonly nodes: NodeWatch;
  readonly resolve: (result: EngineResult) => void;
  readonly cleanups: (() => void)[];
}

export class EngineChild {
  readonly process: SupervisedChild<ChildMessage, HostMessage>;
  // The scope of its last job: a later job of the same scope finds its results here.
  lastScope: string | null = null;
  // What it may still run: anything, jobs that share their process, or jobs of one scope.
  #serves: "any" | "shared" | { readonly scope: string | null } = "any";
  readonly #options: ChildOptions;
  readonly #folder: ChildFolder;
  // Why it was killed, for a job that arrives after that.
  #why: EngineFailure | null = null;
  #hand: Hand | null = null;

  constructor(options: ChildOptions) {
    this.#options = options;
    const entry = ownEntry("./engine-start", import.meta.url);
    this.#folder = new ChildFolder(options.scratchDirectory);
    const confinement = options.isolation.confine("engine", { entry, folder: this.#folder.path });
    this.#folder.isOpen = confinement.level === "process";
    this.process = new SupervisedChild({
      entry,
      confinement,
      nodeFlags: [
        `--max-old-space-size=${Math.max(256, Math.floor(options.memoryMegabytesMax / 2))}`,
        // Pictures live outside the heap; objects inside are short-lived and need not be collected every megabyte.
        "--max-semi-space-size=16",
      ],
      runtimeMegabytes,
      receive: (message) => this.#receive(message),
      late: () => this.kill(crashed("The engine did not start in time.")),
      ended: (end) => this.#ended(end),
    });
  }

  suits({ isAlone = false, cacheScope }: EngineJob): boolean {
    if (this.#serves === "any") return true;
    return this.#serves === "shared" ? !isAlone : isAlone && this.#serves.scope === (cacheScope ?? null);
  }

  async run(job: EngineJob, limits: EngineLimits, host: EngineHost, signal?: AbortSignal): Promise<EngineResult> {
    this.process.hold();
    this.lastScope = job.cacheScope ?? null;
    this.#serves = job.isAlone ? { scope: this.lastScope } : "shared";
    let folder: JobFolder | null = null;
    try {
      if (!(await this.process.ready)) return failed(this.#why ?? crashed("The engine did not start."));
      if (signal?.aborted) return { status: "canceled", metrics: null };
      folder = this.#folder.forJob();
      return await this.#give(job, limits, host, folder, signal);
    } finally {
      await folder?.empty();
      this.process.release();
    }
  }

  // Kills the process now. The current job, if any, fails with `why`, or counts as canceled if `why` is null.
  kill(why: EngineFailure | null): void {
    this.#why ??= why;
    this.process.kill();
    this.#end(why ? failed(why) : { status: "canceled", metrics: null });
  }

  retire(): void {
    this.kill(null);
  }

  #give(
    job: EngineJob,
    limits: EngineLimits,
    host: EngineHost,
    folder: JobFolder,
    signal?: AbortSignal,
  ): Promise<EngineResult> {
    const { promise, resolve } = Promise.withResolvers<EngineResult>();
    const warn = (thrown: unknown) =>
      this.#options.warn({ reason: String(thrown) }, "a host function of the engine failed");
    const calls = new HostCalls(host, folder, limits.inputBytes, warn);
    const nodes = watchNodes(limits.nodeSeconds, ({ nodeId, classType }) => {
      const message = `The node took longer than the ${limits.nodeSeconds} seconds allowed for ${classType}.`;
      this.kill({ code: "timed_out", message, nodeId, classType, isRetryable: false });
    });
    const hand: Hand = { jobId: job.id, host, calls, nodes, resolve, cleanups: [() => nodes.stop()] };
    this.#hand = hand;
    if (!this.process.isAlive) {
      this.#end(failed(this.#why ?? crashed("The engine stopped before the job began.")));
      return promise;
    }
    const { id, graph, pngInfo = null, cacheScope = null, outputs = null, declared = [] } = job;
    this.process.send({
      kind: "run",
      job: { id, graph, pngInfo, cacheScope, outputs, declared, limits },
      scratch: folder.scratch,
    });
    this.#watchLimits(hand, limits);
    const cancel = () => this.#cancel(hand);
    if (signal?.aborted) cancel();
    else signal?.addEventListener("abort", cancel, { once: true });
    hand.cleanups.push(() => signal?.removeEventListener("abort", cancel));
    return promise;
  }

  #watchLimits(hand: Hand, limits: EngineLimits): void {
    const late = { code: "timed_out", message: `The job took longer than ${limits.seconds} seconds.` } as const;
    const timer = setTimeout(() => this.kill({ ...nowhere, ...late }), limits.seconds * 1000);
    hand.cleanups.push(() => clearTimeout(timer));
    // A job whose graph may hold more than the pool's usual limit gets twice the difference as extra room.
    const moreBytes = Math.max(0, limits.memoryBytes - this.#options.graphBytesUsual);
    const memoryMegabytesMax = this.#options.memoryMegabytesMax + Math.ceil((2 * moreBytes) / 1024 / 1024);
    const message = `The job used more than ${memoryMegabytesMax} MiB of memory.`;
    const exceeded = () => this.kill({ ...nowhere, code: "out_of_memory", message });
    hand.cleanups.push(this.process.watchMemory(memoryMegabytesMax, exceeded));
  }

  // Asks first; kills the child if it has not stopped within a second.
  #cancel(hand: Hand): void {
    this.process.send({ kind: "cancel", jobId: hand.jobId });
    hand.calls.stop();
    const timer = setTimeout(() => this.kill(null), obeyMsMax);
    hand.cleanups.push(() => clearTimeout(timer));
  }

  #receive(message: ChildMessage): void {
    const hand = this.#hand;
    if (message.kind === "ready" || hand?.jobId !== message.jobId) return;
    if (message.kind === "done") this.#end(message.result);
    else if (message.kind === "event") this.#report(hand, message.event);
    else {
      void hand.calls.answer(message.call).then((answer) => {
        if (this.#hand === hand) this.process.send({ kind: "answer", callId: message.callId, answer });
      });
    }
  }

  // An error in the host's event handler must not cost the job.
  #report({ host, nodes }: Hand, event: EngineEvent): void {
    nodes.see(event);
    try {
      host.onEvent(event);
    } catch (thrown) {
      this.#options.warn({ reason: String(thrown) }, "an engine event could not be handled");
    }
  }

  #end(result: EngineResult): void {
    const hand = this.#hand;
    this.#hand = null;
    if (!hand) return;
    for (const cleanup of hand.cleanups) cleanup();
    hand.calls.stop();
    hand.resolve(result);
  }

  #ended({ how, wasKilled, isOutOfHeap, output }: ChildEnd): void {
    if (!wasKilled) this.#options.warn({ how, output }, "an engine process stopped unexpectedly");
    this.#folder.remove();
    const failure = isOutOfHeap
      ? ({ ...nowhere, code: "out_of_memory", message: "The job used more memory than allowed." } as const)
      : crashed("The engine process stopped while the job was running.");
    this.#end(failed(failure));
  }
}

export const nowhere = { nodeId: null, classType: null, isRetryable: false } as const;

function crashed(message: string): EngineFailure {
  return { ...nowhere, code: "engine_crashed", message, isRetryable: true };
}

export function failed(failure: EngineFailure): EngineResult {
  return { status: "failed", failure, metrics: null };
}
