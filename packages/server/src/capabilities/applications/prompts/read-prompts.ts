// Reads what the application says about its prompts, without trusting it: the queue (a heap, so only the numbers give the
// order) and one entry of the history.
import { isRecord, type JsonRecord, listAt, memberOf, recordAt, stringAt, stringsAt } from "../line/json-record.ts";
import { type NodeFailure, readFailure } from "../line/read-frame.ts";

export interface QueueSnapshot {
  readonly running: ReadonlySet<string>;
  // In the order in which they will run.
  readonly pending: readonly string[];
  // Prompt id → the output nodes it runs for, if the application says so.
  readonly outputsOf: ReadonlyMap<string, readonly string[]>;
}

export interface HistoryEntry {
  readonly ending: "succeeded" | "failed" | "interrupted";
  // The output nodes it was run for. Null if the application does not say.
  readonly ranFor: readonly string[] | null;
  readonly failure: NodeFailure | null;
  // Nodes whose results were reused. Empty if everything was computed.
  readonly cachedNodes: readonly string[];
  // Node id → what the node reported.
  readonly outputs: ReadonlyMap<string, JsonRecord>;
  // Node id of the run → node id of the submitted graph, if they differ.
  readonly displayNodes: ReadonlyMap<string, string>;
}

// Null if it is not a queue.
export function readQueue(value: unknown): QueueSnapshot | null {
  if (!isRecord(value) || !Array.isArray(value["queue_running"]) || !Array.isArray(value["queue_pending"])) return null;
  const running = value["queue_running"].flatMap(readItem);
  const pending = value["queue_pending"].flatMap(readItem);
  // The sort is stable, so equal numbers stay in order of arrival.
  pending.sort((a, b) => a.number - b.number);
  return {
    running: new Set(running.map(({ id }) => id)),
    pending: pending.map(({ id }) => id),
    outputsOf: new Map(
      [...running, ...pending].flatMap(({ id, outputs }) => (outputs === null ? [] : [[id, outputs] as const])),
    ),
  };
}

interface QueueItem {
  readonly number: number;
  readonly id: string;
  readonly outputs: readonly string[] | null;
}

function readItem(item: unknown): QueueItem[] {
  if (!Array.isArray(item)) return [];
  const [number, id] = item;
  if (typeof id !== "string") return [];
  return [{ number: typeof number === "number" ? number : 0, id, outputs: outputsIn(item) }];
}

// The fifth element of a prompt, in the queue and in the history. Null if something else is there.
function outputsIn(prompt: readonly unknown[]): readonly string[] | null {
  const outputs = prompt[4];
  return Array.isArray(outputs) && outputs.every((id) => typeof id === "string") ? outputs : null;
}

// `undefined` if this is not a history answer. Null if the application does not know the prompt.
export function readHistory(value: unknown, promptId: string): HistoryEntry | null | undefined {
  if (!isRecord(value)) return undefined;
  const entry = memberOf(value, promptId);
  if (entry === undefined) return Object.keys(value).length === 0 ? null : undefined;
  const status = isRecord(entry) ? recordAt(entry, "status") : null;
  if (!isRecord(entry) || status === null) return undefined;
  const messages = listAt(status, "messages").flatMap(readMessage);
  const failure = messages.find(({ event }) => event === "execution_error");
  const wasInterrupted = messages.some(({ event }) => event === "execution_interrupted");
  const ending = stringAt(status, "status_str") === "success" ? "succeeded" : wasInterrupted ? "interrupted" : "failed";
  return {
    ending,
    ranFor: outputsIn(listAt(entry, "prompt")),
    failure: failure ? readFailure(failure.data) : null,
    cachedNodes: messages
      .filter(({ event }) => event === "execution_cached")
      .flatMap(({ data }) => stringsAt(data, "nodes")),
    outputs: readOutputs(recordAt(entry, "outputs") ?? {}),
    displayNodes: readDisplayNodes(recordAt(entry, "meta") ?? {}),
  };
}

function readMessage(message: unknown): { readonly event: string; readonly data: JsonRecord }[] {
  if (!Array.isArray(message)) return [];
  const [event, data] = message;
  return typeof event === "string" && isRecord(data) ? [{ event, data }] : [];
}

function readOutputs(outputs: JsonRecord): Map<string, JsonRecord> {
  return new Map(Object.entries(outputs).flatMap(([id, output]) => (isRecord(output) ? [[id, output] as const] : [])));
}

function readDisplayNodes(meta: JsonRecord): Map<string, string> {
  const nodes = new Map<string, string>();
  for (const [id, about] of Object.entries(meta)) {
    const display = isRecord(about) ? (stringAt(about, "display_node") ?? stringAt(about, "real_node_id")) : null;
    if (display !== null && display !== id) nodes.set(id, display);
  }
  return nodes;
}
