// Handles a partner's callback. The address proves that we asked for it, the signature that the partner sent it, the
// timestamp and event id that it is new. Order and repetition do not matter, because states only move forward. A callback
// may arrive before the partner's answer to the submission, or instead of it; then it counts as the acceptance.
import type { IncomingHttpHeaders } from "node:http";
import { Fault } from "../../foundation/fault.ts";
import { parseId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import type { Calls } from "../calls/index.ts";
import { type Partner, readTask, type TaskReading } from "../partners/index.ts";
import type { TaskAcceptor } from "./accept-task.ts";
import { look } from "./at-partner.ts";
import type { CallbackAddresses } from "./callback-address.ts";
import type { CallbackEvent } from "./callback-store.ts";
import type { ReadDeps } from "./read-task.ts";
import { parseSubject, readContext, type TaskId } from "./task.ts";
import { findAnyTask } from "./task-store.ts";
import { verifyCallback } from "./verify-callback.ts";

export interface CallbackDeps extends ReadDeps {
  readonly log: Log;
  readonly addresses: CallbackAddresses;
  readonly calls: Pick<Calls, "find">;
  readonly acceptor: TaskAcceptor;
}

export interface PartnerCallback {
  readonly partner: string;
  readonly taskId: string;
  readonly token: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

// Throws not_found if the address is not one of ours, and forbidden if the signature is not the partner's.
export async function takeCallback(deps: CallbackDeps, callback: PartnerCallback): Promise<void> {
  const taskId = parseId<"call">(callback.taskId);
  const partner = deps.partnerOf(callback.partner);
  if (taskId === null || !partner || !deps.addresses.isGenuine(callback.partner, taskId, callback.token))
    throw new Fault("not_found", "There is nothing at this path.");
  const { callback: rules } = partner.definition;
  if (!rules || partner.callbackKey === null) return askInstead(deps, partner, taskId);
  const eventId = verifyCallback(partner.callbackKey, { ...callback, nowMs: deps.clock.now().getTime() });
  if (eventId === null) throw new Fault("forbidden", "The signature is invalid or too old.");
  // The signature covers the body as it arrived; we read it with our credentials removed.
  const reading = readTask(partner.definition, await partner.redaction().bytes(callback.bytes), rules.root);
  if (reading === null) throw new Fault("invalid_request", "The body has no status.");
  await record(deps, partner, taskId, reading, { partner: callback.partner, eventId });
}

async function record(
  deps: CallbackDeps,
  partner: Partner,
  taskId: TaskId,
  reading: TaskReading,
  event: CallbackEvent,
): Promise<void> {
  const seen = { taskId, observation: { kind: "reading", reading }, event } as const;
  if (await belongsTo(deps, taskId, reading)) {
    await deps.observe(seen);
    return;
  }
  if (await acceptFirst(deps, partner, taskId, reading)) await deps.observe(seen);
}

// The partner's id must be the task's: a signed callback says nothing about another task.
async function belongsTo(deps: CallbackDeps, taskId: TaskId, reading: TaskReading): Promise<boolean> {
  const task = await findAnyTask(deps.database, taskId);
  if (!task) return false;
  if (reading.partnerTaskId !== null && reading.partnerTaskId !== task.partnerTaskId)
    throw new Fault("forbidden", "This callback is about another task.");
  return true;
}

async function acceptFirst(
  deps: CallbackDeps,
  partner: Partner,
  taskId: TaskId,
  reading: TaskReading,
): Promise<boolean> {
  const call = await deps.calls.find(taskId);
  const context = call && readContext(call.context);
  const subject = call && parseSubject(call.subject);
  if (call?.state !== "open" || !context || !subject || reading.partnerTaskId === null) {
    deps.log.warn({ taskId, partner: partner.definition.partner }, "a callback arrived for an unknown task");
    return false;
  }
  const { operation } = subject;
  const { workspaceId } = call;
  const { partnerTaskId } = reading;
  return (
    (await deps.acceptor.accept({ id: taskId, workspaceId, partner, operation, partnerTaskId, context, reading })) !==
    null
  );
}

// Unsigned, so we only take it as a reason to look for ourselves.
async function askInstead(deps: CallbackDeps, partner: Partner, taskId: TaskId): Promise<void> {
  const task = await findAnyTask(deps.database, taskId);
  if (!task || task.endedAt !== null) return;
  const looked = await look(deps, partner, task, new AbortController().signal);
  if (looked.kind === "reading") await deps.observe({ taskId, observation: looked });
}
