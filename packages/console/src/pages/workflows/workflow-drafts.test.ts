// A reload loses nothing of an open workflow, and nothing that looks secret is stored.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseJson, writeJson } from "@atelier/sdk";
import { labelOf, readWritten, type WorkflowDraft, written } from "./workflow-drafts.ts";

const draft: WorkflowDraft = {
  opened: {
    name: "portrait.json",
    said: "a graph in API format",
    graph: {
      "1": { class_type: "EmptyImage", inputs: { width: 64, seed: 18446744073709551615n }, _meta: { title: "Ground" } },
      "2": { class_type: "Remote", inputs: { api_key: "sk-1", image: ["1", 0], max_tokens: 7 } },
    },
    positions: new Map([["1", { x: 10, y: 20 }]]),
  },
  edits: new Map([
    ["1\nwidth", "128"],
    ["2\napi_key", "sk-2"],
  ]),
  labels: "portrait",
};

describe("the draft of a workflow", () => {
  test("comes back unchanged: file name, graph to the last digit, positions, edits and labels", () => {
    const read = readWritten(parseJson(writeJson(written(draft)))) ?? assert.fail("the draft is not read");
    assert.equal(read.opened.name, "portrait.json");
    assert.deepEqual(read.opened.graph["1"], draft.opened.graph["1"]);
    assert.deepEqual(read.opened.positions, draft.opened.positions);
    assert.equal(read.edits.get("1\nwidth"), "128");
    assert.equal(read.labels, "portrait");
  });

  test("leaves out the value of any input named like a secret, and keeps the rest of that node", () => {
    const text = writeJson(written(draft));
    assert.doesNotMatch(text, /sk-/);
    assert.deepEqual(readWritten(parseJson(text))?.opened.graph["2"]?.inputs, {
      api_key: "",
      image: ["1", 0],
      max_tokens: 7,
    });
  });

  test("the document comes back byte for byte, unless it holds a secret", () => {
    const [one, two] = [draft.opened.graph["1"], draft.opened.graph["2"]];
    assert.ok(one && two);
    const sourceOf = (graph: WorkflowDraft["opened"]["graph"]) =>
      readWritten(parseJson(writeJson(written({ ...draft, opened: { ...draft.opened, graph, source: "{ }" } }))))
        ?.opened.source;
    assert.equal(sourceOf({ "1": one }), "{ }");
    assert.equal(sourceOf({ "1": one, "2": two }), undefined);
  });

  test("a graph that could not be converted is still drawn after a reload, with what it lacks", () => {
    const editor = { nodes: [{ id: 1, type: "KSampler" }] };
    const sketch = { editor, missing: ["KSampler"], problems: [] };
    const read = readWritten(parseJson(writeJson(written({ ...draft, opened: { ...draft.opened, sketch } }))));
    assert.deepEqual(read?.opened.sketch, sketch);
  });

  test("a draft from another version counts as none", () => {
    for (const value of [null, 7, {}, { edits: [] }, { edits: [], opened: { name: "a", said: "b", graph: { a: 1 } } }])
      assert.equal(readWritten(value), null);
  });

  test("a job is named after its file, without the extension", () => {
    assert.equal(labelOf("portrait v2.json"), "portrait v2");
    assert.equal(labelOf("grain.final.png"), "grain.final");
    assert.equal(labelOf("First picture"), "First picture");
  });
});
