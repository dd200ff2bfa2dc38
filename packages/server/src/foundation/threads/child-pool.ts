// Runs untrusted input in child processes that can be killed: an endless loop, a memory bomb or a crash ends one child and one
// task, never our process. Children are started when first needed, reused, and ended when idle. The queue is first come, first
// served and bounded. After close() no process is left; if we are killed, the children exit on their own.
import { ChildPool as Children } from "@atelier/engine/child-pool";
import type { Confinement } from "@atelier/engine/isolation";
import { ownEntry } from "@atelier/engine/own-code";
import { Fault } from "../fault.ts";
import type { Log } from "../log.ts";
import { ChildFailure } from "./child-pool-failure.ts";
import { TaskChild, type TaskLimits } from "./child-pool-process.ts";

export { ChildFailure, type ChildFailureKind } from "./child-pool-failure.ts";
export type { TaskLimits } from "./child-pool-process.ts";

export interface ChildPoolOptions {
  // See childEntry().
  readonly entry: URL;
  readonly size: number;
  // Memory for a task beyond the bare runtime: JavaScript heap, and resident memory of any kind.
  readonly memoryMegabytesMax: number;
  readonly idleSecondsMax: number;
  // How many tasks may wait for a free child; default 1,000. Beyond that, service_unavailable.
  readonly queueMax?: number;
  readonly log?: Pick<Log, "warn">;
  // How each child is walled off; called for each. A process of its own and nothing more if absent.
  readonly confine?: () => Confinement;
}

export interface ChildPool<Task, Result> {
  // Task and result are structured-cloned. Rejects with ChildFailure, or with the signal's reason if aborted.
  run(task: Task, limits: TaskLimits): Promise<Result>;
  // Fails every task with kind `closed` and resolves when the last process has ended.
  close(): Promise<void>;
}

// The entry file next to the caller, in the same form: sources run sources, and the built package runs itself.
export function childEntry(callerUrl: string, name: string): URL {
  return ownEntry(`./${name}`, callerUrl);
}

export function childPool<Task, Result>(options: ChildPoolOptions): ChildPool<Task, Result> {
  const { entry, size, memoryMegabytesMax, idleSecondsMax, queueMax = 1000, log, confine } = options;
  const start = () => new TaskChild<Task, Result>(entry, memoryMegabytesMax, confine?.());
  const pool = new Children<TaskChild<Task, Result>, Result>({ size, memoryMegabytesMax, idleSecondsMax, start });
  const closed = new ChildFailure("closed", "The pool was closed.");

  async function runOn(child: TaskChild<Task, Result>, task: Task, limits: TaskLimits): Promise<Result> {
    try {
      return await child.run(task, limits);
    } catch (why) {
      if (why instanceof ChildFailure && why.kind !== "failed" && why.kind !== "closed")
        log?.warn({ kind: why.kind, reason: why.message, output: why.cause }, "a child process was lost");
      throw why;
    }
  }

  return {
    async run(task, limits) {
      if (pool.waiting >= queueMax && !limits.signal?.aborted) throw tooMuchWaits();
      return pool.run({
        signal: limits.signal,
        run: (child) => runOn(child, task, limits),
        notRun(why) {
          throw why === "closed" ? closed : limits.signal?.reason;
        },
      });
    },
    close: () => pool.close((child) => child.kill(closed)),
  };
}

function tooMuchWaits(): Fault {
  const words = "Too much of this work is waiting. Try again shortly.";
  return new Fault("service_unavailable", words, { retryAfterSeconds: 1 });
}
