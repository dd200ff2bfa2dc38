// Finds and sets the seeds of a graph: integers called `seed` or `noise_seed`, also if they come from a node that holds nothing
// but the number. Seeds have up to 64 bits and keep every digit.
import type { ApiGraph, NodeInput } from "./graph-inputs.ts";

export type Seed = number | bigint;

const seedNames = ["seed", "noise_seed"];

// Leaves out seeds that -i has set: an explicit value wins.
export function findSeeds(graph: ApiGraph, given: readonly NodeInput[]): readonly NodeInput[] {
  const found = Object.entries(graph).flatMap(([nodeId, { inputs = {} }]) =>
    seedNames.flatMap((input) => seedAt(graph, { nodeId, input }, inputs[input]) ?? []),
  );
  const isGiven = (seed: NodeInput) => given.some((each) => isSame(each, seed));
  return found.filter((seed, at) => found.findIndex((each) => isSame(each, seed)) === at && !isGiven(seed));
}

function seedAt(graph: ApiGraph, at: NodeInput, value: unknown): NodeInput | null {
  if (isInteger(value)) return at;
  const sourceId = Array.isArray(value) && value.length === 2 ? String(value[0]) : null;
  const source = sourceId !== null && Object.hasOwn(graph, sourceId) ? graph[sourceId] : undefined;
  if (sourceId === null || !/^Primitive/.test(String(source?.class_type))) return null;
  return isInteger(source?.inputs?.["value"]) ? { nodeId: sourceId, input: "value" } : null;
}

const isSame = (one: NodeInput, other: NodeInput): boolean => one.nodeId === other.nodeId && one.input === other.input;

const isInteger = (value: unknown): value is Seed => typeof value === "bigint" || Number.isSafeInteger(value);

// The seed they all share; null if there is none, or if they differ.
export function seedOf(graph: ApiGraph, seeds: readonly NodeInput[]): Seed | null {
  const values = seeds.map(({ nodeId, input }) => graph[nodeId]?.inputs?.[input]).filter(isInteger);
  const [first] = values;
  return first !== undefined && values.every((each) => String(each) === String(first)) ? first : null;
}
