// The models that a graph names, recognized by file extension. The machine that last ran a graph with them probably still
// has them in memory, so it is the best one for the next.
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
