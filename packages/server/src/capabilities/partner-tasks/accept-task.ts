// The partner has taken a task: from now on there is a row that is looked after. In one statement the call is
// parked (open, its hold kept, not followed otherwise) and the task written; tasks that begin at once share it.
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
  // It must be looked after from now on.
  accepted(task: OpenTask): void;
}

export interface AcceptTask {
  readonly id: TaskId;
  readonly workspaceId: NewTask["workspaceId"];
  readonly partner: Partner;
  readonly operation: string;
  readonly partnerTaskId: string;
  readonly context: TaskContext;
  // Null: all that is known is that the partner has it.
  readonly reading: TaskReading | null;
}

export interface TaskAcceptor {
  // The task as it was written. Null: the call has ended meanwhile, and the task has no owner.
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
      // Wakes those who wait for the same key.
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

// The partner works already, so a database that is away for a moment is waited for. Doing it twice is doing it once.
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
