// The partners' tasks: created → running → completed | failed, on timers that end with the server. This file applies faults and
// manual moves; each partner has its own names for the states. Ended tasks are forgotten oldest first.
import { randomUUID } from "node:crypto";
import { makeRoom } from "../http/bounded-store.ts";
import { sleep } from "../http/sleep.ts";
import type { RunRecord } from "../models/run-records.ts";
import { type FaultOrder, faultSecondsMax } from "./faults.ts";
import type { PartnerSlug } from "./sandbox-partners.ts";

export type Stage = "created" | "running" | "completed" | "failed";

interface CallbackRecord {
  readonly webhook_id: string;
  readonly status: string;
  readonly attempt: number;
  readonly response_status: number | null;
  readonly at: string;
}

// The request before it was parsed.
interface Arrival {
  readonly sha256: string;
  readonly bytes: number;
  // The seed's digits as in the body.
  readonly seedText: string | null;
}

export interface PartnerTask {
  readonly id: string;
  readonly partner: PartnerSlug;
  readonly tool: string;
  readonly createdAt: string;
  readonly record: RunRecord;
  readonly order: FaultOrder;
  readonly arrival: Arrival;
  readonly webhookUrl: URL | null;
  // What the partner repeats of the request in its answers.
  readonly echo: Readonly<Record<string, unknown>>;
  readonly callbacks: CallbackRecord[];
  readonly history: { readonly status: Stage; readonly at: string }[];
  reads: number;
  stage: Stage;
  endedAt: string | null;
  outcome: Outcome | null;
  // The stage of a manual move; wakes whatever waits for it.
  handTo: Stage | null;
  wake: (() => void) | null;
}

export interface Outcome {
  readonly urls: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

interface PartnerPace {
  readonly createdSeconds: number;
  readonly runSeconds: number;
}

const tasksMax = 20_000;
const failureOrdered: Outcome = {
  urls: [],
  error: { code: "generation_failed", message: "The generation failed. Simulated." },
};

export class PartnerTasks {
  readonly #tasks = new Map<string, PartnerTask>();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  find(partner: PartnerSlug | null, id: string): PartnerTask | null {
    const task = this.#tasks.get(id);
    return task && (partner === null || task.partner === partner) ? task : null;
  }

  of(reference: string): readonly PartnerTask[] {
    return [...this.#tasks.values()].filter((task) => task.record.reference === reference);
  }

  // Null if too many are open.
  open(
    opening: Pick<PartnerTask, "partner" | "tool" | "record" | "order" | "arrival" | "webhookUrl" | "echo">,
  ): PartnerTask | null {
    if (!makeRoom(this.#tasks, tasksMax, ({ endedAt }) => endedAt !== null)) return null;
    const createdAt = new Date().toISOString();
    const task: PartnerTask = {
      ...opening,
      id: randomUUID(),
      createdAt,
      callbacks: [],
      history: [{ status: "created", at: createdAt }],
      reads: 0,
      stage: "created",
      endedAt: null,
      outcome: null,
      handTo: null,
      wake: null,
    };
    this.#tasks.set(task.id, task);
    task.record.taskId = task.id;
    return task;
  }

  forget(task: PartnerTask): void {
    this.#tasks.delete(task.id);
  }

  // False if it is not waiting for a manual move.
  move(task: PartnerTask, to: Stage): boolean {
    if (!task.wake) return false;
    task.handTo = to;
    task.wake();
    return true;
  }

  // Runs a task to its end and reports every change. A result exists before its state does.
  async drive(
    task: PartnerTask,
    pace: PartnerPace,
    work: () => Promise<Outcome>,
    changed: (task: PartnerTask) => void,
  ): Promise<void> {
    const { faults, seconds } = task.order;
    const isByHand = faults.has("stuck") || faults.has("held");
    if (faults.has("held")) await this.#handed(task, ["running", "completed", "failed"]);
    else if ((await sleep(pace.createdSeconds, this.#signal)) === "woken") return;
    if (!faults.has("skip") && (task.handTo ?? "running") === "running") this.#step(task, "running", changed);
    // A task that waits for a manual move costs nothing: its work begins when it is moved.
    if (isByHand) await this.#handed(task, ["completed", "failed"]);
    const runSeconds = faults.has("slow") ? (seconds ?? faultSecondsMax) : pace.runSeconds;
    const isVain = faults.has("task_failed") || faults.has("lost") || task.handTo === "failed";
    const [made] = await Promise.all([
      isVain ? failureOrdered : outcomeOf(work),
      isByHand ? undefined : sleep(runSeconds, this.#signal),
    ]);
    if (this.#signal.aborted) return;
    if (faults.has("lost")) return this.forget(task);
    task.outcome = made;
    this.#step(task, task.outcome.error ? "failed" : "completed", changed);
  }

  #step(task: PartnerTask, stage: Stage, changed: (task: PartnerTask) => void): void {
    const at = new Date().toISOString();
    task.stage = stage;
    task.history.push({ status: stage, at });
    if (stage === "completed" || stage === "failed") task.endedAt = at;
    changed(task);
  }

  // Waits until the task was moved by hand to one of the stages; closing the server also ends the wait.
  async #handed(task: PartnerTask, stages: readonly Stage[]): Promise<void> {
    while (!this.#signal.aborted && !(task.handTo && stages.includes(task.handTo))) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = () => resolve();
      task.wake = wake;
      this.#signal.addEventListener("abort", wake, { once: true });
      await promise;
      this.#signal.removeEventListener("abort", wake);
    }
    task.wake = null;
  }
}

async function outcomeOf(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : "The result could not be generated.";
    return { urls: [], error: { code: "generation_failed", message } };
  }
}
