// `-i 6.text=… -i 10.image=@photo.png`: the values a person sets in a graph before it runs.
import { parseJson } from "@atelier/sdk";
import { nearWord } from "../near-word.ts";
import { ClientProblem } from "../server/client-problem.ts";

// One input of one node.
export interface NodeInput {
  readonly nodeId: string;
  readonly input: string;
}

export interface GraphInput extends NodeInput {
  readonly value: { readonly kind: "text"; readonly text: string } | { readonly kind: "file"; readonly path: string };
}

export type ApiGraph = Record<
  string,
  { class_type?: unknown; inputs?: Record<string, unknown>; [other: string]: unknown }
>;

export function parseInput(text: string): GraphInput {
  const parts = /^([^.=]+)\.([^=]+)=([\s\S]*)$/.exec(text);
  if (!parts)
    throw new ClientProblem("usage", "usage", `-i "${text}" has no input name.`, {
      hint: 'use node.input=value, for example -i 6.text="a red fox" or -i 10.image=@photo.png',
    });
  const [, nodeId = "", input = "", value = ""] = parts;
  // @@ is a literal @, so a text may begin with one.
  if (value.startsWith("@@")) return { nodeId, input, value: { kind: "text", text: value.slice(1) } };
  if (value.startsWith("@")) return { nodeId, input, value: { kind: "file", path: value.slice(1) } };
  return { nodeId, input, value: { kind: "text", text: value } };
}

export function findNode(graph: ApiGraph, name: string): NonNullable<ApiGraph[string]["inputs"]> {
  const node = graph[findNodeId(graph, name)] ?? {};
  node.inputs ??= {};
  return node.inputs;
}

// Finds a node by its id, or by its title if no id matches and exactly one title does.
export function findNodeId(graph: ApiGraph, name: string): string {
  if (Object.hasOwn(graph, name)) return name;
  const [id, ...others] = Object.keys(graph).filter((each) => titleOf(graph[each] ?? {}) === name);
  if (id !== undefined && others.length === 0) return id;
  throw new ClientProblem("rejected_input", "no_such_node", `The graph has no node ${name}.`, {
    hint: "use one of these ids, or a title that only one node has",
    lines: Object.entries(graph).map(([each, node]) =>
      `${each}  ${String(node.class_type)}  ${titleOf(node) ?? ""}`.trim(),
    ),
  });
}

// An input the graph does not have may be an optional one, so we set it anyway. Usually it is a typo, and nothing else would
// notice it: a class ignores inputs it does not know.
export function newInput(nodeName: string, inputs: Readonly<Record<string, unknown>>, name: string): string | null {
  if (Object.hasOwn(inputs, name)) return null;
  const known = Object.keys(inputs);
  const near = nearWord(name, known);
  const inputsText = known.length === 0 ? "." : `. It has ${known.join(", ")}.`;
  return `Node ${nodeName} has no input "${name}" in this graph; adding it${near === "." ? inputsText : near}`;
}

// Returns a copy; the original graph does not change.
export function withValue(graph: ApiGraph, inputs: readonly NodeInput[], value: unknown): ApiGraph {
  const copy = { ...graph };
  for (const { nodeId, input } of inputs) {
    const node = copy[nodeId];
    if (node !== undefined) copy[nodeId] = { ...node, inputs: { ...node.inputs, [input]: value } };
  }
  return copy;
}

export function titleOf(node: ApiGraph[string]): string | undefined {
  const meta = node["_meta"];
  return typeof meta === "object" && meta !== null && "title" in meta && typeof meta.title === "string"
    ? meta.title
    : undefined;
}

// Stays text if the graph has text there; otherwise 5, true and [1,2] become JSON values.
export function inputValue(text: string, before: unknown): unknown {
  if (typeof before === "string") return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
