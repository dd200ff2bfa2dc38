// One child process of a pool. It gets one task at a time and is killed when it breaks a limit, which costs only its own task.
import { type ChildEnd, SupervisedChild } from "@atelier/engine/child-pool";
import type { Confinement } from "@atelier/engine/isolation";
import type { ChildMessage, TaskMessage } from "./child-entry.ts";
import { ChildFailure } from "./child-pool-failure.ts";

// The memory of a child before it does anything: the runtime (47 MB) and its watch thread (8 MB), rounded up.
const runtimeMegabytes = 64;

export interface TaskLimits {
  // Counted from the moment the child has the task. Starting the child and waiting in the queue do not count.
  readonly timeoutMs: number;
  // Aborting kills the child, and the task is rejected with the signal's reason.
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: unknown) => void;
}

interface Hand<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (why: unknown) => void;
  readonly onEvent: ((event: unknown) => void) | undefined;
  readonly cleanups: (() => void)[];
}

export class TaskChild<Task, Result> {
  readonly process: SupervisedChild<ChildMessage<Result>, TaskMessage<Task>>;
  readonly #memoryMegabytesMax: number;
  #hand: Hand<Result> | undefined;

  constructor(entry: URL, memoryMegabytesMax: number, confinement?: Confinement) {
    this.#memoryMegabytesMax = memoryMegabytesMax;
    this.process = new SupervisedChild({
      entry,
      words: [`pool-parent=${process.pid}`],
      nodeFlags: [`--max-old-space-size=${memoryMegabytesMax}`],
      ...(confinement === undefined ? {} : { confinement }),
      runtimeMegabytes,
      receive: (message) => this.#receive(message),
      late: () => this.kill(new ChildFailure("crashed", "The child process did not start in time.")),
      ended: (end) => this.#letGo()?.reject(this.#failureAtEnd(end)),
    });
  }

  run(task: Task, { signal, onEvent, timeoutMs }: TaskLimits): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const abort = () => this.kill(signal?.reason);
    const cleanups = [() => this.process.release(), () => signal?.removeEventListener("abort", abort)];
    const hand = { resolve, reject, onEvent, cleanups };
    this.#hand = hand;
    this.process.hold();
    signal?.addEventListener("abort", abort, { once: true });
    void this.process.ready.then((isReady) => {
      if (isReady && this.#hand === hand) this.#give(hand, task, timeoutMs);
    });
    return promise;
  }

  // Kills the process. A running task is rejected with `why`.
  kill(why: unknown): void {
    this.process.kill();
    this.#letGo()?.reject(why);
  }

  retire(): void {
    this.kill(undefined);
  }

  #give(hand: Hand<Result>, task: Task, timeoutMs: number): void {
    try {
      this.process.send({ task });
    } catch (cannotBeCloned) {
      this.#letGo()?.reject(cannotBeCloned);
      return;
    }
    const late = new ChildFailure("timed_out", `The task took longer than ${timeoutMs} ms.`);
    const timer = setTimeout(() => this.kill(late), timeoutMs);
    const limit = this.#memoryMegabytesMax;
    const tooMuch = new ChildFailure("out_of_memory", `The task took more than ${limit} MiB of memory.`);
    const stopWatching = this.process.watchMemory(limit, () => this.kill(tooMuch));
    hand.cleanups.push(() => clearTimeout(timer), stopWatching);
  }

  #receive(message: ChildMessage<Result>): void {
    if (message.kind === "event") this.#hand?.onEvent?.(message.event);
    else if (message.kind === "done") this.#letGo()?.resolve(message.result);
    else if (message.kind === "failed")
      this.#letGo()?.reject(new ChildFailure("failed", message.message, { name: message.name }));
  }

  #letGo(): Hand<Result> | undefined {
    const hand = this.#hand;
    this.#hand = undefined;
    for (const cleanup of hand?.cleanups ?? []) cleanup();
    return hand;
  }

  #failureAtEnd({ how, isOutOfHeap, output }: ChildEnd): ChildFailure {
    return isOutOfHeap
      ? new ChildFailure("out_of_memory", `The task took more than ${this.#memoryMegabytesMax} MiB of heap.`)
      : new ChildFailure("crashed", `The child process exited unexpectedly (${how}).`, output || undefined);
  }
}
