import assert from "node:assert/strict";
import { test } from "node:test";
import { selectSubgraph } from "./select-subgraph.ts";

const node = (inputs: object) => ({ class_type: "Any", inputs });
const graph = {
  source: node({ width: 64, sizes: [1, 2] }),
  paid: node({ image: ["source", 0] }),
  shown: node({ images: ["source", 0] }),
  saved: node({ images: ["paid", 0], mask: ["gone", 0] }),
  ring: node({ image: ["ring", 0] }),
};

test("a part of a graph is what its targets need, and nothing else", () => {
  const part = (...targets: string[]) => Object.keys(selectSubgraph(graph, targets));
  assert.deepEqual(part("shown"), ["source", "shown"]);
  assert.deepEqual(part("saved"), ["source", "paid", "saved"]);
  assert.deepEqual(part("shown", "saved"), ["source", "paid", "shown", "saved"]);
  assert.deepEqual(part("ring"), ["ring"]);
  assert.deepEqual(part("nowhere", "__proto__"), []);
});
