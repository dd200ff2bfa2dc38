// When to ask about which task: an in-memory timing wheel with ticks of a tenth of a second. A look that finds nothing
// new writes nothing. A process that dies loses only the plan, and the next owner of its shards makes a new one.
import type { TaskState } from "../partners/index.ts";
import type { TaskId } from "./task.ts";
import type { OpenTask } from "./task-store.ts";

export interface Planned {
  readonly task: OpenTask;
  state: TaskState;
  waitMs: number;
  failures: number;
  slot: number;
  // True while we are asking about it.
  isAsked: boolean;
}

const tickMs = 100;

export class PollPlan {
  readonly #planned = new Map<TaskId, Planned>();
  readonly #wheel = new Map<number, Set<Planned>>();
  #next = 0;

  constructor(nowMs: number) {
    this.#next = Math.floor(nowMs / tickMs);
  }

  get size(): number {
    return this.#planned.size;
  }

  has(id: TaskId): boolean {
    return this.#planned.has(id);
  }

  get(id: TaskId): Planned | undefined {
    return this.#planned.get(id);
  }

  ids(): IterableIterator<TaskId> {
    return this.#planned.keys();
  }

  add(task: OpenTask, dueMs: number, waitMs: number): void {
    if (this.#planned.has(task.id)) return;
    const planned = { task, state: task.state, waitMs, failures: 0, slot: 0, isAsked: false };
    this.#planned.set(task.id, planned);
    this.#schedule(planned, dueMs);
  }

  remove(id: TaskId): void {
    const planned = this.#planned.get(id);
    if (!planned) return;
    this.#planned.delete(id);
    this.#wheel.get(planned.slot)?.delete(planned);
  }

  // Takes out at most `count` tasks that are due; the rest stay due.
  due(nowMs: number, count: number): Planned[] {
    const last = Math.floor(nowMs / tickMs);
    const found: Planned[] = [];
    while (this.#next <= last && found.length < count) {
      const slot = this.#wheel.get(this.#next);
      for (const planned of slot ?? []) {
        if (found.length >= count) return found;
        slot?.delete(planned);
        planned.isAsked = true;
        found.push(planned);
      }
      this.#wheel.delete(this.#next);
      this.#next += 1;
    }
    return found;
  }

  // After a look, or if it was taken out but could not be asked about.
  again(planned: Planned, dueMs: number): void {
    planned.isAsked = false;
    if (this.#planned.get(planned.task.id) === planned) this.#schedule(planned, dueMs);
  }

  #schedule(planned: Planned, dueMs: number): void {
    planned.slot = Math.max(this.#next, Math.ceil(dueMs / tickMs));
    const slot = this.#wheel.get(planned.slot) ?? new Set();
    this.#wheel.set(planned.slot, slot.add(planned));
  }
}
