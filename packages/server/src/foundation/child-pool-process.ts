// One child process of a pool: started with an empty environment, given one task at a time, killed with SIGKILL
// whenever a limit is broken. It can only take its own task with it.
import type { ChildProcess } from "node:child_process";
import { startProcess } from "@atelier/engine/own-code";
import type { ChildMessage, TaskMessage } from "./child-entry.ts";
import { ChildFailure } from "./child-pool-failure.ts";
import { residentMegabytes, watchMemory } from "./child-pool-memory.ts";

const startMsMax = 30_000;
const stderrCharactersMax = 4096;
// What a child takes before it does anything: the runtime (47 MB) and its watch thread (8 MB), rounded up.
const runtimeMegabytes = 64;

export interface TaskLimits {
  // Counted from the moment the child has the task; neither its start nor waiting in the queue count.
  readonly timeoutMs: number;
  // Aborting kills the child; the task is rejected with the signal's reason.
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: unknown) => void;
}

interface Hand<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (why: unknown) => void;
  readonly onEvent: ((event: unknown) => void) | undefined;
  readonly cleanups: (() => void)[];
}

export class Child<Task, Result> {
  // Resolves when the process has ended.
  readonly gone: Promise<void>;
  readonly #process: ChildProcess;
  readonly #memoryMegabytesMax: number;
  readonly #ready = Promise.withResolvers<void>();
  #alive = true;
  #hand: Hand<Result> | undefined;
  #stderr = "";

  constructor(entry: URL, memoryMegabytesMax: number) {
    this.#memoryMegabytesMax = memoryMegabytesMax;
    this.#process = startProcess(entry, {
      words: [`pool-parent=${process.pid}`],
      nodeFlags: [`--max-old-space-size=${memoryMegabytesMax}`],
      serialization: "advanced",
      errorOutput: "pipe",
    });
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrCharactersMax);
    });
    this.#process.on("message", (message) => {
      if (isChildMessage<Result>(message)) this.#receive(message);
    });
    this.gone = this.#watchEnd();
    this.#holdParent(false);
  }

  get alive(): boolean {
    return this.#alive;
  }

  run(task: Task, limits: TaskLimits): Promise<Result> {
    const outcome = Promise.withResolvers<Result>();
    const hand: Hand<Result> = {
      resolve: outcome.resolve,
      reject: outcome.reject,
      onEvent: limits.onEvent,
      cleanups: [],
    };
    this.#hand = hand;
    this.#holdParent(true);
    const started = this.#killAfter(
      hand,
      startMsMax,
      new ChildFailure("crashed", "The child process did not start in time."),
    );
    const abort = () => this.kill(limits.signal?.reason);
    limits.signal?.addEventListener("abort", abort, { once: true });
    hand.cleanups.push(() => limits.signal?.removeEventListener("abort", abort));
    this.#ready.promise.then(() => {
      started();
      if (this.#hand === hand) this.#give(hand, task, limits.timeoutMs);
    });
    return outcome.promise;
  }

  // Ends the process at once. The task in hand, if any, is rejected with `why`.
  kill(why: unknown): void {
    this.#alive = false;
    this.#process.kill("SIGKILL");
    this.#letGo()?.reject(why);
    // Whoever waits for `gone` must live to see it, also where nothing else keeps the program running.
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#holdParent(true);
  }

  // What the child holds beyond the runtime itself; 0 when it cannot be asked.
  async heldMegabytes(): Promise<number> {
    const resident = this.#process.pid === undefined ? null : await residentMegabytes(this.#process.pid);
    return Math.max(0, (resident ?? 0) - runtimeMegabytes);
  }

  #give(hand: Hand<Result>, task: Task, timeoutMs: number): void {
    const message: TaskMessage<Task> = { task };
    try {
      this.#process.send(message, () => {});
    } catch (cannotBeCloned) {
      this.#letGo()?.reject(cannotBeCloned);
      return;
    }
    this.#killAfter(hand, timeoutMs, new ChildFailure("timed_out", `The task took longer than ${timeoutMs} ms.`));
    const limit = this.#memoryMegabytesMax;
    const tooMuch = new ChildFailure("out_of_memory", `The task took more than ${limit} MB of memory.`);
    const pid = this.#process.pid;
    if (pid !== undefined) hand.cleanups.push(watchMemory(pid, limit + runtimeMegabytes, () => this.kill(tooMuch)));
  }

  // Returns how to call it off; the end of the task does that too.
  #killAfter(hand: Hand<Result>, ms: number, why: ChildFailure): () => void {
    const timer = setTimeout(() => this.kill(why), ms);
    const callOff = () => clearTimeout(timer);
    hand.cleanups.push(callOff);
    return callOff;
  }

  #receive(message: ChildMessage<Result>): void {
    if (message.kind === "ready") this.#ready.resolve();
    else if (message.kind === "event") this.#hand?.onEvent?.(message.event);
    else if (message.kind === "done") this.#letGo()?.resolve(message.result);
    else this.#letGo()?.reject(new ChildFailure("failed", message.message, { name: message.name }));
  }

  #letGo(): Hand<Result> | undefined {
    const hand = this.#hand;
    this.#hand = undefined;
    for (const cleanup of hand?.cleanups ?? []) cleanup();
    this.#holdParent(false);
    return hand;
  }

  async #watchEnd(): Promise<void> {
    const ended = Promise.withResolvers<string>();
    this.#process.on("error", (error) => ended.resolve(error.message));
    this.#process.on("close", (code, signal) => ended.resolve(signal ?? `exit code ${code}`));
    // Should something else hold the child's standard error open, its exit is enough.
    this.#process.on("exit", (code, signal) =>
      setTimeout(() => ended.resolve(signal ?? `exit code ${code}`), 500).unref(),
    );
    const how = await ended.promise;
    this.#alive = false;
    this.#letGo()?.reject(this.#failureAtEnd(how));
  }

  #failureAtEnd(how: string): ChildFailure {
    const outOfHeap = this.#stderr.includes("heap out of memory");
    return outOfHeap
      ? new ChildFailure("out_of_memory", `The task took more than ${this.#memoryMegabytesMax} MB of heap.`)
      : new ChildFailure("crashed", `The child process ended by itself (${how}).`, this.#stderr || undefined);
  }

  // A child without a task must not keep our own process running.
  #holdParent(hold: boolean): void {
    const { stderr, channel } = this.#process;
    const change = hold ? ("ref" as const) : ("unref" as const);
    this.#process[change]();
    channel?.[change]();
    if (stderr && "ref" in stderr && "unref" in stderr && typeof stderr[change] === "function") stderr[change]();
  }
}

function isChildMessage<Result>(message: unknown): message is ChildMessage<Result> {
  return typeof message === "object" && message !== null && "kind" in message;
}
