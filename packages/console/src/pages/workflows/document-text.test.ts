// What is saved is what was opened, with the changed values and nothing else changed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseJson } from "@atelier/sdk";
import type { Graph } from "../../api/graphs.ts";
import { documentToSave } from "./document-text.ts";

const opened = { name: "a", said: "b", positions: null };
const graph: Graph = { "1": { class_type: "EmptyImage", inputs: { width: 64, seed: 18446744073709551615n } } };
const source = '{ "1": {"class_type": "EmptyImage", "inputs": {"width": 32, "seed": 1}, "pack": {"v": 2}} }';

describe("the document of an open workflow", () => {
  test("is the opened text itself if no value was changed", () => {
    assert.deepEqual(documentToSave({ ...opened, graph, source }, graph, false), { text: source, losesLayout: false });
  });

  test("has changed values to the last digit, and keeps what we do not know of a node", () => {
    const { text, losesLayout } = documentToSave({ ...opened, graph, source }, graph, true);
    const node = (parseJson(text) as Record<string, unknown>)["1"];
    assert.deepEqual(node, { class_type: "EmptyImage", inputs: graph["1"]?.inputs, pack: { v: 2 } });
    assert.equal(losesLayout, false);
  });

  test("an editor's file stays one until a value is changed; then it says that the layout goes", () => {
    const editor = '{"nodes": [{"id": 1, "type": "EmptyImage", "pos": [1, 2]}], "links": []}';
    assert.equal(documentToSave({ ...opened, graph, source: editor }, graph, false).text, editor);
    const changed = documentToSave({ ...opened, graph, source: editor }, graph, true);
    assert.equal(changed.losesLayout, true);
    assert.match(changed.text, /"seed":18446744073709551615/);
  });

  test("an editor's file that cannot be converted is saved as it is", () => {
    const sketch = { editor: { nodes: [{ id: 1, type: "KSampler" }] }, missing: ["KSampler"], problems: [] };
    assert.deepEqual(parseJson(documentToSave({ ...opened, graph, sketch }, graph, false).text), sketch.editor);
  });
});
