// The partner has accepted a task. One statement parks the call (open, its hold kept, not followed otherwise) and writes
// the task's row, from which on the task is looked after. Tasks that start at the same time share the statement.
import type { Clock } from "../../foundation/clock.ts";
import { CommitUnknown, type Database, type GroupCommit, groupCommit } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Calls, type ItemResult, runBatch, unwrap } from "../calls/index.ts";
import { type Partner, renderView, type TaskReading } from "../partners/index.ts";
import type { TaskContext, TaskId } from "./task.ts";
import { acceptTasks, type NewTask, type OpenTask } from "./task-store.ts";

export interface AcceptDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calls: Pick<Calls, "settled">;
  // Called once the task must be looked after.
  accepted(task: OpenTask): void;
}

export interface AcceptTask {
  readonly id: TaskId;
  readonly workspaceId: NewTask["workspaceId"];
  readonly partner: Partner;
  readonly operation: string;
  readonly partnerTaskId: string;
  readonly context: TaskContext;
  // Null if all we know is that the partner has it.
  readonly reading: TaskReading | null;
}

export interface TaskAcceptor {
  // Returns the task as written. Null if the call has ended in the meantime, so the task has no owner.
  accept(task: AcceptTask): Promise<NewTask | null>;
  close(): Promise<void>;
}

const triesMax = 12;

export function taskAcceptor(deps: AcceptDeps): TaskAcceptor {
  const accepting: GroupCommit<NewTask, ItemResult<boolean>> = groupCommit({
    maxBatch: 64,
    inFlight: 2,
    run: (batch) => runBatch(batch, (some) => acceptAll(deps, some)),
  });
  return {
    async accept(request) {
      const task = newTask(request);
      const isOpen = await insisting(deps, async () => unwrap(await accepting(task)));
      if (!isOpen) return null;
      // Wakes requests that wait for the same key.
      deps.calls.settled([task.id]);
      deps.accepted({ ...task, state: "created" });
      return task;
    },
    close: () => accepting.close(),
  };
}

async function acceptAll({ database }: AcceptDeps, batch: readonly NewTask[]): Promise<boolean[]> {
  const open = await acceptTasks(database, batch);
  return batch.map(({ id }) => open.has(id));
}

// The partner is already working, so we wait out a short database outage. Writing it twice has the same effect as once.
async function insisting<T>({ clock }: AcceptDeps, store: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await store();
    } catch (error) {
      const isPassing = error instanceof Fault || error instanceof CommitUnknown;
      if (!isPassing || tries >= triesMax) throw error;
      await clock.sleep(Math.min(2_000, 100 * 2 ** tries));
    }
  }
}

function newTask({ id, workspaceId, partner, operation, partnerTaskId, context, reading }: AcceptTask): NewTask {
  const createdAt = new Date(context.createdAt);
  const { definition } = partner;
  return {
    id,
    workspaceId,
    partner: definition.partner,
    operation,
    partnerTaskId,
    webhookUrl: context.webhookUrl,
    echo: context.echo,
    retryKey: context.retryKey,
    createdAt,
    longestRunSeconds: definition.longest_run_seconds,
    firstBody: renderView(definition, {
      id,
      state: "created",
      answer: reading?.answer ?? null,
      echo: context.echo,
      error: null,
      createdAt,
      endedAt: null,
    }),
  };
}
