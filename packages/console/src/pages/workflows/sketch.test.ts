// A graph with missing classes is still drawn, and each missing class is named with the closest available ones.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { linksOf } from "../../api/graphs.ts";
import { nearestTo } from "./nearest.ts";
import { sketchedClasses, sketchOf } from "./sketch.ts";

// The editor's first example as it saves it, shortened.
const editor = {
  nodes: [
    { id: 4, type: "CheckpointLoaderSimple", pos: [26, 474], outputs: [], widgets_values: ["v1-5.safetensors"] },
    { id: 6, type: "CLIPTextEncode", title: "Prompt", inputs: [{ name: "clip", type: "CLIP", link: 3 }] },
    {
      id: 3,
      type: "KSampler",
      inputs: [
        { name: "model", link: 1 },
        { name: "positive", link: 4 },
        { name: "latent_image", link: null },
      ],
    },
    { id: 9, type: "MarkdownNote", widgets_values: ["hello"] },
    "rubbish",
  ],
  links: [
    [1, 4, 0, 3, 0, "MODEL"],
    [3, 4, 1, 6, 0, "CLIP"],
    { id: 4, origin_id: 6, origin_slot: 0, target_id: 3, target_slot: 1, type: "CONDITIONING" },
  ],
};

describe("a graph with missing classes", () => {
  test("is drawn with its titles and links, without the editor's notes", () => {
    const graph = sketchOf(editor);
    assert.deepEqual(Object.keys(graph), ["3", "4", "6"]);
    assert.equal(graph["3"]?.class_type, "KSampler");
    assert.equal(graph["6"]?._meta?.["title"], "Prompt");
    assert.deepEqual(
      linksOf(graph).map(({ from, slot, to, input }) => `${from}.${slot}>${to}.${input}`),
      ["4.0>3.model", "6.0>3.positive", "4.1>6.clip"],
    );
  });

  test("says the outputs of classes that are not here, by the editor's file", () => {
    const outputs = [{ name: "MODEL", type: "MODEL" }, { type: "CLIP" }, "rubbish"];
    const classes = sketchedClasses({ nodes: [{ id: 1, type: "Loader", outputs }, null, { id: 2, type: "Bare" }] });
    assert.deepEqual([...classes.keys()], ["Loader"]);
    assert.deepEqual(
      classes.get("Loader")?.outputs.map(({ name, type }) => [name, type]),
      [
        ["MODEL", "MODEL"],
        ["CLIP", "CLIP"],
        ["*", "*"],
      ],
    );
  });

  test("that is not an editor's graph gives no node, and throws nothing", () => {
    for (const nodes of [[], [null, 7, {}, { type: 3 }]]) assert.deepEqual(sketchOf({ nodes, links: "no" }), {});
  });

  test("suggests the nearest known class, and nothing where none comes close", () => {
    const known = ["EmptyImage", "EmptyLatentImage", "ImageScale", "LatentUpscale", "SaveImage"];
    assert.deepEqual(nearestTo("Empty_Latent_Image", known), ["EmptyLatentImage", "EmptyImage"]);
    assert.deepEqual(nearestTo("SaveImages", known, 1), ["SaveImage"]);
    assert.deepEqual(nearestTo("KSampler", known), []);
  });
});
