// Lists on links: a class runs once per value, or takes them all, as in the application.
import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { picture, runClass } from "../../test/support/run-class.ts";
import { runGraph } from "../../test/support/run-graph.ts";
import { itemsOf, listOf } from "../pictures/picture.ts";
import { Inputs } from "./inputs.ts";
import { ResultCache } from "./result-cache.ts";

const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });

// Five pictures of one colour each (0, 51, … 204), as a list of single pictures.
const greys = (size: number) => ({
  ...Object.fromEntries(
    [0, 1, 2, 3, 4].map((at) => [
      `g${at}`,
      node("EmptyImage", { width: 8, height: 8, batch_size: 1, color: at * 51 * 0x010101 }),
    ]),
  ),
  batch: node("BatchImagesNode", Object.fromEntries([0, 1, 2, 3, 4].map((at) => [`images.image${at}`, [`g${at}`, 0]]))),
  list: node("RebatchImages", { images: ["batch", 0], batch_size: size }),
});

// 1 − level in 32 bits, truncated when saved.
const inverted = [0, 51, 102, 153, 204].map((level) =>
  Math.floor(Math.fround(Math.fround(1 - Math.fround(level / 255)) * 255)),
);

const levels = (saved: readonly { readonly bytes: Uint8Array }[]) =>
  Promise.all(saved.map(async ({ bytes }) => (await sharp(bytes).raw().toBuffer())[0]));

test("a class runs once for each value of a list, in order, and its file numbers continue", async () => {
  const graph = {
    ...greys(2),
    invert: node("ImageInvert", { image: ["list", 0] }),
    save: node("SaveImage", { images: ["invert", 0], filename_prefix: "x" }),
  };
  const { result, saved } = await runGraph(graph);
  assert.equal(result.status, "succeeded");
  assert.deepEqual(
    saved.map(({ name }) => name),
    [1, 2, 3, 4, 5].map((count) => `x_0000${count}_.png`),
  );
  assert.deepEqual(await levels(saved), inverted);
});

test("a shorter list repeats its last value, and a single value goes with every one", async () => {
  const graph = {
    ...greys(1),
    pairs: node("RebatchImages", { images: ["three", 0], batch_size: 1 }),
    three: node("ImageFromBatch", { image: ["batch", 0], batch_index: 1, length: 2 }),
    blend: node("ImageBlend", { image1: ["list", 0], image2: ["pairs", 0], blend_factor: 1, blend_mode: "normal" }),
    save: node("SaveImage", { images: ["blend", 0], filename_prefix: "x" }),
  };
  const { result, saved } = await runGraph(graph);
  assert.equal(result.status, "succeeded");
  assert.deepEqual(await levels(saved), [51, 102, 102, 102, 102]);
});

test("a class that takes lists runs once, with all the values made one by one", async () => {
  const graph = {
    ...greys(1),
    invert: node("ImageInvert", { image: ["list", 0] }),
    grid: node("ImageGrid", { images: ["invert", 0], columns: 5, cell_width: 32, cell_height: 32, padding: 0 }),
    save: node("SaveImage", { images: ["grid", 0], filename_prefix: "x" }),
  };
  const { result, saved } = await runGraph(graph);
  assert.equal(result.status, "succeeded");
  assert.equal(saved.length, 1);
  const { data, info } = await sharp(saved[0]?.bytes).raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [160, 32]);
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((column) => data[(16 * 160 + column * 32 + 16) * 3]),
    inverted,
  );
});

test("every output of a class that ran several times is its own list", async () => {
  const graph = {
    ...greys(2),
    size: node("GetImageSize", { image: ["list", 0] }),
    text: node("PreviewAny", { source: ["size", 2] }),
  };
  const { result, saved } = await runGraph(graph);
  assert.equal(result.status, "succeeded");
  assert.deepEqual(
    saved.map(({ bytes }) => Buffer.from(bytes).toString()),
    ["2", "2", "1"],
  );
});

test("a cached list is not made again, and all its files are reported again", async () => {
  const cache = new ResultCache(64 * 1024 ** 2);
  const graph = { ...greys(1), save: node("SaveImage", { images: ["list", 0], filename_prefix: "x" }) };
  const first = await runGraph(graph, { cache });
  const again = await runGraph(graph, { cache });
  assert.deepEqual(again.ran, []);
  assert.deepEqual(
    again.saved.map(({ name, bytes }) => [name, Buffer.from(bytes).toString("hex")]),
    first.saved.map(({ name, bytes }) => [name, Buffer.from(bytes).toString("hex")]),
  );
  const later = {
    ...graph,
    mask: node("ImageToMask", { image: ["list", 0], channel: "red" }),
    show: node("MaskPreview", { mask: ["mask", 0] }),
  };
  const third = await runGraph(later, { cache });
  assert.deepEqual([...third.ran].sort(), ["mask", "show"]);
  assert.equal(third.saved.filter(({ folder }) => folder === "temp").length, 5);
});

test("memory that one run of a list took is free for the next", async () => {
  // A crop needs 12 MB and passes on little; twelve of them at the same time would not fit.
  const graph = {
    small: node("EmptyImage", { width: 8, height: 8, batch_size: 12, color: 5 }),
    list: node("RebatchImages", { images: ["small", 0], batch_size: 1 }),
    size: node("GetImageSize", { image: ["list", 0] }),
    large: node("EmptyImage", { width: 1024, height: 1024, batch_size: 1, color: 5 }),
    crop: node("CenterCropImages", { images: ["large", 0], width: ["size", 0], height: 8 }),
    save: node("SaveImage", { images: ["crop", 0], filename_prefix: "x" }),
  };
  const { result, saved } = await runGraph(graph, { limits: { memoryBytes: 40 * 1024 ** 2 } });
  assert.equal(result.status, "succeeded");
  assert.equal(saved.length, 12);
});

test("a failure in one run fails the node, and says which", async () => {
  const graph = {
    ...greys(2),
    crop: node("CenterCropImages", { images: ["list", 0], width: 4, height: 4 }),
    save: node("SaveImage", { images: ["crop", 0], filename_prefix: "x" }),
  };
  const { result } = await runGraph(graph);
  assert.ok(result.status === "failed");
  assert.deepEqual([result.failure.nodeId, result.failure.code], ["crop", "node_execution_error"]);
});

test("a list of one is that one; an empty list and an endless one are refused", () => {
  const one = picture(2, 2);
  assert.equal(listOf([one]), one);
  assert.deepEqual(itemsOf(listOf(["a", "b"])), ["a", "b"]);
  assert.deepEqual(itemsOf("a"), ["a"]);
  assert.throws(() => listOf([]), /would be empty/);
  assert.throws(() => listOf(new Array<number>(10_001).fill(1)), { code: "out_of_memory" });
});

test("a class that takes lists reads a plain value as a list of one", async () => {
  const [value] = await runClass("ShuffleImageTextDataset", { images: picture(2, 2), texts: "a", seed: 1 });
  assert.ok(typeof value === "object" && value.kind === "image");
  const inputs = new Inputs(
    new Map<string, unknown>([
      ["a", listOf([1, 2, 3])],
      ["b", "x"],
    ]),
    [],
  );
  assert.equal(inputs.times, 3);
  assert.deepEqual([inputs.at(2).raw("a"), inputs.at(9).raw("a"), inputs.at(9).raw("b")], [3, 3, "x"]);
});
