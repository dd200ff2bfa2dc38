// The one function that changes a task. An observation by a read, a callback or the poller goes through one transaction:
// it locks the row, applies the rules, and writes the new state, its number, the notice for the caller's webhook and the
// end of the call with its money, all together or not at all. Concurrent observations share the transaction.
import type { Clock } from "../../foundation/clock.ts";
import { type Database, type GroupCommit, groupCommit, type Queryable } from "../../foundation/database/index.ts";
import { trustedId } from "../../foundation/ids.ts";
import { storedTrace, type Tracer } from "../../foundation/tracing/index.ts";
import {
  type CallEnding,
  type Calls,
  type ItemResult,
  runBatch,
  type StoredCall,
  unwrap,
  usageOf,
} from "../calls/index.ts";
import { noticeOf, type Partner, renderView } from "../partners/index.ts";
import { charge, type Prices } from "../prices/index.ts";
import type { ProviderMeter } from "../providers/index.ts";
import { type Notice, noticeBytesMax, type Webhooks } from "../webhooks/index.ts";
import { type CallbackEvent, eventKey, takeCallbacks } from "./callback-store.ts";
import { isEnded, nextState, type Observation, outcomeOf, ownErrors } from "./next-step.ts";
import type { Task, TaskId } from "./task.ts";
import { findAnyTask, type LockedTask, lockTasks, writeTasks } from "./task-store.ts";

export interface ChangeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calls: Pick<Calls, "find" | "finishWithin" | "settled">;
  readonly prices: Pick<Prices, "get">;
  readonly webhooks: Pick<Webhooks, "enqueue" | "wake">;
  readonly providerMeter: ProviderMeter;
  // No traces if null or absent.
  readonly tracer?: Tracer | null;
  partnerOf(slug: string): Partner | null;
  changed(task: Task): void;
}

export interface Seen {
  readonly taskId: TaskId;
  readonly observation: Observation;
  // Set for a callback. An event that has already counted changes nothing.
  readonly event?: CallbackEvent;
}

// Resolves to the task afterwards. Null if there is none.
export type ObserveTask = (seen: Seen) => Promise<Task | null>;

export function taskObserver(deps: ChangeDeps): { observe: ObserveTask; close(): Promise<void> } {
  const observing: GroupCommit<Seen, ItemResult<Task | null>> = groupCommit({
    maxBatch: 64,
    inFlight: 2,
    run: (batch) => runBatch(batch, (some) => changeAll(deps, some)),
  });
  return { observe: async (seen) => unwrap(await observing(seen)), close: () => observing.close() };
}

async function changeAll(deps: ChangeDeps, batch: readonly Seen[]): Promise<(Task | null)[]> {
  const settling = await settlingOf(deps, batch);
  const done = await deps.database.transaction((tx) => changeWithin(deps, tx, batch, settling));
  deps.webhooks.wake(done.told);
  deps.calls.settled([...done.settled]);
  for (const task of done.changes.values()) deps.changed(task);
  for (const { task, outcome, ms } of done.ended) {
    deps.providerMeter.ended("task", task.partner, outcome, ms);
    traceEnd(deps, task, outcome, settling.get(task.id));
  }
  return batch.map(({ taskId }) => done.changes.get(taskId) ?? done.tasks.get(taskId) ?? null);
}

// Recorded in the trace of the request that started the task, from start to end, no matter which process saw the end.
function traceEnd({ tracer = null }: ChangeDeps, task: Task, outcome: string, settled: Settling | undefined): void {
  const after = tracer === null ? null : storedTrace(settled?.call.context);
  if (tracer === null || after === null) return;
  const { id, partner, operation, createdAt, endedAt } = task;
  const attributes = { "atelier.partner": partner, "atelier.call_id": id, "atelier.outcome": outcome };
  const name = `task ${partner}/${operation}`;
  const span = tracer.begin({ name, kind: "client", after, startMs: createdAt.getTime(), attributes });
  if (task.state === "failed") span.failed(outcome);
  span.end(endedAt?.getTime() ?? null);
}

async function changeWithin(
  deps: ChangeDeps,
  tx: Queryable,
  batch: readonly Seen[],
  settling: ReadonlyMap<TaskId, Settling>,
) {
  const tasks = await lockTasks(
    tx,
    batch.map(({ taskId }) => taskId),
  );
  const events = batch.flatMap(({ event }) => (event ? [event] : []));
  const fresh = events.length === 0 ? new Set<string>() : await takeCallbacks(tx, events);
  const changes = new Map<TaskId, LockedTask>();
  const endings: CallEnding[] = [];
  const ended: { task: Task; outcome: string; ms: number }[] = [];
  const notices: Notice[] = [];
  const now = deps.clock.now();
  for (const seen of batch) {
    const before = changes.get(seen.taskId) ?? tasks.get(seen.taskId);
    const partner = before && deps.partnerOf(before.partner);
    if (!before || !partner || (seen.event && !fresh.delete(eventKey(seen.event)))) continue;
    const task = changedBy(partner, before, seen.observation, now);
    if (task === null) continue;
    changes.set(task.id, task);
    if (isEnded(task.state)) {
      const outcome = outcomeOf(task.state, seen.observation);
      ended.push({ task, outcome, ms: now.getTime() - task.createdAt.getTime() });
      const known = settling.get(task.id);
      if (known) endings.push(buildEnding(task, outcome, known));
    }
    const type = typeOf(task.state);
    if (type !== null && (task.webhookUrl !== null || task.endpointTypes?.includes(type)))
      notices.push(notice(partner, task, type));
  }
  const changed = [...changes.values()];
  if (changed.length > 0) await writeTasks(tx, changed);
  const told = await deps.webhooks.enqueue(tx, notices);
  // Wallets last, because everything a workspace does shares them.
  const settled = endings.length === 0 ? new Set<TaskId>() : await deps.calls.finishWithin(tx, endings);
  return { tasks, changes, told, settled, ended };
}

function changedBy(partner: Partner, task: LockedTask, observation: Observation, now: Date): LockedTask | null {
  const state = nextState(task.state, observation);
  if (state === null) return null;
  const endedAt = isEnded(state) ? now : null;
  const reading = observation.kind === "reading" ? observation.reading : null;
  const body = renderView(partner.definition, {
    id: task.id,
    state,
    answer: reading?.answer ?? null,
    echo: task.echo,
    error: state === "failed" ? errorOf(observation) : null,
    createdAt: task.createdAt,
    endedAt,
  });
  return { ...task, state, sequence: task.sequence + 1, body, endedAt };
}

function errorOf(observation: Observation) {
  return observation.kind === "reading" ? observation.reading.error : ownErrors[observation.kind];
}

// A task is created before anything changes about it.
function typeOf(state: Task["state"]): Notice["type"] | null {
  return state === "created" ? null : `partner_task.${state}`;
}

function notice(partner: Partner, task: LockedTask, type: Notice["type"]): Notice {
  const body = noticeOf(partner.definition, task.body, task.sequence);
  const { shown } = partner.definition.states[task.state];
  // Too large for any receiver, so we send only what happened; the receiver can read the rest.
  const small = Buffer.from(JSON.stringify({ task_id: task.id, id: task.id, status: shown, sequence: task.sequence }));
  return {
    workspaceId: task.workspaceId,
    subjectId: task.id,
    sequence: task.sequence,
    url: task.webhookUrl,
    type,
    facts: { tags: task.tags, model: `${task.partner}/${task.operation}` },
    body: body.byteLength <= noticeBytesMax ? body : small,
  };
}

interface Settling {
  readonly call: StoredCall;
  readonly charge: bigint;
  readonly status: number;
}

// What the calls that may end now will cost, by the price they began with. Read before the transaction, because none of
// it ever changes.
async function settlingOf(deps: ChangeDeps, batch: readonly Seen[]): Promise<ReadonlyMap<TaskId, Settling>> {
  const ending = batch.filter(
    ({ observation }) => observation.kind !== "reading" || isEnded(observation.reading.state),
  );
  const settling = new Map<TaskId, Settling>();
  for (const { taskId } of ending) {
    const call = settling.has(taskId) ? null : await deps.calls.find(taskId);
    if (call === null || call.state !== "open") continue;
    const record = call.priceRecordId === null ? null : await deps.prices.get(trustedId(call.priceRecordId));
    const task = await findAnyTask(deps.database, taskId);
    const operation = task && deps.partnerOf(task.partner)?.operations.get(task.operation)?.operation;
    settling.set(taskId, {
      call,
      charge: record ? charge(record.price, call.pricedInput) : call.hold,
      status: operation?.status ?? 200,
    });
  }
  return settling;
}

// The key keeps answering what it answered first, no matter how the task ended.
function buildEnding(task: Task, outcome: string, { call, charge: cost, status }: Settling): CallEnding {
  const isDone = task.state === "completed";
  return {
    call,
    state: "finished",
    outcome,
    charge: isDone ? cost : 0n,
    answer: {
      status,
      headers: { "content-type": "application/json; charset=utf-8" },
      body: Buffer.from(task.firstBody),
    },
    usage: usageOf(call, status),
  };
}
