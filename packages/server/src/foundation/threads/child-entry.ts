// The child's side of child-pool.ts: answers tasks one by one and never outlives its parent.
// Two safeguards ensure that: the closed channel ends a waiting child, and a watch thread ends one that is stuck in a loop and
// cannot notice that the channel closed. Stop signals are left to the parent: Ctrl-C reaches the whole process group, and a
// running task belongs to the drain.
import { dieWithParent, keepCompiledCode } from "@atelier/engine/own-code";

export interface TaskMessage<Task> {
  readonly task: Task;
}

export type ChildMessage<Result> =
  | { readonly kind: "ready" }
  | { readonly kind: "event"; readonly event: unknown }
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly name: string; readonly message: string };

export interface TaskContext {
  // Sends something to the parent's `onEvent` while the task runs.
  emit(event: unknown): void;
}

export type TaskHandler<Task, Result> = (task: Task, context: TaskContext) => Result | Promise<Result>;

// True in a process that a pool started: its first argument is the parent's pid.
export function isPoolChild(): boolean {
  return process.send !== undefined && parentPid() !== null;
}

// Call once, at the end of the entry file. If a handler throws, its task fails and the child continues.
export function serveTasks<Task, Result>(handler: TaskHandler<Task, Result>): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit(0));
  const parent = parentPid();
  if (parent !== null) dieWithParent(parent);

  const context: TaskContext = { emit: (event) => send({ kind: "event", event }) };
  process.on("message", async (message) => {
    if (!isTaskMessage<Task>(message)) return;
    try {
      send({ kind: "done", result: await handler(message.task, context) });
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      send({ kind: "failed", name: error.name, message: error.message });
    }
  });
  send({ kind: "ready" });
  keepCompiledCode();
}

function send(message: ChildMessage<unknown>): void {
  process.send?.(message);
}

function isTaskMessage<Task>(message: unknown): message is TaskMessage<Task> {
  return typeof message === "object" && message !== null && "task" in message;
}

function parentPid(): number | null {
  const argument = process.argv[2] ?? "";
  return /^pool-parent=\d+$/.test(argument) ? Number(argument.slice("pool-parent=".length)) : null;
}
