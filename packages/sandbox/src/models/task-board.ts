// The queued models' tasks: QUEUED → RUNNING → SUCCEEDED | FAILED | REFUSED | CANCELLED, driven by timers that end with the server. Finished
// tasks are forgotten oldest first; running ones never.
import { randomUUID } from "node:crypto";
import { makeRoom } from "../http/bounded-store.ts";
import { sleep } from "../http/sleep.ts";
import { ExactNumber } from "./exact-json.ts";
import type { ModelInput } from "./read-input.ts";
import type { RunRecord, RunStatus } from "./run-records.ts";

type TaskStatus = Extract<RunStatus, "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "REFUSED" | "CANCELLED">;

export interface Task {
  readonly id: string;
  readonly model: string;
  readonly seedText: string;
  readonly createdAt: string;
  readonly record: RunRecord;
  readonly input: ModelInput;
  status: TaskStatus;
  startedMs: number;
  runSeconds: number;
  end: TaskEnd | null;
  readonly cancelling: AbortController;
}

interface TaskPace {
  readonly queueSeconds: number;
  readonly runSeconds: number;
}

const tasksMax = 5000;

export class TaskBoard {
  readonly #tasks = new Map<string, Task>();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  find(id: string): Task | null {
    return this.#tasks.get(id) ?? null;
  }

  // Null if too many tasks are unfinished.
  open(record: RunRecord, input: ModelInput): Task | null {
    if (!makeRoom(this.#tasks, tasksMax, ({ end }) => end !== null)) return null;
    const task: Task = {
      id: randomUUID(),
      model: record.model,
      seedText: input.seed.text,
      createdAt: new Date().toISOString(),
      record,
      input,
      status: "QUEUED",
      startedMs: 0,
      runSeconds: 0,
      end: null,
      cancelling: new AbortController(),
    };
    this.#tasks.set(task.id, task);
    record.taskId = task.id;
    record.status = "QUEUED";
    return task;
  }

  // Runs a task to its end. `simulate: hang` and `simulate_seconds` prolong the run; the work is done meanwhile.
  async drive(task: Task, pace: TaskPace, work: () => Promise<TaskEnd>, onStart: () => void): Promise<void> {
    const stopped = AbortSignal.any([this.#signal, task.cancelling.signal]);
    if ((await sleep(pace.queueSeconds, stopped)) === "woken") return;
    task.status = "RUNNING";
    task.startedMs = performance.now();
    task.runSeconds = pace.runSeconds;
    onStart();
    const [end, rest] = await Promise.all([endOf(work), sleep(pace.runSeconds, stopped)]);
    if (rest === "woken") return;
    task.end = end;
    task.status = end.status;
  }

  // False if it has ended. `used`: what this share of its run used; nothing while it waits.
  cancel(task: Task, used: (share: number) => object): boolean {
    if (task.end !== null) return false;
    const share = task.status === "QUEUED" ? 0 : (performance.now() - task.startedMs) / 1000 / task.runSeconds;
    task.end = { status: "CANCELLED", result: { usage: used(Math.min(1, share)) } };
    task.status = "CANCELLED";
    task.cancelling.abort();
    return true;
  }

  present(task: Task, statusUrl: string): object {
    const { result, error, usage }: Partial<TaskEnd> = task.end ?? {};
    const share = (performance.now() - task.startedMs) / 1000 / Math.max(0.001, task.runSeconds);
    return {
      id: task.id,
      model: task.model,
      status: task.status,
      status_url: statusUrl,
      created_at: task.createdAt,
      seed: new ExactNumber(task.seedText),
      ...(task.status === "RUNNING" && { progress: Math.min(0.99, Math.round(share * 100) / 100) }),
      ...(task.status === "SUCCEEDED" && { progress: 1 }),
      ...(result && { result }),
      ...(error && { error }),
      ...(usage && { usage }),
    };
  }
}

export interface TaskEnd {
  readonly status: Extract<TaskStatus, "SUCCEEDED" | "FAILED" | "REFUSED" | "CANCELLED">;
  readonly result?: object;
  readonly error?: { readonly code: string; readonly message: string };
  // Set for a refusal that was charged.
  readonly usage?: object;
}

async function endOf(work: () => Promise<TaskEnd>): Promise<TaskEnd> {
  try {
    return await work();
  } catch {
    return { status: "FAILED", error: { code: "generation_failed", message: "The result could not be generated." } };
  }
}
