// An editor's graph as an API graph. What only the editor knows disappears on the way: notes, reroutes, primitive nodes
// (their value goes where they point), muted nodes with their links, bypassed nodes (the link goes through them).
import { type Graph, type GraphNode, isRecord, type Link } from "./graph.ts";
import type { ClassDescriptions, NodeClassDescription } from "./node-class.ts";
import { readUiGraph, type UiGraph, type UiNode } from "./ui-graph.ts";
import { widgetValues } from "./widget-values.ts";

type ConvertedGraph =
  | { readonly ok: true; readonly graph: Graph }
  // Classes we do not know, and other reasons, each as a sentence with its node id.
  | { readonly ok: false; readonly unknownClasses: readonly string[]; readonly problems: readonly string[] };

const notes = new Set(["Note", "MarkdownNote"]);
const reroute = "Reroute";
const primitive = "PrimitiveNode";
const editorOnly = new Set([...notes, reroute, primitive]);

export function convertUiGraph(value: unknown, classes: ClassDescriptions): ConvertedGraph {
  const ui = readUiGraph(value);
  const subgraphs = subgraphIds(value);
  const unknown = new Set<string>();
  const problems: string[] = [];
  const nodes: [string, GraphNode][] = [];
  for (const node of ui.nodes.values()) {
    if (node.isMuted || node.isBypassed || editorOnly.has(node.type)) continue;
    const description = classes.get(node.type);
    if (description) nodes.push([node.id, convertNode(node, description, ui)]);
    else if (subgraphs.has(node.type)) problems.push(`Node ${node.id} is a subgraph; unpack it in the editor first.`);
    else unknown.add(node.type);
  }
  if (unknown.size > 0 || problems.length > 0) return { ok: false, unknownClasses: [...unknown].sort(), problems };
  if (nodes.length === 0) return { ok: false, unknownClasses: [], problems: ["The graph has no node that can run."] };
  return { ok: true, graph: Object.fromEntries(nodes) };
}

function subgraphIds(value: unknown): Set<unknown> {
  const definitions = isRecord(value) ? value["definitions"] : undefined;
  const subgraphs = isRecord(definitions) ? definitions["subgraphs"] : undefined;
  return new Set(Array.isArray(subgraphs) ? subgraphs.map((each) => (isRecord(each) ? each["id"] : undefined)) : []);
}

function convertNode(node: UiNode, description: NodeClassDescription, ui: UiGraph): GraphNode {
  const values = widgetValues(node, description);
  const inputs: Record<string, unknown> = {};
  for (const { name } of description.inputs) {
    const slot = node.inputs.find((input) => input.name === name);
    const origin = slot?.link === undefined || slot.link === null ? null : originOf(slot.link, ui);
    if (origin?.kind === "link") inputs[name] = origin.link;
    else if (origin?.kind === "value") inputs[name] = wrapped(origin.value);
    else if (values.has(name)) inputs[name] = wrapped(values.get(name));
  }
  return { class_type: node.type, inputs, _meta: { title: node.title ?? description.displayName ?? description.name } };
}

function wrapped(value: unknown): unknown {
  return Array.isArray(value) ? { __value__: value } : value;
}

type Origin = { readonly kind: "link"; readonly link: Link } | { readonly kind: "value"; readonly value: unknown };

// Follows a link through everything that only the editor knows. `null`: it leads nowhere.
function originOf(linkId: string, ui: UiGraph): Origin | null {
  const seen = new Set<string>();
  let next: string | null = linkId;
  while (next !== null && !seen.has(next)) {
    seen.add(next);
    const link = ui.links.get(next);
    const node = link ? ui.nodes.get(link.source) : undefined;
    if (!link || !node || node.isMuted) return null;
    if (node.type === reroute) next = node.inputs[0]?.link ?? null;
    else if (node.isBypassed) next = throughBypass(node, link.slot);
    else if (node.type === primitive) return { kind: "value", value: firstValue(node) };
    else return { kind: "link", link: [node.id, link.slot] };
  }
  return null;
}

// A bypassed node hands on the input of the output's type: the one in the same place if it fits, else the first.
function throughBypass(node: UiNode, slot: number): string | null {
  const type = node.outputTypes[slot];
  const same = node.inputs[slot];
  if (same?.type === type) return same?.link ?? null;
  return node.inputs.find((input) => input.type === type)?.link ?? null;
}

function firstValue(node: UiNode): unknown {
  return Array.isArray(node.widgets) ? node.widgets[0] : Object.values(node.widgets)[0];
}
