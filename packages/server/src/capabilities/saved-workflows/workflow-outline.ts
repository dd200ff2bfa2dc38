// The nodes of a workflow document, in whichever format it was saved: what a search finds and what a diff compares. Nothing is
// refused here. A document may hold anything, and what cannot be read as a node is left out.
import { canonicalJson, type JsonDocument } from "../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord } from "../../foundation/json/json-record.ts";
import { pointerSegment } from "../../foundation/json-pointer.ts";

export type InputValue =
  // JSON text with exact digits.
  | { readonly kind: "value"; readonly text: string }
  | { readonly kind: "link"; readonly from: string; readonly slot: number };

export interface NodeOutline {
  readonly id: string;
  readonly classType: string;
  readonly title: string | null;
  readonly inputs: ReadonlyMap<string, InputValue>;
}

export type WorkflowOutline = ReadonlyMap<string, NodeOutline>;

export function outlineWorkflow(document: JsonDocument, isEditorFormat: boolean): WorkflowOutline {
  if (!isRecord(document.value)) return new Map();
  const nodes = isEditorFormat
    ? editorNodes(document, document.value)
    : apiNodes(document, Object.entries(document.value));
  return new Map(nodes.map((node) => [node.id, node]));
}

// The members are in the order in which an object has them.
export function apiNodes(document: JsonDocument, members: readonly (readonly [string, unknown])[]): NodeOutline[] {
  // Only large integers are looked up by their place.
  const isExact = document.exactIntegers.size > 0;
  const nodes: NodeOutline[] = [];
  for (const [id, node] of members) {
    const classType = isRecord(node) ? node["class_type"] : undefined;
    if (!isRecord(node) || typeof classType !== "string") continue;
    const inputs = () => inputsOf(document, node["inputs"], isExact ? `/${pointerSegment(id)}/inputs/` : null);
    const meta = node["_meta"];
    const title = isRecord(meta) ? textOrNull(meta["title"]) : null;
    nodes.push(new ReadNode({ id, classType, title }, inputs));
  }
  return nodes;
}

function inputsOf(document: JsonDocument, given: unknown, pointer: string | null): NodeOutline["inputs"] {
  const found = new Map<string, InputValue>();
  for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
    const at = pointer === null ? "" : `${pointer}${pointerSegment(name)}`;
    found.set(name, linkOf(value) ?? valueAt(document, value, at));
  }
  return found;
}

// Of thousands of nodes, a search reads the inputs of the first ones only.
class ReadNode implements NodeOutline {
  readonly id: string;
  readonly classType: string;
  readonly title: string | null;
  readonly #read: () => NodeOutline["inputs"];
  #inputs: NodeOutline["inputs"] | undefined;

  constructor({ id, classType, title }: Omit<NodeOutline, "inputs">, read: () => NodeOutline["inputs"]) {
    this.id = id;
    this.classType = classType;
    this.title = title;
    this.#read = read;
  }

  get inputs(): NodeOutline["inputs"] {
    this.#inputs ??= this.#read();
    return this.#inputs;
  }
}

// Subgraphs are documents in the document. A node in one is named after the subgraph, so that ids stay unique.
function editorNodes(document: JsonDocument, whole: JsonRecord): NodeOutline[] {
  const definitions = isRecord(whole["definitions"]) ? whole["definitions"]["subgraphs"] : undefined;
  const subgraphs = (Array.isArray(definitions) ? definitions : []).flatMap((graph: unknown, at) => {
    const id = isRecord(graph) ? textOrNull(graph["id"]) : null;
    return isRecord(graph) && id !== null ? listNodes(document, graph, `/definitions/subgraphs/${at}`, `${id}:`) : [];
  });
  return [...listNodes(document, whole, "", ""), ...subgraphs];
}

function listNodes(document: JsonDocument, graph: JsonRecord, pointer: string, prefix: string): NodeOutline[] {
  let links: ReturnType<typeof linksOf> | undefined;
  const nodes: readonly unknown[] = Array.isArray(graph["nodes"]) ? graph["nodes"] : [];
  return nodes.flatMap((node, at) => {
    const classType = isRecord(node) ? node["type"] : undefined;
    if (!isRecord(node) || typeof classType !== "string") return [];
    const id = `${prefix}${String(node["id"])}`;
    const inputs = () => {
      links ??= linksOf(graph["links"]);
      const slots: readonly unknown[] = Array.isArray(node["inputs"]) ? node["inputs"] : [];
      const found = new Map<string, InputValue>(widgetsOf(document, node, `${pointer}/nodes/${at}`));
      for (const input of slots) {
        const link = isRecord(input) ? links.get(String(input["link"])) : undefined;
        const name = isRecord(input) ? textOrNull(input["name"]) : null;
        if (link !== undefined && name !== null) found.set(name, { ...link, from: `${prefix}${link.from}` });
      }
      return found;
    };
    return [new ReadNode({ id, classType, title: textOrNull(node["title"]) }, inputs)];
  });
}

// The editor keeps widget values in a list; the inputs that have a widget give the names if there is one for each value.
function widgetsOf(document: JsonDocument, node: JsonRecord, pointer: string): [string, InputValue][] {
  const values = node["widgets_values"];
  const at = `${pointer}/widgets_values`;
  if (isRecord(values))
    return Object.entries(values).map(([name, value]) => [
      name,
      valueAt(document, value, `${at}/${pointerSegment(name)}`),
    ]);
  if (!Array.isArray(values)) return [];
  const inputs: readonly unknown[] = Array.isArray(node["inputs"]) ? node["inputs"] : [];
  const named = inputs.flatMap((input) =>
    isRecord(input) && isRecord(input["widget"]) ? [String(input["widget"]["name"])] : [],
  );
  return values.map((value, index) => {
    const name = named.length === values.length ? named[index] : undefined;
    return [name ?? `value ${index + 1}`, valueAt(document, value, `${at}/${index}`)];
  });
}

// Links are lists in the usual version of the format and objects in the newer one.
function linksOf(links: unknown): Map<string, Extract<InputValue, { kind: "link" }>> {
  const found = new Map<string, Extract<InputValue, { kind: "link" }>>();
  for (const link of Array.isArray(links) ? links : []) {
    const [id, from, slot] = Array.isArray(link)
      ? link
      : isRecord(link)
        ? [link["id"], link["origin_id"], link["origin_slot"]]
        : [];
    if (id !== undefined && from !== undefined)
      found.set(String(id), { kind: "link", from: String(from), slot: Number(slot) });
  }
  return found;
}

function linkOf(value: unknown): InputValue | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [from, slot]: unknown[] = value;
  return typeof from === "string" && typeof slot === "number" ? { kind: "link", from, slot } : null;
}

function valueAt({ exactIntegers }: JsonDocument, value: unknown, pointer: string): InputValue {
  if (typeof value === "string") return { kind: "value", text: JSON.stringify(value) };
  const exact = exactIntegers.get(pointer);
  if (exact !== undefined) return { kind: "value", text: exact };
  if (exactIntegers.size === 0) return { kind: "value", text: canonicalJson(value) };
  const below = [...exactIntegers].filter(([at]) => at.startsWith(`${pointer}/`));
  const digits = new Map(below.map(([at, text]) => [at.slice(pointer.length), text]));
  return { kind: "value", text: canonicalJson(value, digits) };
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
