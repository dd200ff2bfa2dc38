// The form that an editor's app mode keeps in a document: `extra.linearData` with inputs as [id, widget, settings?] and outputs as
// ids of nodes. An id is that of a node at the top level; newer editors write graph:node:widget; older ones also named nodes inside
// subgraphs by their own ids alone. In the API graph such a node is called 12:5.
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import { attempt } from "../../../foundation/retry.ts";

export interface AppModeInput {
  readonly node: string;
  readonly widget: string;
  readonly description: string | null;
  // As it is in the document.
  readonly entry: readonly unknown[];
}

export interface AppMode {
  readonly inputs: readonly AppModeInput[];
  readonly outputs: readonly string[];
  // Entries that cannot be read.
  readonly problems: readonly string[];
}

const entriesMax = 1_000;

// Null if the document has none, or an empty one.
export function readAppMode(document: unknown): AppMode | null {
  const data = linearDataOf(document);
  if (data === null) return null;
  const [inputs, outputs] = [listOf(memberOf(data, "inputs")), listOf(memberOf(data, "outputs"))];
  if (inputs.length === 0 && outputs.length === 0) return null;
  const problems: string[] = [];
  const read = inputs.flatMap((entry, at) => {
    const input = readInput(entry);
    if (input === null) problems.push(`Input ${at + 1} of the app mode cannot be read.`);
    return input === null ? [] : [input];
  });
  const ids = outputs.flatMap((given, at) => {
    const id = idOf(given);
    if (id === null) problems.push(`Output ${at + 1} of the app mode cannot be read.`);
    return id === null ? [] : [id];
  });
  return { inputs: read, outputs: ids, problems };
}

function linearDataOf(document: unknown): JsonRecord | null {
  const extra = isRecord(document) ? memberOf(document, "extra") : undefined;
  const data = isRecord(extra) ? memberOf(extra, "linearData") : undefined;
  return isRecord(data) ? data : null;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, entriesMax) : []);

function idOf(value: unknown): string | null {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" && Number.isInteger(value) ? String(value) : null;
}

function readInput(entry: unknown): AppModeInput | null {
  if (!Array.isArray(entry)) return null;
  const [given, name, config]: readonly unknown[] = entry;
  const id = idOf(given);
  if (id === null || typeof name !== "string" || name === "") return null;
  const description = isRecord(config) ? memberOf(config, "description") : undefined;
  const isDescribed = typeof description === "string" && description.trim() !== "";
  const [node, widget] = targetOf(id, name);
  return { node, widget, description: isDescribed ? description.trim() : null, entry };
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function targetOf(id: string, widget: string): readonly [node: string, widget: string] {
  const parts = id.split(":");
  const [graph = "", node = "", name = ""] = parts;
  // graph:node:widget, with the last two percent-encoded.
  if (parts.length === 3 && (uuid.test(graph) || !/^\d+$/.test(graph))) return [decoded(node), decoded(name)];
  // subgraph:node, where the node is an instance of it.
  if (parts.length === 2 && uuid.test(graph)) return [decoded(node), widget];
  return [id, widget];
}

const decoded = (text: string): string => attempt(() => decodeURIComponent(text), text);
