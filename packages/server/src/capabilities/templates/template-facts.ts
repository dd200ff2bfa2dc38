// What a workflow needs to run, read from the file alone: node classes, weights that nodes name, and files to load. In an
// editor's file, nodes that are switched off need nothing, and notes are no classes.
import { isRecord } from "../../foundation/json/json-record.ts";

export interface TemplateFacts {
  readonly classes: readonly string[];
  readonly weights: readonly string[];
  // Pictures, films, sounds and models in space that a person brings.
  readonly files: readonly string[];
}

const weights = /\.(safetensors|ckpt|pth?|bin|gguf|onnx|sft)$/i;
const files = /\.(png|jpe?g|webp|gif|avif|bmp|mp4|mov|webm|mkv|wav|mp3|flac|ogg|m4a|glb|gltf|obj|fbx|stl|svg)$/i;
export const isWeights = (name: string): boolean => weights.test(name);
// They are only drawn, or stand for a value elsewhere.
const drawn = new Set(["Note", "MarkdownNote", "Reroute", "PrimitiveNode"]);
const [muted, bypassed] = [2, 4];

export function factsOf(document: unknown): TemplateFacts {
  const found = { classes: new Set<string>(), weights: new Set<string>(), files: new Set<string>() };
  for (const { classType, values, models } of nodesIn(document)) {
    found.classes.add(classType);
    for (const name of [...models, ...values.filter(isWeights)]) found.weights.add(baseName(name));
    if (/^Load/.test(classType)) for (const value of values) if (files.test(value)) found.files.add(value);
  }
  return { classes: [...found.classes].sort(), weights: [...found.weights].sort(), files: [...found.files].sort() };
}

interface NeedyNode {
  readonly classType: string;
  readonly values: readonly string[];
  readonly models: readonly string[];
}

function nodesIn(document: unknown): NeedyNode[] {
  if (!isRecord(document)) return [];
  if (!Array.isArray(document["nodes"])) return Object.values(document).flatMap(ofGraph);
  const definitions = isRecord(document["definitions"]) ? document["definitions"]["subgraphs"] : undefined;
  const subgraphs = new Map(
    (Array.isArray(definitions) ? definitions : [])
      .filter(isRecord)
      .map((graph) => [String(graph["id"]), graph["nodes"]] as const),
  );
  // A subgraph counts once, and only if a node that runs uses it.
  const read = new Set<string>();
  const walk = (nodes: unknown): NeedyNode[] =>
    (Array.isArray(nodes) ? nodes : []).filter(isRecord).flatMap((node): NeedyNode[] => {
      const { type, mode } = node;
      if (typeof type !== "string" || drawn.has(type) || mode === muted || mode === bypassed) return [];
      if (!subgraphs.has(type)) return [ofEditor(type, node)];
      if (read.has(type)) return [];
      read.add(type);
      return walk(subgraphs.get(type));
    });
  return walk(document["nodes"]);
}

function ofGraph(node: unknown): NeedyNode[] {
  if (!isRecord(node) || typeof node["class_type"] !== "string") return [];
  return [{ classType: node["class_type"], values: textsIn(node["inputs"]), models: [] }];
}

function ofEditor(classType: string, node: Readonly<Record<string, unknown>>): NeedyNode {
  const named = isRecord(node["properties"]) ? node["properties"]["models"] : undefined;
  const models = (Array.isArray(named) ? named : []).flatMap((model: unknown) =>
    isRecord(model) && typeof model["name"] === "string" ? [model["name"]] : [],
  );
  return { classType, values: textsIn(node["widgets_values"]), models };
}

const textsIn = (values: unknown): string[] =>
  (Array.isArray(values) ? values : isRecord(values) ? Object.values(values) : []).filter(
    (value: unknown): value is string => typeof value === "string",
  );

// Weights lie in folders that differ from machine to machine.
export const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
