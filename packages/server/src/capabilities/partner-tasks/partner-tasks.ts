// Builds the capability of tasks at partners. How money and notices stay correct no matter which process dies when:
//   1. begin   One transaction of calls: key, hold, slot, intent, and the context that another process would need.
//   2. submit  The partner gets the caller's bytes, with our address in place of theirs, and our id as reference.
//   3. accept  One statement writes the task's row and parks the call: open, its hold kept, not followed.
//   4. change  One transaction per change of state, no matter what saw it first (read, callback, poller): the locked
//              row, its next number, the notice for the caller's webhook and, at the end, the end of the call: charge
//              or release, usage row, the key's answer. Nothing is left to settle later, so nothing can get lost.
// If the process dies in 1 or before, nothing happened. Between 1 and 3, the next owner of the call finds the context,
// asks the partner if that is possible, and accepts late; a callback in the meantime does the same. If no one can tell,
// the call ends unknown and unpaid. Between 3 and 4, the row exists, and the next poller of its shard continues. Between
// 4 and the sending of the notice, the notice is in the outbox of webhooks. Seeing a change twice applies it once,
// because states only move forward under the row's lock.
import type { Background } from "../../foundation/background.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { CallFollowing } from "../calls/index.ts";
import type { Partner } from "../partners/index.ts";
import type { Prices } from "../prices/index.ts";
import type { RefusedCredential } from "../providers/index.ts";
import type { KeyRing } from "../secrets/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { taskAcceptor } from "./accept-task.ts";
import { callbackAddresses } from "./callback-address.ts";
import { taskObserver } from "./change-tasks.ts";
import { followSubmissions } from "./follow-submissions.ts";
import { createPoller } from "./poller.ts";
import { type ReadTask, taskReader } from "./read-task.ts";
import { retryRecognition } from "./retry-recognition.ts";
import { type StartDeps, type Started, type StartTask, startTask } from "./start-task.ts";
import { type PartnerCallback, takeCallback } from "./take-callback.ts";
import type { Task, TaskId } from "./task.ts";
import { computeTaskCharge } from "./task-charge.ts";
import { createTaskHousekeeping } from "./task-housekeeping.ts";
import { findTask } from "./task-store.ts";

export interface PartnerTasks {
  start(request: StartTask): Promise<Started>;
  // Null if there is none, or it is not the caller's.
  read(wanted: ReadTask): Promise<Task | null>;
  // As stored; does not ask the partner.
  find(wanted: { readonly workspaceId: WorkspaceId; readonly taskId: TaskId }): Promise<Task | null>;
  // What it cost. Null if it has not ended, or the cost is no longer known.
  chargeOf(task: Task): Promise<bigint | null>;
  callback(callback: PartnerCallback): Promise<void>;
  // Reports whether the first answer could be written to its connection.
  answered(taskId: TaskId, isDelivered: boolean): void;
  readonly following: CallFollowing;
  // Polls and cleans up until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
  // Resolves when all current submissions to partners have come back.
  submitted(): Promise<void>;
  close(): Promise<void>;
}

export interface PartnerTasksDeps
  extends Omit<StartDeps, "acceptor" | "retries" | "observe" | "callbackUrl" | "detached"> {
  credentialRefused?(refusal: RefusedCredential): void;
  // See AtPartnerDeps.
  readonly known?: Pick<KnownSecrets, "ofWorkspace">;
  readonly prices: Pick<Prices, "get">;
  readonly webhooks: Pick<Webhooks, "enqueue" | "wake">;
  readonly keyRing: KeyRing;
  readonly partners: ReadonlyMap<string, Partner>;
  // Where partners reach us. Null if this partner cannot.
  callbackBase(partner: Partner): string | null;
  readonly keepDays: number;
}

export function createPartnerTasks(deps: PartnerTasksDeps): PartnerTasks {
  const partnerOf = (slug: string) => deps.partners.get(slug) ?? null;
  const shared = { ...deps, partnerOf };
  const addresses = callbackAddresses(deps.keyRing);
  const acceptor = taskAcceptor({ ...deps, accepted: (task) => poller.started(task) });
  const observer = taskObserver({ ...shared, changed: (task) => poller.changed(task) });
  const { observe } = observer;
  const reader = taskReader({ ...shared, observe });
  const poller = createPoller({ ...shared, observe, seen: reader.seen });
  const retries = retryRecognition(deps);
  const detached = new Set<Promise<unknown>>();
  const starting = {
    ...deps,
    acceptor,
    retries,
    observe,
    detached,
    callbackUrl(partner: Partner, taskId: TaskId) {
      const base = deps.callbackBase(partner);
      return base && `${base}${addresses.pathOf(partner.definition.partner, taskId)}`;
    },
  };
  const housekeeping = createTaskHousekeeping(deps);
  return {
    start: (request) => startTask(starting, request),
    read: (wanted) => reader.read(wanted),
    find: (wanted) => findTask(deps.database, wanted),
    chargeOf: (task) => computeTaskCharge(deps, task),
    callback: (callback) => takeCallback({ ...shared, addresses, acceptor, observe }, callback),
    answered: (taskId, isDelivered) => retries.answered(taskId, isDelivered),
    following: followSubmissions({ ...shared, acceptor }),
    async run(background, signal) {
      await Promise.all([poller.run(background, signal), housekeeping.run(background, signal)]);
    },
    async submitted() {
      await Promise.allSettled(detached);
    },
    async close() {
      await retries.close();
      await acceptor.close();
      await observer.close();
    },
  };
}
