// What a graph needs and this server lacks, by name and on the node.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescribedClass } from "@atelier/sdk";
import type { Graph } from "../../api/graphs.ts";
import { lackingByNode, lackingWeights } from "./lacking.ts";
import { sketchOf } from "./sketch.ts";

const loader = {
  name: "LoadModel",
  inputs: [{ name: "file", type: "COMBO", choices: ["here.safetensors"] }],
  outputs: [],
} as unknown as DescribedClass;
const classes = new Map([["LoadModel", loader]]);
const said = { missing: "not available here", weights: (name: string) => `${name} is not here` };

test("weights that a class does not list are named, and so are those of a missing class", () => {
  const graph: Graph = {
    "1": { class_type: "LoadModel", inputs: { file: "here.safetensors" } },
    "2": { class_type: "LoadModel", inputs: { file: "gone.safetensors" } },
    "3": { class_type: "KSampler", inputs: { lora: "style.gguf", text: "a file.txt", steps: 3 } },
  };
  const weights = lackingWeights(graph, classes, ["KSampler"]);
  assert.deepEqual(
    weights.map(({ nodeId, name }) => [nodeId, name]),
    [
      ["2", "gone.safetensors"],
      ["3", "style.gguf"],
    ],
  );
  assert.deepEqual(
    [...lackingByNode(graph, ["KSampler"], weights, said)],
    [
      ["2", "gone.safetensors is not here"],
      ["3", "not available here"],
    ],
  );
});

test("the values of an editor's graph are shown by name where the file has names, and never taken for links", () => {
  const graph = sketchOf({
    nodes: [
      {
        id: 3,
        type: "KSampler",
        inputs: [
          { name: "model", link: null },
          { name: "seed", widget: { name: "seed" }, link: null },
          { name: "steps", widget: { name: "steps" }, link: null },
        ],
        widgets_values: [156680208700286, "randomize", 20],
      },
      { id: 4, type: "CheckpointLoaderSimple", widgets_values: ["v1-5.safetensors", [5, 1]] },
      { id: 5, type: "Named", widgets_values: { text: "a cat", list: [1, 2] } },
    ],
    links: [],
  });
  assert.deepEqual(graph["3"]?.inputs, { seed: 156680208700286, steps: 20 });
  assert.deepEqual(graph["4"]?.inputs, { "value 1": "v1-5.safetensors" });
  assert.deepEqual(graph["5"]?.inputs, { text: "a cat" });
  const weights = lackingWeights(graph, new Map(), ["CheckpointLoaderSimple"]);
  assert.deepEqual(
    weights.map(({ name }) => name),
    ["v1-5.safetensors"],
  );
});
