// Reads one frame of the application's socket as an event, or null. Pure, and trusts nothing: it never throws, no matter
// what the bytes are. Binary frames begin with a big-endian kind: 1 a preview that names no prompt, 3 a node's text, 4 a
// preview that names its prompt. Kind 2 never leaves the application.
import { jsonOrUndefined } from "../../../foundation/json/foreign-json.ts";
import { attempt } from "../../../foundation/retry.ts";
import { boundedJson } from "./bounded-json.ts";
import { isRecord, type JsonRecord, numberAt, recordAt, stringAt, stringsAt } from "./json-record.ts";

export interface NodeProgress {
  readonly nodeId: string;
  // The node of the submitted graph that an expanded node belongs to.
  readonly displayNodeId: string | null;
  readonly realNodeId: string | null;
  readonly state: "running" | "finished" | "error";
  readonly value: number;
  readonly max: number;
}

export interface NodeFailure {
  readonly nodeId: string | null;
  readonly classType: string | null;
  readonly exceptionType: string | null;
  readonly message: string | null;
}

// If `promptId` is null, the frame names no prompt and means the running one.
export type ApplicationEvent =
  | { readonly kind: "status"; readonly promptId: null; readonly queueRemaining: number; readonly sid: string | null }
  | { readonly kind: "features"; readonly promptId: null; readonly features: JsonRecord }
  | { readonly kind: "started"; readonly promptId: string }
  | { readonly kind: "cached"; readonly promptId: string; readonly nodes: readonly string[] }
  | {
      readonly kind: "executing";
      readonly promptId: string | null;
      readonly nodeId: string;
      readonly displayNodeId: string | null;
    }
  // The application has written the history entry and is done with the prompt.
  | { readonly kind: "left"; readonly promptId: string }
  | { readonly kind: "progress_state"; readonly promptId: string; readonly nodes: readonly NodeProgress[] }
  | {
      readonly kind: "progress";
      readonly promptId: string | null;
      readonly nodeId: string | null;
      readonly value: number;
      readonly max: number;
    }
  | {
      readonly kind: "executed";
      readonly promptId: string;
      readonly nodeId: string;
      readonly displayNodeId: string | null;
      readonly output: JsonRecord;
    }
  | { readonly kind: "succeeded"; readonly promptId: string }
  | { readonly kind: "failed"; readonly promptId: string; readonly failure: NodeFailure }
  | { readonly kind: "interrupted"; readonly promptId: string }
  | {
      readonly kind: "preview";
      readonly promptId: string | null;
      readonly nodeId: string | null;
      readonly contentType: "image/jpeg" | "image/png";
      readonly bytes: Buffer;
    }
  | { readonly kind: "text"; readonly promptId: string | null; readonly nodeId: string; readonly text: string };

export const frameLimits = {
  textCharactersMax: 16 * 1024 * 1024,
  // A node that only shows its pictures sends them in full size.
  previewBytesMax: 16 * 1024 * 1024,
  metadataBytesMax: 64 * 1024,
  idCharactersMax: 200,
  nodesMax: 20_000,
  valuesMax: 500_000,
} as const;

export function readTextFrame(text: string): ApplicationEvent | null {
  if (text.length > frameLimits.textCharactersMax) return null;
  const isShort = text.length <= frameLimits.valuesMax;
  const message = isShort
    ? jsonOrUndefined(text)
    : attempt(() => boundedJson(Buffer.from(text), frameLimits.valuesMax), null);
  if (!isRecord(message)) return null;
  const data = recordAt(message, "data");
  const type = stringAt(message, "type");
  return data === null || type === null ? null : readMessage(type, data);
}

function readMessage(type: string, data: JsonRecord): ApplicationEvent | null {
  if (type === "status") return readStatus(data);
  if (type === "feature_flags") return { kind: "features", promptId: null, features: data };
  const promptId = idAt(data, "prompt_id");
  if (type === "executing") return readExecuting(data, promptId);
  if (type === "progress") return readProgress(data, promptId);
  if (promptId === null) return null;
  switch (type) {
    case "execution_start":
      return { kind: "started", promptId };
    case "execution_cached":
      return { kind: "cached", promptId, nodes: stringsAt(data, "nodes").slice(0, frameLimits.nodesMax) };
    case "progress_state":
      return readProgressState(data, promptId);
    case "executed":
      return readExecuted(data, promptId);
    case "execution_success":
      return { kind: "succeeded", promptId };
    case "execution_error":
      return { kind: "failed", promptId, failure: readFailure(data) };
    case "execution_interrupted":
      return { kind: "interrupted", promptId };
    default:
      return null;
  }
}

function readStatus(data: JsonRecord): ApplicationEvent {
  const info = recordAt(recordAt(data, "status") ?? {}, "exec_info");
  const queueRemaining = (info && numberAt(info, "queue_remaining")) ?? 0;
  return { kind: "status", promptId: null, queueRemaining, sid: idAt(data, "sid") };
}

function readExecuting(data: JsonRecord, promptId: string | null): ApplicationEvent | null {
  const nodeId = idAt(data, "node");
  if (nodeId !== null) return { kind: "executing", promptId, nodeId, displayNodeId: idAt(data, "display_node") };
  return promptId !== null && data["node"] === null ? { kind: "left", promptId } : null;
}

function readProgress(data: JsonRecord, promptId: string | null): ApplicationEvent | null {
  const [value, max] = [numberAt(data, "value"), numberAt(data, "max")];
  return value === null || max === null ? null : { kind: "progress", promptId, nodeId: idAt(data, "node"), value, max };
}

function readProgressState(data: JsonRecord, promptId: string): ApplicationEvent {
  const nodes = Object.entries(recordAt(data, "nodes") ?? {})
    .slice(0, frameLimits.nodesMax)
    .flatMap(([nodeId, state]) => (isRecord(state) ? readNodeProgress(nodeId, state) : []));
  return { kind: "progress_state", promptId, nodes };
}

function readNodeProgress(nodeId: string, state: JsonRecord): NodeProgress[] {
  const word = state["state"];
  if (word !== "running" && word !== "finished" && word !== "error") return [];
  if (nodeId.length > frameLimits.idCharactersMax) return [];
  return [
    {
      nodeId,
      displayNodeId: idAt(state, "display_node_id"),
      realNodeId: idAt(state, "real_node_id"),
      state: word,
      value: numberAt(state, "value") ?? 0,
      max: numberAt(state, "max") ?? 0,
    },
  ];
}

function readExecuted(data: JsonRecord, promptId: string): ApplicationEvent | null {
  const [nodeId, output] = [idAt(data, "node"), recordAt(data, "output")];
  return nodeId === null || output === null
    ? null
    : { kind: "executed", promptId, nodeId, displayNodeId: idAt(data, "display_node"), output };
}

// Tracebacks and input values are left out: they hold that machine's paths and data.
export function readFailure(data: JsonRecord): NodeFailure {
  return {
    nodeId: idAt(data, "node_id"),
    classType: idAt(data, "node_type"),
    exceptionType: idAt(data, "exception_type"),
    message: stringAt(data, "exception_message"),
  };
}

export function readBinaryFrame(bytes: Buffer): ApplicationEvent | null {
  if (bytes.length < 8) return null;
  const [kind, word, rest] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4), bytes.subarray(8)];
  switch (kind) {
    case 1:
      return previewOf(word === 1 ? "image/jpeg" : word === 2 ? "image/png" : null, null, null, rest);
    case 3:
      return readText(word, rest);
    case 4:
      return previewWithMetadata(word, rest);
    default:
      return null;
  }
}

function readText(idBytes: number, rest: Buffer): ApplicationEvent | null {
  if (idBytes > rest.length || idBytes > frameLimits.idCharactersMax) return null;
  const text = rest.subarray(idBytes, idBytes + frameLimits.metadataBytesMax).toString("utf8");
  return { kind: "text", promptId: null, nodeId: rest.toString("utf8", 0, idBytes), text };
}

function previewWithMetadata(metadataBytes: number, rest: Buffer): ApplicationEvent | null {
  if (metadataBytes > rest.length || metadataBytes > frameLimits.metadataBytesMax) return null;
  const metadata = jsonOrUndefined(rest.toString("utf8", 0, metadataBytes));
  if (!isRecord(metadata)) return null;
  const type = metadata["image_type"];
  const contentType = type === "image/jpeg" || type === "image/png" ? type : null;
  const nodeId = idAt(metadata, "display_node_id") ?? idAt(metadata, "real_node_id") ?? idAt(metadata, "node_id");
  const promptId = idAt(metadata, "prompt_id");
  return promptId === null ? null : previewOf(contentType, promptId, nodeId, rest.subarray(metadataBytes));
}

function previewOf(
  contentType: "image/jpeg" | "image/png" | null,
  promptId: string | null,
  nodeId: string | null,
  image: Buffer,
): ApplicationEvent | null {
  if (contentType === null || image.length === 0 || image.length > frameLimits.previewBytesMax) return null;
  // A copy, because the frame's memory may be much larger than the picture in it.
  return { kind: "preview", promptId, nodeId, contentType, bytes: Buffer.from(image) };
}

// Ids are strings, but some applications send numbers.
function idAt(record: JsonRecord, name: string): string | null {
  const value = record[name];
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" && text.length <= frameLimits.idCharactersMax ? text : null;
}
