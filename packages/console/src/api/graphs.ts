// Graphs as jobs run them: nodes by id, inputs that are values or links. We recognise, show and compare what people bring, so we
// cannot rely on its shape.
import type { Graph, GraphNode, SubmitJob } from "@atelier/sdk";
import { isRecord } from "./json-record.ts";

export type { Graph, GraphNode } from "@atelier/sdk";

// People bring anything; the server says what is wrong with it.
export const asWorkflow = (brought: unknown): NonNullable<SubmitJob["workflow"]> =>
  brought as NonNullable<SubmitJob["workflow"]>;

export interface GraphLink {
  readonly from: string;
  readonly slot: number;
  readonly to: string;
  readonly input: string;
}

export interface GraphValue {
  readonly nodeId: string;
  readonly input: string;
  readonly value: unknown;
}

// A link is [node id, output index]; any other list is a value.
export function linkIn(value: unknown): readonly [string, number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [from, slot] = value as unknown[];
  const id = typeof from === "string" || typeof from === "number" ? String(from) : null;
  return id !== null && typeof slot === "number" && Number.isInteger(slot) && slot >= 0 ? [id, slot] : null;
}

// Numeric ids sort as numbers: 2 before 10.
const byId = new Intl.Collator("en", { numeric: true });

export function nodesOf(graph: Graph): readonly (readonly [string, GraphNode])[] {
  return Object.entries(graph).toSorted(([one], [other]) => byId.compare(one, other));
}

export function linksOf(graph: Graph): readonly GraphLink[] {
  return Object.entries(graph).flatMap(([to, { inputs }]) =>
    Object.entries(inputs).flatMap(([input, value]) => {
      const link = linkIn(value);
      return link === null || !Object.hasOwn(graph, link[0]) ? [] : [{ from: link[0], slot: link[1], to, input }];
    }),
  );
}

export function valuesOf(nodeId: string, node: GraphNode): readonly GraphValue[] {
  return Object.entries(node.inputs).flatMap(([input, value]) =>
    linkIn(value) === null ? [{ nodeId, input, value }] : [],
  );
}

export function titleOf(node: GraphNode | undefined, fallback = ""): string {
  const title = node?._meta?.["title"];
  return typeof title === "string" && title !== "" ? title : (node?.class_type ?? fallback);
}

// Null if it is not a graph in API format.
export function readApiGraph(value: unknown): Graph | null {
  if (!isRecord(value)) return null;
  const entries = Object.entries(value);
  if (entries.length === 0) return null;
  const nodes: [string, GraphNode][] = [];
  for (const [id, node] of entries) {
    if (!isRecord(node) || typeof node["class_type"] !== "string") return null;
    const meta = isRecord(node["_meta"]) ? { _meta: node["_meta"] } : {};
    const inputs = isRecord(node["inputs"]) ? node["inputs"] : {};
    nodes.push([id, { class_type: node["class_type"], inputs, ...meta }]);
  }
  return Object.fromEntries(nodes);
}

export interface EditorFile {
  readonly nodes: readonly unknown[];
  readonly [name: string]: unknown;
}

export function isEditorGraph(value: unknown): value is EditorFile {
  return isRecord(value) && Array.isArray(value["nodes"]);
}

export type Positions = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

// The node positions from the editor.
export function positionsIn(editor: EditorFile): Positions {
  const found = new Map<string, { x: number; y: number }>();
  for (const node of editor.nodes) {
    if (!isRecord(node)) continue;
    const at: unknown = node["pos"];
    const [x, y]: unknown[] = Array.isArray(at) ? at : isRecord(at) ? [at["0"], at["1"]] : [];
    if (typeof x === "number" && typeof y === "number") found.set(String(node["id"]), { x, y });
  }
  return found;
}

export interface GraphChange {
  readonly nodeId: string;
  readonly title: string;
  readonly input: string | null;
  readonly kind: "changed" | "added" | "removed";
  readonly before: unknown;
  readonly after: unknown;
}

// What differs in `after`, by node and input.
export function changesBetween(before: Graph, after: Graph, write: (value: unknown) => string): readonly GraphChange[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted(byId.compare);
  return ids.flatMap((nodeId): readonly GraphChange[] => {
    const [old, now] = [before[nodeId], after[nodeId]];
    const title = titleOf(now ?? old, nodeId);
    const whole = { nodeId, title, input: null } as const;
    if (old === undefined) return [{ ...whole, kind: "added", before: undefined, after: now?.class_type }];
    if (now === undefined) return [{ ...whole, kind: "removed", before: old.class_type, after: undefined }];
    const named: GraphChange[] =
      old.class_type === now.class_type
        ? []
        : [{ ...whole, kind: "changed", before: old.class_type, after: now.class_type }];
    const inputs = [...new Set([...Object.keys(old.inputs), ...Object.keys(now.inputs)])];
    const changed = inputs.flatMap((input): readonly GraphChange[] => {
      const [was, is] = [old.inputs[input], now.inputs[input]];
      if (was !== undefined && is !== undefined && write(was) === write(is)) return [];
      const kind = was === undefined ? "added" : is === undefined ? "removed" : "changed";
      return [{ nodeId, title, input, kind, before: was, after: is }];
    });
    return [...named, ...changed];
  });
}
