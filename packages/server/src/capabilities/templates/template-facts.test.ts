// What a workflow needs, read from its file alone.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { factsOf } from "./template-facts.ts";
import { needsOf, servedHere } from "./template-needs.ts";

const editor = {
  nodes: [
    { id: 1, type: "LoadImage", widgets_values: ["photo.png", "image"] },
    {
      id: 2,
      type: "UNETLoader",
      properties: { models: [{ name: "one.safetensors" }] },
      widgets_values: ["sub/one.safetensors"],
    },
    { id: 3, type: "Muted", mode: 2 },
    { id: 4, type: "Bypassed", mode: 4, widgets_values: ["unused.ckpt"] },
    { id: 5, type: "MarkdownNote", widgets_values: ["see https://example.com/a.png"] },
    { id: 6, type: "aaaa-bbbb" },
    { id: 7, type: "aaaa-bbbb" },
    { id: 8, type: "cccc", mode: 4 },
    "no node",
  ],
  definitions: {
    subgraphs: [
      {
        id: "aaaa-bbbb",
        nodes: [
          { id: 1, type: "FluxNode" },
          { id: 2, type: "aaaa-bbbb" },
        ],
      },
      { id: "cccc", nodes: [{ id: 1, type: "NeverRun" }] },
    ],
  },
};

describe("what a template needs", () => {
  test("an editor's file: nodes that run, those in used subgraphs, weights by their file name, files to load", () => {
    assert.deepEqual(factsOf(editor), {
      classes: ["FluxNode", "LoadImage", "UNETLoader"],
      weights: ["one.safetensors"],
      files: ["photo.png"],
    });
  });

  test("a graph in the API format, and nothing from what is no graph", () => {
    const graph = {
      "1": { class_type: "LoadVideo", inputs: { file: "a.mp4", seed: 1 } },
      "2": { class_type: "SaveVideo", inputs: { video: ["1", 0], filename_prefix: "x.png" } },
    };
    assert.deepEqual(factsOf(graph), { classes: ["LoadVideo", "SaveVideo"], weights: [], files: ["a.mp4"] });
    for (const value of [null, 7, "x", [], {}, { nodes: 7 }, { nodes: [{ type: 7 }] }])
      assert.deepEqual(factsOf(value), { classes: [], weights: [], files: [] });
  });

  test("what is not here: a class, weights that no class offers, and the provider of a class that can call nothing", () => {
    const described = {
      descriptions: new Map<string, unknown>([
        ["LoadImage", { input: { required: {} } }],
        ["UNETLoader", { input: { required: { unet_name: [["folder/one.safetensors"], {}] } } }],
        ["FluxNode", {}],
        ["ClaudeNode", {}],
      ]),
    };
    const here = servedHere(described, {
      modelsOf: (name) =>
        name === "FluxNode" ? ["bfl/flux-2", "bfl/flux-2-max"] : name === "ClaudeNode" ? ["anthropic/opus"] : [],
      canCall: (id) => id === "bfl/flux-2-max",
    });
    assert.deepEqual(needsOf(factsOf(editor), here), { classes: [], weights: [], providers: [] });
    const more = { classes: ["ClaudeNode", "Unknown"], weights: ["one.safetensors", "two.gguf"], files: [] };
    assert.deepEqual(needsOf(more, here), { classes: ["Unknown"], weights: ["two.gguf"], providers: ["anthropic"] });
  });
});
