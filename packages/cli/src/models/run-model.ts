// `atelier models run`: builds the input from -i and --body, calls the model once and outputs its answer. With --queue the call
// waits for its turn on the server.
import { readFile } from "node:fs/promises";
import { type LabelOptions, parseJson } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { estimateResult, readMaxCredits } from "../estimate-text.ts";
import { requireFile, requireFolder } from "../files/output-path.ts";
import { unreadable } from "../files/unreadable.ts";
import { given } from "../given.ts";
import { readJsonFile } from "../jobs/read-graph.ts";
import { isRecord } from "../json-record.ts";
import { nearWord } from "../near-word.ts";
import { wrongCall } from "../read-call.ts";
import { ClientProblem } from "../server/client-problem.ts";
import type { Asked } from "../server/over-http.ts";
import { handOut } from "./hand-out.ts";
import { type InputField, inputFields } from "./model-schema.ts";
import { queueModel } from "./queue-model.ts";
import { namesFolder } from "./save-answer.ts";

export interface ModelRun {
  // The command that was typed.
  readonly command: string;
  readonly id: string;
  // name=value each.
  readonly pairs: readonly string[];
  // What the model gets for name=@file.
  placeFile(path: string, name: string): Promise<string>;
  readonly present: typeof handOut;
}

export const runModel = (asked: Asked): Promise<CommandResult> =>
  runCall(asked, {
    command: "models",
    id: asked.call.words[0] ?? "",
    pairs: asked.call.texts("input"),
    placeFile: dataUrl,
    present: handOut,
  });

// --tag project=spring --end-user user-7
export function readLabels(call: Pick<Asked["call"], "text" | "texts">, command: string): LabelOptions {
  const pairs = call.texts("tag").map((text): [string, string] => {
    const at = text.indexOf("=");
    if (at < 1) throw wrongCall(command, [`--tag must be key=value, not "${text}".`]);
    return [text.slice(0, at), text.slice(at + 1)];
  });
  const tags = pairs.length === 0 ? undefined : Object.fromEntries(pairs);
  return given({ tags, endUser: call.text("end-user") });
}

export async function runCall(asked: Asked, run: ModelRun): Promise<CommandResult> {
  const { call, atelier, input } = asked;
  const { id, command } = run;
  const target = call.text("output");
  // Check this before the call costs anything.
  if (target !== undefined) (namesFolder(target) ? requireFolder : requireFile)(target);
  const { body, warnings } = await readInput(asked, run);
  if (!input.json) for (const warning of warnings) input.say(`! ${warning}`);
  // We make a key if none was given: an abandoned call can only be collected under its key.
  const idempotencyKey = call.text("idempotency-key") ?? crypto.randomUUID();
  const limited = given({ maxCredits: readMaxCredits(call, command) });
  const options = { idempotencyKey, ...readLabels(call, command), ...limited };
  if (call.has("dry-run")) {
    const estimate = await atelier.models.estimate(id, body);
    return estimateResult(asked, { ...estimate, parts: [], runs: 1 }, estimate);
  }
  if (call.has("queue")) {
    const queued = await queueModel(asked, { id, body, present: run.present }, options);
    return input.json ? { ...queued, warnings } : queued;
  }
  if (call.has("no-wait")) throw wrongCall(command, ["--no-wait needs --queue."]);
  const startedMs = performance.now();
  const ticking = setInterval(() => {
    input.redraw(`${id}   ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  }, 200);
  const leaving = new AbortController();
  const interrupt = () => leaving.abort();
  process.once("SIGINT", interrupt);
  try {
    const result = await atelier.models.run(id, body, { signal: leaving.signal, ...options });
    clearInterval(ticking);
    input.redraw("");
    const handed = await run.present(asked, result);
    return input.json ? { ...handed, warnings } : handed;
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    const problem = `Stopped waiting; the call may still be running. Repeat it with --idempotency-key ${idempotencyKey} to get its result without paying twice.`;
    input.say(problem);
    return { data: { idempotency_key: idempotencyKey }, text: "", exitCode: 130, problem };
  } finally {
    process.off("SIGINT", interrupt);
    clearInterval(ticking);
    input.redraw("");
  }
}

interface ModelInput {
  readonly body: Record<string, unknown>;
  // Names missing from the model's schema: many models ignore unknown fields and charge all the same.
  readonly warnings: readonly string[];
}

async function readInput({ call, atelier }: Asked, run: ModelRun): Promise<ModelInput> {
  const { id, command } = run;
  const file = call.text("body");
  const base = file === undefined ? {} : readJsonFile(file);
  if (!isRecord(base))
    throw new ClientProblem("rejected_input", "invalid_input", `${file} must contain one JSON object.`);
  const body: Record<string, unknown> = { ...base };
  const pairs = run.pairs.map((pair) => parsePair(command, pair));
  const fields = pairs.length === 0 ? [] : inputFields(await atelier.models.schema(id).catch(() => ({})));
  for (const { name, text } of pairs) body[name] = await inputOf(run, { name, text }, fields);
  const known = fields.map(({ name }) => name);
  const unknown = known.length === 0 ? [] : pairs.filter(({ name }) => !known.includes(name));
  const warnings = unknown.map(({ name }) => `${id} documents no field "${name}"${nearWord(name, known)}`);
  return { body, warnings };
}

interface Pair {
  readonly name: string;
  readonly text: string;
}

function parsePair(command: string, text: string): Pair {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw wrongCall(command, [`"${text}" has no input name; use name=value.`]);
  return { name, text: value };
}

// Stays text if the model wants text; otherwise 5, true and [1,2] become JSON values.
async function inputOf(run: ModelRun, { name, text }: Pair, fields: readonly InputField[]): Promise<unknown> {
  if (text.startsWith("@@")) return text.slice(1);
  if (text.startsWith("@")) return run.placeFile(text.slice(1), name);
  if (fields.find((field) => field.name === name)?.schema["type"] === "string") return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

async function dataUrl(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  return `data:${mediaTypeOf(path)};base64,${bytes.toString("base64")}`;
}

const mediaTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  mp4: "video/mp4",
  webm: "video/webm",
  wav: "audio/wav",
  mp3: "audio/mpeg",
  flac: "audio/flac",
};

const mediaTypeOf = (path: string): string =>
  mediaTypes[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "application/octet-stream";
