import assert from "node:assert/strict";
import { test } from "node:test";
import { validateGraph } from "@atelier/engine";
import { invalidGraph } from "./invalid-graph.ts";

const graphs = { fileInputs: () => [], wayOn: (unknown: readonly string[]) => `Ask about ${unknown.length}.` };

test("classes that are not known here are named in the message and in the details, with a way on", () => {
  const graph = {
    "1": { class_type: "CheckpointLoaderSimple", inputs: {} },
    "3": { class_type: "KSampler", inputs: { model: ["1", 0] } },
    "4": { class_type: "KSampler", inputs: { model: ["1", 0] } },
    "9": { class_type: "SaveImage", inputs: { images: ["3", 0], filename_prefix: "x" } },
  };
  const fault = invalidGraph(validateGraph(graph, {}), graph, graphs);
  assert.match(
    fault.message,
    /3 nodes have problems\. Unknown node classes: CheckpointLoaderSimple, KSampler\. Ask about 2\.$/,
  );
  assert.deepEqual(Object(fault.details)["unknown_classes"], ["CheckpointLoaderSimple", "KSampler"]);
});

test("a graph of known classes speaks of no unknown ones", () => {
  const graph = { "9": { class_type: "SaveImage", inputs: { filename_prefix: "x" } } };
  const fault = invalidGraph(validateGraph(graph, {}), graph, graphs);
  assert.doesNotMatch(fault.message, /Unknown node classes/);
  assert.equal("unknown_classes" in Object(fault.details), false);
});

test("many unknown classes make no endless sentence", () => {
  const node = (index: number) => [String(index), { class_type: `Foreign${index}`, inputs: {} }];
  const graph = Object.fromEntries(Array.from({ length: 40 }, (_, index) => node(index)));
  const fault = invalidGraph(validateGraph(graph, {}), graph, graphs);
  assert.match(fault.message, /Foreign4 and 35 more\. Ask about 40\.$/);
});
