import assert from "node:assert/strict";
import { test } from "node:test";
import { validateGraph } from "@atelier/engine";
import { engineGraphOf } from "./engine-segment.ts";

const empty = { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } };
const save = (from: string) => ({ class_type: "SaveImage", inputs: { images: [from, 0], filename_prefix: "a" } });

test("a graph without test classes goes to the engine as it was submitted", () => {
  const graph = { "1": empty, "2": save("1") };
  const made = engineGraphOf(graph, ["1", "2"], new Set(["2"]));
  assert.equal(made.graph, graph);
  assert.deepEqual(made.targets, ["2"]);
});

test("links through test classes lead to the values they pass on, and the engine accepts the result", () => {
  const graph = {
    "1": empty,
    "2": { class_type: "TestSleep", inputs: { value: ["1", 0], seconds: 1 } },
    "3": { class_type: "TestSleep", inputs: { value: ["2", 0], seconds: 1 } },
    "4": save("3"),
  };
  const made = engineGraphOf(graph, ["4"], new Set(["4"]));
  assert.deepEqual(Object.keys(made.graph), ["1", "4"]);
  assert.deepEqual(made.graph["4"]?.inputs["images"], ["1", 0]);
  assert.equal(validateGraph(made.graph).ok, true);
});

test("nodes that only later nodes need are computed too, for a silent output", () => {
  const graph = {
    "1": empty,
    "2": { class_type: "TestSleep", inputs: { value: ["1", 0], seconds: 1 } },
    "3": save("2"),
  };
  const made = engineGraphOf(graph, ["1"], new Set(["3"]));
  assert.deepEqual(made.targets, ["probe 1"]);
  assert.equal(validateGraph(made.graph, { outputs: made.targets }).ok, true);
});
