// POST /v1/{model}. The order: input → what fails before the provider sees it → run (counted) → record → delivery. An answer
// lost in a broken delivery can be looked up by reference, because it was recorded first.
import { createHash } from "node:crypto";
import type { SandboxModel } from "../models/catalog.ts";
import { generateEvents, generateImage, generateText, generateVideo, generateVoice } from "../models/generate.ts";
import { simulateSecondsMax } from "../models/input-schemas.ts";
import { type ModelInput, readInput } from "../models/read-input.ts";
import type { RunRecord, RunStatus } from "../models/run-records.ts";
import { StudioFull } from "../models/studio.ts";
import type { Task, TaskEnd } from "../models/task-board.ts";
import { type Answer, errorAnswer, jsonAnswer, send } from "./answer.ts";
import type { Call, SandboxParts } from "./call.ts";
import { deliver, refusedBeforehand } from "./misbehave.ts";
import { sleep } from "./sleep.ts";
import { streamEvents } from "./stream-events.ts";

const policyRefusal = { code: "content_policy", message: "The prompt was refused by policy. Simulated." } as const;
const failure = { code: "generation_failed", message: "The generation failed. Simulated." } as const;
// For the X-Seed header of binary answers; a longer seed is omitted rather than cut.
const seedHeaderCharactersMax = 1000;

export async function submitModel(parts: SandboxParts, call: Call): Promise<void> {
  const sha256 = createHash("sha256").update(call.body).digest("hex");
  const { schema, reference } = { schema: call.model.inputSchema, reference: call.reference };
  if (call.model.mode === "queued" && isOtherRequest(parts, call, sha256))
    return send(call.response, errorAnswer(409, "reference_conflict", "This reference belongs to another request."));
  const record = parts.runs.submitted({ reference, model: call.model.name, sha256 });
  if (schema === null) return echo(parts, call, record);
  const read = readInput(call.body, schema);
  if ("syntax" in read) return reject(parts, call, record, errorAnswer(400, "invalid_json", read.syntax));
  if ("violations" in read) return reject(parts, call, record, jsonAnswer(422, { detail: read.violations }));
  const turnedAway = refusedBeforehand(read.input.simulate, read.input.simulateSeconds);
  if (turnedAway) return reject(parts, call, record, turnedAway);
  return call.model.mode === "direct"
    ? runDirect(parts, call, record, read.input)
    : runQueued(parts, call, record, read.input);
}

function isOtherRequest({ runs }: SandboxParts, { reference, model }: Call, sha256: string): boolean {
  const known = reference === null ? null : runs.find(reference);
  return known !== null && known.taskId !== null && (known.requestSha256 !== sha256 || known.model !== model.name);
}

function echo({ runs }: SandboxParts, { body, response }: Call, record: RunRecord): void {
  const answer: Answer = { status: 200, contentType: "application/json", body };
  runs.started(record);
  runs.ended(record, "SUCCEEDED", answer);
  send(response, answer);
}

// A reference that has already run keeps its result: a late duplicate that is refused changes nothing.
function reject({ runs }: SandboxParts, { response }: Call, record: RunRecord, answer: Answer): void {
  if (record.runs === 0 && record.taskId === null) runs.ended(record, "REJECTED", answer);
  send(response, answer);
}

async function runDirect(parts: SandboxParts, call: Call, record: RunRecord, input: ModelInput): Promise<void> {
  const { runs } = parts;
  runs.started(record);
  // A stream hangs half-way, see stream-events.ts.
  const isStream = call.model.output.stream !== undefined && input.flag("stream");
  if (
    input.simulate === "hang" &&
    !isStream &&
    (await sleep(input.simulateSeconds ?? simulateSecondsMax, call.gone)) === "woken"
  )
    return runs.ended(record, "CANCELLED", null);
  // Unless misbehaviour was ordered, the seconds are work, which continues when the client has left.
  if (input.simulate === null && input.simulateSeconds !== null && !isStream)
    await sleep(input.simulateSeconds, call.closing);
  const { status, answer } = await resultOf(parts, call.model, input);
  runs.ended(record, status, answer);
  const order = { simulate: input.simulate, seconds: input.simulateSeconds };
  if (answer.contentType === "text/event-stream") await streamEvents(call.response, answer, order, call.gone);
  else await deliver(call.response, answer, order, call.gone);
}

async function resultOf(
  parts: SandboxParts,
  model: SandboxModel,
  input: ModelInput,
): Promise<{ status: RunStatus; answer: Answer }> {
  if (input.simulate === "refuse") return { status: "REFUSED", answer: jsonAnswer(200, { error: policyRefusal }) };
  if (input.simulate === "fail") return { status: "FAILED", answer: jsonAnswer(500, { error: failure }) };
  try {
    return { status: "SUCCEEDED", answer: await directAnswer(parts, model, input) };
  } catch (thrown) {
    if (thrown instanceof StudioFull)
      return {
        status: "FAILED",
        answer: errorAnswer(503, "overloaded", "The queue is full. Try again later.", { "Retry-After": "2" }),
      };
    return { status: "FAILED", answer: errorAnswer(500, "generation_failed", "The result could not be generated.") };
  }
}

async function directAnswer(parts: SandboxParts, model: SandboxModel, input: ModelInput): Promise<Answer> {
  if (model.name === "voice-1") {
    const voice = await generateVoice(parts, input);
    const headers = {
      ...(input.seed.text.length <= seedHeaderCharactersMax && { "X-Seed": input.seed.text }),
      "X-Duration-Seconds": String(voice.seconds),
    };
    return { status: 200, contentType: "audio/wav", body: voice.bytes, headers };
  }
  if (model.name === "text-1" && input.flag("stream"))
    return { status: 200, contentType: "text/event-stream", body: generateEvents(input) };
  return jsonAnswer(200, model.name === "text-1" ? generateText(input) : await generateImage(parts, input));
}

async function runQueued(parts: SandboxParts, call: Call, record: RunRecord, input: ModelInput): Promise<void> {
  const known = record.taskId === null ? null : parts.board.find(record.taskId);
  const task = known ?? parts.board.open(record, input);
  if (!task)
    return reject(parts, call, record, errorAnswer(503, "overloaded", "Too many tasks.", { "Retry-After": "2" }));
  const statusUrl = `${parts.url()}/v1/tasks/${task.id}`;
  if (!known) void driveTask(parts, call.model, task, input, statusUrl);
  const accepted = jsonAnswer(202, { id: task.id, status: task.status, status_url: statusUrl });
  await deliver(call.response, accepted, { simulate: input.simulate, seconds: input.simulateSeconds }, call.gone);
}

async function driveTask(
  parts: SandboxParts,
  model: SandboxModel,
  task: Task,
  input: ModelInput,
  statusUrl: string,
): Promise<void> {
  const { board, runs, pace } = parts;
  const isVideo = model.name === "video-1";
  const usual = isVideo ? pace.videoSeconds : pace.imageSeconds;
  const runSeconds =
    input.simulate === "hang"
      ? (input.simulateSeconds ?? simulateSecondsMax)
      : input.simulate === null
        ? (input.simulateSeconds ?? usual)
        : usual;
  const work = async (): Promise<TaskEnd> => {
    if (input.simulate === "refuse")
      return {
        status: "REFUSED",
        error: policyRefusal,
        ...(isVideo && { usage: { seconds: input.number("seconds") } }),
      };
    if (input.simulate === "fail") return { status: "FAILED", error: failure };
    return { status: "SUCCEEDED", result: await (isVideo ? generateVideo(parts, input) : generateImage(parts, input)) };
  };
  await board.drive(task, { queueSeconds: pace.queueSeconds, runSeconds }, work, () => runs.started(task.record));
  if (task.status !== "QUEUED" && task.status !== "RUNNING")
    runs.ended(task.record, task.status, jsonAnswer(200, board.present(task, statusUrl)));
}
