import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInClasses } from "./graph/built-in-classes.ts";
import { nearWords } from "./near-word.ts";

test("the nearest name is found despite misspelt, missing, swapped or differently cased letters", () => {
  const near = (word: string) => nearWords().to(word, builtInClasses);
  assert.deepEqual(
    ["ImagScale", "imagescale", "Image Scale", "ImageSclae", "image_scale", "SaveImages", "LoadImge", "EmptyImage"].map(
      near,
    ),
    ["ImageScale", "ImageScale", "ImageScale", "ImageScale", "ImageScale", "SaveImage", "LoadImage", "EmptyImage"],
  );
  assert.deepEqual(["Zebra", "", "…", "x".repeat(300)].map(near), [null, null, null, null]);
});

test("a file is found by a part of its name, in another folder too", () => {
  const files = ["SDXL/sd_xl_base_1.0.safetensors", "v1-5-pruned-emaonly.safetensors", "detail.safetensors"];
  const near = (word: string) => nearWords().to(word, files);
  assert.equal(near("sd_xl_base_1.0.safetensors"), files[0]);
  assert.equal(near("sd_xl_base_1.1.safetensors"), files[0]);
  assert.equal(near("v1-5-pruned"), files[1]);
  assert.equal(near("detial.safetensors"), files[2]);
});

test("short words are not mistaken for others", () => {
  assert.equal(nearWords().to("on", ["no", "off"]), "no");
  assert.equal(nearWords().to("cat", ["dog", "off"]), null);
});

test("the search ends at its bound, for any query", () => {
  const known = Array.from({ length: 5_000 }, (_, index) => `ImageScale${index}ToTheNearestNeighbour`);
  const near = nearWords(100_000);
  const suggestions = Array.from({ length: 1_000 }, (_, index) =>
    near.to(`ImageScael${index}ToTheNearestNeighbour`, known),
  );
  assert.ok(suggestions.filter((each) => each !== null).length < 100);
  assert.equal(near.to("ImageScale1", known), null, "nothing is looked for beyond it");
});
