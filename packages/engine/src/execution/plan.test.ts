import assert from "node:assert/strict";
import { test } from "node:test";
import type { Graph } from "../graph/graph.ts";
import { planFor } from "./plan.ts";

const node = (...sources: string[]) => ({
  class_type: "x",
  inputs: Object.fromEntries(sources.map((source, at) => [`i${at}`, [source, 0]])),
});
const graph: Graph = { a: node(), b: node("a"), c: node("b"), d: node("a"), out: node("c", "d"), end: node("c") };
const order = ["a", "b", "c", "d", "out", "end"];
const plan = (known: readonly string[], outputs = ["out", "end"]) =>
  planFor(graph, order, outputs, (id) => known.includes(id));

test("with nothing cached everything runs, in order", () => {
  assert.deepEqual(plan([]), { run: order, cached: [] });
});

test("a cached node does not run, nor does anything that only it needed", () => {
  assert.deepEqual(plan(["c"]), { run: ["a", "d", "out", "end"], cached: ["b", "c"] });
  assert.deepEqual(plan(["c", "d"]), { run: ["out", "end"], cached: ["a", "b", "c", "d"] });
});

test("a cached output needs nothing, even if its inputs are forgotten", () => {
  assert.deepEqual(plan(["out"]), { run: ["a", "b", "c", "end"], cached: ["d", "out"] });
  assert.deepEqual(plan(["out", "end"]), { run: [], cached: order });
});
