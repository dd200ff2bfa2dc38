import assert from "node:assert/strict";
import { test } from "node:test";
import { leftOutOutputs } from "./left-out-outputs.ts";
import { readObjectInfo } from "./read-object-info.ts";

const info = (isOutput: boolean) => ({ input: { required: {} }, output: [], output_node: isOutput });
const described = readObjectInfo({ Save: info(true), Make: info(false) })?.described ?? new Map();
const graph = {
  "1": { class_type: "Make", inputs: {} },
  "2": { class_type: "Save", inputs: {} },
  "3": { class_type: "Save", inputs: {} },
  "4": { class_type: "Unknown", inputs: {} },
};

test("an output node that the prompt is not run for is left out", () => {
  assert.deepEqual(leftOutOutputs(graph, described, ["2"]), [{ nodeId: "3", classType: "Save" }]);
  assert.deepEqual(leftOutOutputs(graph, described, []).length, 2);
});

test("a whole prompt leaves nothing out, and neither does one that says nothing", () => {
  assert.deepEqual(leftOutOutputs(graph, described, ["3", "2", "9"]), []);
  assert.deepEqual(leftOutOutputs(graph, described, null), []);
});
