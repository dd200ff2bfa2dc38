// One submission at a partner, in this order: body → faults at submission → fields → join by key → task → run (counted) →
// answer. The task exists before its answer does: if the answer gets lost, the task was accepted all the same.
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, jsonAnswer, send } from "../http/answer.ts";
import { deliver } from "../http/misbehave.ts";
import { sleep } from "../http/sleep.ts";
import { skinModes } from "../light/skin.ts";
import type { RunRecord } from "../models/run-records.ts";
import { type FaultOrder, faultSecondsMax, joined, parseFaultOrder, submitFaultOf } from "./faults.ts";
import { loopbackUrl } from "./loopback-call.ts";
import { presentTask, readRelight, readSkin, type Work } from "./partner-a.ts";
import { faultAnswer, invalid, partnerError } from "./partner-answers.ts";
import { presentPrompt, readVideo } from "./partner-b.ts";
import type { Outcome, PartnerTask } from "./partner-tasks.ts";
import type { PartnersDeps } from "./partners.ts";
import { readPrecisionUpscaler, readStyleTransfer, readUpscaler } from "./picture-tools.ts";
import { Fields, parsedBody } from "./read-fields.ts";
import { type PartnerSlug, type SandboxPartner, sandboxPartners } from "./sandbox-partners.ts";
import { readVideoToVideo } from "./video-to-video.ts";

interface Submission {
  readonly partner: PartnerSlug;
  readonly operation: SandboxPartner["operations"][number];
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  // Fires when the client has gone or the server closes.
  readonly signal: AbortSignal;
}

interface Reading {
  readonly work: Work;
  readonly echo: Readonly<Record<string, unknown>>;
  readonly seedText: string | null;
  readonly webhookUrl: URL | null;
}

const loadBytesMax = 256 * 1024 * 1024;
const referencePattern = /^[\x21-\x7e]{1,255}$/;
const addressCharactersMax = 4096;

export async function submitToPartner(deps: PartnersDeps, call: Submission): Promise<void> {
  const { partner, body, response, operation } = call;
  const sha256 = createHash("sha256").update(body).digest("hex");
  const key = headerOf(call.request, "idempotency-key");
  const reference = headerOf(call.request, "x-request-reference") ?? key;
  const record = deps.runs.submitted({ reference, model: `${partner}/${operation.name}`, sha256 });
  const refuse = (answer: Answer) => {
    if (record.runs === 0) deps.runs.ended(record, "REJECTED", answer);
    send(response, answer);
  };
  const parsed = parsedBody(body);
  if (!parsed) return refuse(partnerError(partner, 400, "invalid_json", "The body must be a JSON object in UTF-8."));
  const order = orderOf(deps, call, parsed.members);
  if (!order) return refuse(partnerError(partner, 400, "unknown_fault", "There is no such fault."));
  if (submitFaultOf(order) !== null) return refuseByOrder(call, order, refuse);
  const fields = new Fields(parsed.members);
  const reading = readingOf(deps, call, fields, parsed.text);
  if (!reading) return refuse(invalid(partner, fields.problems));
  const known = key === null ? undefined : deps.joined.get(`${partner} ${key}`);
  if (known && known.sha256 !== sha256)
    return refuse(partnerError(partner, 422, "idempotency_key_reuse", "This key belongs to another body."));
  const task = (known && deps.tasks.find(partner, known.taskId)) ?? begin(deps, call, record, order, reading, sha256);
  if (!task)
    return refuse(
      partnerError(partner, 503, "overloaded", "The queue is full. Try again later.", { "Retry-After": "2" }),
    );
  if (key !== null) deps.joined.put(`${partner} ${key}`, { sha256, taskId: task.id }, 400);
  await answer(call, task);
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" && referencePattern.test(value) ? value : null;
}

function orderOf(
  deps: PartnersDeps,
  { request, partner }: Submission,
  members: Readonly<Record<string, unknown>>,
): FaultOrder | null {
  const byHeader = parseFaultOrder(request.headers["x-sandbox-fault"], request.headers["x-sandbox-seconds"]);
  const byBody = parseFaultOrder(members["simulate"], members["simulate_seconds"]);
  return byHeader && byBody && joined(byHeader, byBody, deps.desk.take(partner, false));
}

async function refuseByOrder(
  { partner, response, signal }: Submission,
  order: FaultOrder,
  refuse: (answer: Answer) => void,
): Promise<void> {
  const fault = submitFaultOf(order);
  const answer = fault === null ? null : faultAnswer(partner, fault, order.seconds);
  if (answer) return refuse(answer);
  if (fault === "hang") await sleep(order.seconds ?? faultSecondsMax, signal);
  response.req.socket.resetAndDestroy();
}

function readingOf(deps: PartnersDeps, { operation }: Submission, fields: Fields, text: string): Reading | null {
  const address = fields.text("webhook_url", addressCharactersMax);
  const webhookUrl = address === null ? null : loopbackUrl(address, deps.origins);
  if (address !== null && !webhookUrl) fields.wrong("webhook_url", "must be an http URL on this machine");
  const tool = (work: Work | null): Reading | null => work && { work, echo: {}, seedText: null, webhookUrl };
  const kind = operation.name;
  if (kind === "image-relight") return tool(readRelight(fields, deps.reader));
  if (kind === "image-upscaler") return tool(readUpscaler(fields, deps.reader));
  if (kind === "image-upscaler-precision-v2") return tool(readPrecisionUpscaler(fields, deps.reader));
  if (kind === "image-style-transfer") return tool(readStyleTransfer(fields, deps.reader));
  const mode = skinModes.find((known) => kind === `skin-enhancer/${known}`);
  if (mode) return tool(readSkin(fields, deps.reader, mode));
  const source = { text, reader: deps.reader, format: deps.films };
  const video = kind === "video-to-video" ? readVideoToVideo(fields, source) : readVideo(fields, { ...source, kind });
  return video && { ...video, webhookUrl };
}

// Null if too much is open.
function begin(
  deps: PartnersDeps,
  { partner, operation, body }: Submission,
  record: RunRecord,
  order: FaultOrder,
  reading: Reading,
  sha256: string,
): PartnerTask | null {
  if (deps.load.bytes + body.byteLength > loadBytesMax) return null;
  const { webhookUrl, echo, seedText } = reading;
  const arrival = { sha256, bytes: body.byteLength, seedText };
  const task = deps.tasks.open({ partner, tool: operation.name, record, order, arrival, webhookUrl, echo });
  if (!task) return null;
  deps.load.bytes += body.byteLength;
  deps.runs.started(record);
  void drive(deps, task, reading.work).finally(() => {
    deps.load.bytes -= body.byteLength;
  });
  return task;
}

async function drive(deps: PartnersDeps, task: PartnerTask, work: Work): Promise<void> {
  const { pace, easel, callbacks, secrets, runs } = deps;
  const { partner } = task;
  const runSeconds = partner === "partner-a" ? pace.toolSeconds : pace.filmSeconds;
  const made = (): Promise<Outcome> => easel.pass(() => work(deps));
  await deps.tasks.drive(task, { createdSeconds: pace.createdSeconds, runSeconds }, made, () => {
    const { body } = jsonAnswer(200, presented(task));
    callbacks.notify(task, secrets[partner], sandboxPartners[partner].states[task.stage], Buffer.from(body));
    if (task.endedAt !== null)
      runs.ended(task.record, task.stage === "completed" ? "SUCCEEDED" : "FAILED", jsonAnswer(200, wrapped(task)));
  });
}

// Callbacks show the task itself; only reads and submissions of partner-a wrap it.
const presented = (task: PartnerTask) => (task.partner === "partner-a" ? presentTask(task) : presentPrompt(task));
export const wrapped = (task: PartnerTask) =>
  task.partner === "partner-a" ? { data: presentTask(task) } : presentPrompt(task);

async function answer({ operation, response, signal }: Submission, task: PartnerTask): Promise<void> {
  const { faults, seconds } = task.order;
  const accepted = jsonAnswer(operation.submitStatus, wrapped(task));
  if (faults.has("slow_answer") && (await sleep(seconds ?? 1, signal)) === "woken") return;
  const simulate = faults.has("lost_answer") ? "reset" : faults.has("truncated_answer") ? "truncate" : null;
  await deliver(response, accepted, { simulate, seconds: null }, signal);
}
