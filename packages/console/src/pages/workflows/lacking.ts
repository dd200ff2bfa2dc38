// What an open graph needs and this server lacks: node classes, and weights that a node names.
import type { KnownClasses } from "../../api/classes.ts";
import { type Graph, valuesOf } from "../../api/graphs.ts";

export interface LackingWeights {
  readonly name: string;
  readonly nodeId: string;
  readonly classType: string;
}

export interface LackingHere {
  readonly missing: readonly string[];
  readonly weights: readonly LackingWeights[];
}

const weights = /\.(safetensors|ckpt|pth?|bin|gguf|onnx|sft)$/i;

// Files that the class does not list here. Those of a missing class count too: no class lists them.
export function lackingWeights(
  graph: Graph,
  classes: KnownClasses,
  missing: readonly string[],
): readonly LackingWeights[] {
  const gone = new Set(missing);
  return Object.entries(graph).flatMap(([nodeId, node]) =>
    valuesOf(nodeId, node).flatMap(({ input, value }): readonly LackingWeights[] => {
      if (typeof value !== "string" || !weights.test(value)) return [];
      const choices = classes.get(node.class_type)?.inputs.find(({ name }) => name === input)?.choices;
      const isLacking = gone.has(node.class_type) || (choices !== undefined && !choices.includes(value));
      return isLacking ? [{ name: value, nodeId, classType: node.class_type }] : [];
    }),
  );
}

// What each node says about it.
export function lackingByNode(
  graph: Graph,
  missing: readonly string[],
  files: readonly LackingWeights[],
  words: { readonly missing: string; weights(name: string): string },
): ReadonlyMap<string, string> {
  const gone = new Set(missing);
  return new Map([
    ...files.map(({ nodeId, name }) => [nodeId, words.weights(name)] as const),
    ...Object.entries(graph)
      .filter(([, { class_type }]) => gone.has(class_type))
      .map(([id]) => [id, words.missing] as const),
  ]);
}
