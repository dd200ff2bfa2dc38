// The list of values: every one of them once, by node, found by words or through its node.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkInput } from "@atelier/sdk";
import { shownValues } from "./values-by-node.ts";

const graph = {
  "10": { class_type: "SaveImage", inputs: { filename_prefix: "fox" } },
  "2": { class_type: "KSampler", inputs: { seed: 7, steps: 20 }, _meta: { title: "Draw" } },
};
const value = (node: string, input: string, standard: unknown): WorkInput => ({
  name: input,
  node,
  input,
  kind: "text",
  default: standard,
});
const all = [
  value("10", "filename_prefix", "fox"),
  value("2", "seed", 18446744073709551615n),
  value("2", "steps", 20),
  value("7:1", "text", "inside a subgraph"),
];
const found = (text: string, node?: string) =>
  shownValues(all, graph, { text, node }).map(({ title, values }) => [title, ...values.map(({ input }) => input)]);

test("values are listed by node, in the order of the nodes' ids", () => {
  assert.deepEqual(found(""), [
    ["Draw", "seed", "steps"],
    ["SaveImage", "filename_prefix"],
    ["7:1", "text"],
  ]);
});

test("every word must be in the node's title or class, the input's name or its value", () => {
  assert.deepEqual(found("ksampler seed"), [["Draw", "seed"]]);
  assert.deepEqual(found("FOX"), [["SaveImage", "filename_prefix"]]);
  assert.deepEqual(found("18446744073709551615"), [["Draw", "seed"]]);
  assert.deepEqual(found("draw fox"), []);
});

test("a chosen node shows only its own values", () => {
  assert.deepEqual(found("", "2"), [["Draw", "seed", "steps"]]);
  assert.deepEqual(found("fox", "2"), []);
});
