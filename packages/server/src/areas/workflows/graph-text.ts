// A graph as the text that is kept and run. Integers beyond 2^53 (seeds) keep their digits.
import { canonicalJson } from "../../foundation/json-bytes.ts";

export function graphText(graph: object, exactIntegers: ReadonlyMap<string, string>): Buffer {
  // The plain writer keeps the order of members and is faster; order means nothing in a graph.
  return Buffer.from(exactIntegers.size === 0 ? JSON.stringify(graph) : canonicalJson(graph, exactIntegers), "utf8");
}
