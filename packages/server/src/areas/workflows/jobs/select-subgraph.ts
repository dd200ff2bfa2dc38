// The part of a graph that some of its nodes need, including those nodes: what runs if only they are requested. This file does
// not know which of them are outputs; graph validation does, and refuses a part without any.
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";

export function selectSubgraph(graph: JsonRecord, targets: readonly string[]): JsonRecord {
  const needed = new Set<string>();
  const open = targets.filter((id) => Object.hasOwn(graph, id));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    open.push(...sourcesOf(graph[id]).filter((source) => Object.hasOwn(graph, source)));
  }
  return Object.fromEntries(Object.entries(graph).filter(([id]) => needed.has(id)));
}

// A link is `[node, output]`.
function sourcesOf(node: unknown): string[] {
  const inputs = isRecord(node) ? node["inputs"] : undefined;
  return isRecord(inputs) ? Object.values(inputs).flatMap((value) => (isLink(value) ? [String(value[0])] : [])) : [];
}

const isLink = (value: unknown): value is readonly [string | number, number] =>
  Array.isArray(value) &&
  value.length === 2 &&
  (typeof value[0] === "string" || typeof value[0] === "number") &&
  typeof value[1] === "number";
