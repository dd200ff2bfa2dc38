// What was typed over a graph's values, and the resulting graph.

import type { KnownClasses } from "../../api/classes.ts";
import type { Graph } from "../../api/graphs.ts";
import { type FieldKind, kindOf, readText } from "./field-kinds.ts";

// Texts by node and input; anything not in it is unchanged.
export type Draft = ReadonlyMap<string, string>;

export const draftKey = (nodeId: string, input: string): string => `${nodeId}\n${input}`;

export interface Applied {
  readonly graph: Graph;
  readonly wrong: ReadonlyMap<string, string>;
}

export function apply(graph: Graph, classes: KnownClasses, draft: Draft): Applied {
  const wrong = new Map<string, string>();
  const next: Record<string, Graph[string]> = { ...graph };
  for (const [key, text] of draft) {
    const [nodeId = "", input = ""] = key.split("\n");
    const node = next[nodeId];
    if (node === undefined || !Object.hasOwn(node.inputs, input)) continue;
    const kind = kindAt(graph, classes, nodeId, input);
    const read = readText(kind, text, inputOf(classes, node.class_type, input));
    if ("wrong" in read) wrong.set(key, read.wrong);
    else next[nodeId] = { ...node, inputs: { ...node.inputs, [input]: read.value } };
  }
  return { graph: next, wrong };
}

// The kind follows the graph's original value, so that a field does not change while typing.
export function kindAt(graph: Graph, classes: KnownClasses, nodeId: string, input: string): FieldKind {
  const node = graph[nodeId];
  return kindOf(inputOf(classes, node?.class_type ?? "", input), node?.inputs[input]);
}

export function inputOf(classes: KnownClasses, classType: string, name: string) {
  return classes.get(classType)?.inputs.find((input) => input.name === name);
}
