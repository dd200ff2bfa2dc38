// What a graph says about the picture it made: its texts, seeds, models and sizes, found by the names that graphs use for them.
// Callers send graphs, so we cannot rely on their shape.
import { isRecord } from "../../api/json-record.ts";
export interface GraphValue {
  readonly node: string;
  readonly title: string;
  readonly input: string;
  readonly value: string | number | bigint | boolean;
}

interface Node {
  readonly class_type?: unknown;
  readonly inputs?: unknown;
  readonly _meta?: unknown;
}

export function valuesIn(graph: unknown): readonly GraphValue[] {
  if (!isRecord(graph)) return [];
  const nodes = Object.entries(graph).toSorted(([one], [other]) => one.localeCompare(other, "en", { numeric: true }));
  return nodes.flatMap(([node, described]) => {
    if (!isRecord(described)) return [];
    const { inputs, ...about } = described as Node;
    const title = titleOf(about, node);
    return Object.entries(isRecord(inputs) ? inputs : {}).flatMap(([input, value]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "bigint" || typeof value === "boolean"
        ? [{ node, title, input, value }]
        : [],
    );
  });
}

export function titleOf({ _meta, class_type }: Node, fallback: string): string {
  const title = isRecord(_meta) ? _meta["title"] : undefined;
  if (typeof title === "string" && title !== "") return title;
  return typeof class_type === "string" ? class_type : fallback;
}

export function titleOfNode(graph: unknown, node: string): string | null {
  const found = isRecord(graph) ? graph[node] : undefined;
  return isRecord(found) ? titleOf(found, node) : null;
}

const isPrompt = ({ input, value }: GraphValue) =>
  typeof value === "string" &&
  value.trim() !== "" &&
  /^(text|prompt|positive|negative|.*_prompt|prompt_.*|caption)$/i.test(input);
const isSeed = ({ input, value }: GraphValue) =>
  /seed/i.test(input) && typeof value !== "string" && typeof value !== "boolean";
const isModel = ({ input, value }: GraphValue) =>
  typeof value === "string" && /^(ckpt_name|unet_name|model|model_name|lora_name|vae_name|clip_name\d?)$/i.test(input);

export interface GraphFacts {
  readonly prompts: readonly GraphValue[];
  readonly seeds: readonly GraphValue[];
  readonly models: readonly GraphValue[];
}

export function factsOf(graph: unknown): GraphFacts {
  const values = valuesIn(graph);
  return { prompts: values.filter(isPrompt), seeds: values.filter(isSeed), models: values.filter(isModel) };
}

export interface Difference {
  readonly node: string;
  readonly title: string;
  readonly input: string;
  // One per graph; null if that graph has no such value.
  readonly values: readonly (string | null)[];
  readonly isSame: boolean;
}

// Values by node and input: those that differ first, then equal ones that people ask about (seed, prompts, models).
export function differencesOf(graphs: readonly unknown[]): readonly Difference[] {
  const rows = new Map<string, { value: GraphValue; values: (string | null)[] }>();
  for (const [at, graph] of graphs.entries())
    for (const value of valuesIn(graph)) {
      const key = JSON.stringify([value.node, value.input]);
      const row = rows.get(key) ?? { value, values: graphs.map(() => null) };
      row.values[at] = String(value.value);
      rows.set(key, row);
    }
  const all = [...rows.values()].map(({ value, values }) => ({
    node: value.node,
    title: value.title,
    input: value.input,
    values,
    isSame: values.every((each) => each === values[0]),
    isAsked:
      isPrompt(value) || isSeed(value) || isModel(value) || /^(steps|cfg|denoise|width|height)$/.test(value.input),
  }));
  return [...all.filter(({ isSame }) => !isSame), ...all.filter(({ isSame, isAsked }) => isSame && isAsked)];
}
