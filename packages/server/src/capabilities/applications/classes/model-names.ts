// The models that a graph names, by the endings of model files. Where the same graph ran last they are likely still in
// memory, so that is where the next one is best placed.
import { isModelFile } from "../../jobs/index.ts";
import { isRecord, memberOf } from "../line/json-record.ts";

const namesMax = 64;
const nameCharactersMax = 300;

export function modelNames(graph: unknown): readonly string[] {
  const names = new Set<string>();
  for (const node of isRecord(graph) ? Object.values(graph) : []) {
    const inputs = isRecord(node) ? memberOf(node, "inputs") : undefined;
    for (const value of isRecord(inputs) ? Object.values(inputs) : []) {
      if (typeof value !== "string" || value.length > nameCharactersMax || !isModelFile(value)) continue;
      names.add(value);
      if (names.size >= namesMax) return [...names];
    }
  }
  return [...names];
}
