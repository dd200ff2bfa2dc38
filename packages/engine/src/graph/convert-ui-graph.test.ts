import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { builtInEditorClasses } from "./built-in-editor-classes.ts";
import { convertUiGraph } from "./convert-ui-graph.ts";
import { isUiGraph } from "./ui-graph.ts";
import { validateGraph } from "./validate-graph.ts";

const slot = (name: string, type: string, link: number | null) => ({ name, type, link });
const out = (type: string, links: number[]) => ({ name: type, type, links });

const empty = {
  id: 1,
  type: "EmptyImage",
  mode: 0,
  inputs: [] as object[],
  outputs: [out("IMAGE", [1])],
  widgets_values: [64, 32, 1, 255],
};
const save = {
  id: 9,
  type: "SaveImage",
  mode: 0,
  title: "Keep",
  inputs: [slot("images", "IMAGE", 3)],
  widgets_values: ["x"],
};

function converted(value: unknown) {
  const result = convertUiGraph(value, builtInEditorClasses);
  assert.ok(result.ok, JSON.stringify(result));
  return result.graph;
}

test("an editor's export is distinguished from an API graph", () => {
  assert.ok(isUiGraph({ nodes: [], links: [] }));
  assert.ok(!isUiGraph({ "1": { class_type: "EmptyImage", inputs: {} } }));
  assert.ok(!isUiGraph({ nodes: {}, links: [] }) && !isUiGraph(null) && !isUiGraph([]));
});

test("widget values go to their inputs in order, links by their slot, with titles", () => {
  const graph = converted({ nodes: [empty, save], links: [[3, 1, 0, 9, 0, "IMAGE"]] });
  assert.deepEqual(graph, {
    "1": {
      class_type: "EmptyImage",
      inputs: { width: 64, height: 32, batch_size: 1, color: 255 },
      _meta: { title: "EmptyImage" },
    },
    "9": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" }, _meta: { title: "Keep" } },
  });
  assert.ok(validateGraph(graph).ok);
});

test("links may be objects, and widget values may have names", () => {
  const named = { ...empty, widgets_values: { color: 1, width: 2, height: 3, batch_size: 4 } };
  const links = [{ id: 3, origin_id: 1, origin_slot: 0, target_id: 9, target_slot: 0, type: "IMAGE" }];
  const graph = converted({ nodes: [named, save], links });
  assert.deepEqual(graph["1"]?.inputs, { width: 2, height: 3, batch_size: 4, color: 1 });
  assert.deepEqual(graph["9"]?.inputs["images"], ["1", 0]);
});

test("the widget after a seed and the button after a file name are not inputs", () => {
  const noise = {
    id: 2,
    type: "ImageAddNoise",
    inputs: [slot("image", "IMAGE", 1)],
    widgets_values: [42, "randomize", 0.25],
  };
  const older = { ...noise, id: 3, inputs: [], widgets_values: [43, 0.75] };
  const load = { id: 4, type: "LoadImageMask", widgets_values: ["a.png", "red", "image"] };
  const graph = converted({ nodes: [empty, noise, older, load], links: [[1, 1, 0, 2, 0, "IMAGE"]] });
  assert.deepEqual(graph["2"]?.inputs, { image: ["1", 0], seed: 42, strength: 0.25 });
  assert.deepEqual([graph["3"]?.inputs["seed"], graph["3"]?.inputs["strength"]], [43, 0.75]);
  assert.deepEqual(graph["4"]?.inputs, { image: "a.png", channel: "red" });
});

test("a widget turned into an input keeps its place among the values", () => {
  const size = { id: 5, type: "PrimitiveInt", widgets_values: [128, "fixed"] };
  const linked = { ...empty, inputs: [slot("height", "INT", 7)] };
  const graph = converted({ nodes: [linked, size], links: [[7, 5, 0, 1, 0, "INT"]] });
  assert.deepEqual(graph["1"]?.inputs, { width: 64, height: ["5", 0], batch_size: 1, color: 255 });
  assert.deepEqual(graph["5"]?.inputs, { value: 128 });
});

test("missing trailing values become the defaults", () => {
  const graph = converted({ nodes: [{ ...empty, widgets_values: [64] }], links: [] });
  assert.deepEqual(graph["1"]?.inputs, { width: 64, height: 512, batch_size: 1, color: 0 });
});

test("reroutes and notes disappear, primitive nodes give their value", () => {
  const reroute = { id: 3, type: "Reroute", inputs: [slot("", "*", 1)], outputs: [out("IMAGE", [3])] };
  const note = { id: 4, type: "Note", widgets_values: ["hello"] };
  const primitive = { id: 5, type: "PrimitiveNode", outputs: [out("STRING", [5])], widgets_values: ["named", "fixed"] };
  const named = { ...save, inputs: [slot("images", "IMAGE", 3), slot("filename_prefix", "STRING", 5)] };
  const links = [
    [1, 1, 0, 3, 0, "*"],
    [3, 3, 0, 9, 0, "IMAGE"],
    [5, 5, 0, 9, 1, "STRING"],
  ];
  const graph = converted({ nodes: [empty, reroute, note, primitive, named], links });
  assert.deepEqual(Object.keys(graph), ["1", "9"]);
  assert.deepEqual(graph["9"]?.inputs, { images: ["1", 0], filename_prefix: "named" });
});

test("a bypassed node passes its input on by type, a muted one takes its links with it", () => {
  const middle = (mode: number) => ({
    id: 2,
    type: "ImageCompositeMasked",
    mode,
    inputs: [slot("mask", "MASK", null), slot("destination", "IMAGE", 1)],
    outputs: [out("IMAGE", [3])],
    widgets_values: [0, 0, false],
  });
  const links = [
    [1, 1, 0, 2, 1, "IMAGE"],
    [3, 2, 0, 9, 0, "IMAGE"],
  ];
  assert.deepEqual(converted({ nodes: [empty, middle(4), save], links })["9"]?.inputs["images"], ["1", 0]);
  const muted = { nodes: [empty, middle(2), save], links };
  assert.deepEqual(Object.keys(converted(muted)), ["1"]);
  // As the editor does it, because the application leaves out what cannot run.
  const kept = convertUiGraph(muted, builtInEditorClasses, { keepsCutOff: true });
  assert.deepEqual(kept.ok ? kept.graph["9"]?.inputs : null, { filename_prefix: "x" });
});

test("unknown classes are named, unless their nodes are switched off", () => {
  const unknown = {
    nodes: [empty, { id: 2, type: "KSampler" }, { id: 3, type: "CLIPTextEncode" }, { id: 4, type: "Off", mode: 2 }],
    links: [],
  };
  assert.deepEqual(convertUiGraph(unknown, builtInEditorClasses), {
    ok: false,
    unknownClasses: ["CLIPTextEncode", "KSampler"],
    problems: [],
  });
  assert.ok(!convertUiGraph({ nodes: [], links: [] }, builtInEditorClasses).ok);
});

test("a cycle of reroutes ends the link, and no input crashes the conversion", () => {
  const loop = { id: 3, type: "Reroute", inputs: [slot("", "*", 3)], outputs: [out("IMAGE", [3])] };
  assert.deepEqual(converted({ nodes: [loop, save], links: [[3, 3, 0, 9, 0, "*"]] })["9"]?.inputs, {
    filename_prefix: "x",
  });
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.array(fc.jsonValue()), (nodes, links) => {
      assert.ok("ok" in convertUiGraph({ nodes, links }, builtInEditorClasses));
    }),
  );
});
