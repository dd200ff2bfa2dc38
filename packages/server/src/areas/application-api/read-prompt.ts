// Turns the body of a prompt into a v2 submission. The graph is passed on byte for byte, so that the digits of large seeds
// survive; everything else is parsed here, as strictly as anywhere.

import { Fault } from "../../foundation/fault.ts";
import { isUuid } from "../../foundation/ids.ts";
import { isRecord, type JsonRecord } from "../../foundation/json/json-record.ts";
import { findSpan } from "../../foundation/json/json-spans.ts";
import type { JsonReader } from "../../foundation/json/large-json.ts";
import type { ReadJsonOptions } from "../../foundation/json/read-json.ts";
import type { ApplicationCaller } from "./application-person.ts";
import { personLabel } from "./prompt-picture.ts";

export interface ReadPrompt {
  // In the format of POST /api/v2/jobs.
  readonly submission: Buffer;
  // The name that the caller chose for the prompt. Null if we name it.
  readonly promptId: string | null;
  readonly clientId: string | null;
  // The requested nodes. Null for all outputs.
  readonly targets: readonly string[] | null;
  // `extra_data.extra_pnginfo` byte for byte. Null if there is none.
  readonly pngInfo: string | null;
}

export interface ReadPromptDeps {
  readonly bodies: Pick<JsonReader, "read">;
  // Normalises a key to our spelling.
  readKey(text: string): string;
}

const reading: ReadJsonOptions = {
  limits: { keysMax: 250_000, valuesMax: 250_000, exactMax: 10_000 },
  unhashed: [],
};
const clientIdCharactersMax = 200;
const secretCharactersMax = 4_096;

// `ownKey`: the caller's own credential, which need not be stored to pay with.
export async function readPrompt(
  deps: ReadPromptDeps,
  { workspaceId, personId = null }: Pick<ApplicationCaller, "workspaceId" | "personId">,
  bytes: Buffer,
  ownKey: string | null,
): Promise<ReadPrompt> {
  const span = findSpan(bytes, "/prompt");
  const none = Buffer.from("null");
  const rest = span === null ? bytes : Buffer.concat([bytes.subarray(0, span.start), none, bytes.subarray(span.end)]);
  const { value } = await deps.bodies.read(rest, reading, workspaceId);
  if (!isRecord(value)) throw new Fault("invalid_json", "The body must be a JSON object.");
  if (span === null) throw refused("no_prompt", "No prompt provided");
  const extra = isRecord(value["extra_data"]) ? value["extra_data"] : {};
  const promptId = readPromptId(value["prompt_id"]);
  const clientId = readClientId(value["client_id"] ?? extra["client_id"]);
  const key = payingKey(deps, extra, ownKey);
  const others = {
    ...labelsOf({ client_id: clientId, prompt_id: promptId, [personLabel]: personId }),
    priority: isInFront(value) ? 1 : 0,
    ...(key === null ? {} : { extra_data: { api_key_service: key } }),
  };
  const graph = bytes.subarray(span.start, span.end);
  const submission = Buffer.concat([
    Buffer.from('{"workflow":'),
    graph,
    Buffer.from(`,${JSON.stringify(others).slice(1)}`),
  ]);
  const targets = readTargets(value["partial_execution_targets"]);
  return { submission, promptId, clientId, targets, pngInfo: pngInfoIn(bytes, extra) };
}

// Must be an object; its members are what the files carry.
function pngInfoIn(bytes: Buffer, extra: JsonRecord): string | null {
  const span = isRecord(extra["extra_pnginfo"]) ? findSpan(bytes, "/extra_data/extra_pnginfo") : null;
  return span && bytes.toString("utf8", span.start, span.end);
}

const targetsMax = 10_000;

function readTargets(given: unknown): string[] | null {
  if (given === undefined || given === null) return null;
  const isList = Array.isArray(given) && given.length <= targetsMax;
  const ids = isList ? given.filter((id) => typeof id === "string") : [];
  if (!isList || ids.length < given.length)
    throw refused("invalid_targets", `partial_execution_targets must be a list of at most ${targetsMax} node ids`);
  return ids;
}

function labelsOf(labels: Readonly<Record<string, string | null>>) {
  const given = Object.entries(labels).filter(([, value]) => value !== null);
  return given.length === 0 ? {} : { metadata: Object.fromEntries(given) };
}

function readPromptId(given: unknown): string | null {
  if (given === undefined || given === null) return null;
  if (typeof given !== "string" || !isUuid(given))
    throw refused("invalid_prompt_id", "prompt_id must be a UUID in lower case");
  return given;
}

function readClientId(given: unknown): string | null {
  if (typeof given !== "string" || given === "") return null;
  if (given.length > clientIdCharactersMax || !/^[\x20-\x7e]+$/.test(given))
    throw refused("invalid_client_id", `client_id must be plain text of at most ${clientIdCharactersMax} characters`);
  return given;
}

// Spec, v2: extra_data carries the key that partner nodes pay with. This is what the application's clients call it.
function payingKey({ readKey }: ReadPromptDeps, extra: JsonRecord, ownKey: string | null): string | null {
  const given = extra["api_key_comfy_org"];
  if (typeof given !== "string" || given === "" || given.length > secretCharactersMax) return null;
  const key = readKey(given);
  return key === ownKey ? null : key;
}

// In the application a smaller number runs earlier, and prompts that ask for the front get a negative one.
function isInFront({ front, number }: JsonRecord): boolean {
  return front === true || (typeof number === "number" && number < 0);
}

export function refused(type: string, message: string): Fault {
  const problem = { type, message, details: message, extra_info: {} };
  return new Fault("validation_failed", message, { details: { problem, node_errors: {} } });
}
