import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { foundPictures } from "./found-pictures.ts";

const base64 = "iVBORw0KGgo".repeat(10);

test("pictures are found where partners put them", () => {
  assert.deepEqual(foundPictures({ data: [{ b64_json: base64 }] }), [{ base64 }]);
  assert.deepEqual(foundPictures({ images: [{ url: "https://a/b.png" }] }), [{ url: "https://a/b.png" }]);
  assert.deepEqual(foundPictures({ images: ["https://a/b.png"] }), [{ url: "https://a/b.png" }]);
  assert.deepEqual(foundPictures({ output: `data:image/png;base64,${base64}` }), [{ base64 }]);
  assert.deepEqual(foundPictures({ result: { sample: "https://a/b.png" } }), [{ url: "https://a/b.png" }]);
});

test("bytes come before addresses, and text is no picture", () => {
  assert.deepEqual(foundPictures({ url: "https://a/b", images: [{ image: base64 }] }), [
    { base64 },
    { url: "https://a/b" },
  ]);
  assert.deepEqual(foundPictures({ prompt: base64, id: "x", docs: "https://a/b", data: "short" }), []);
});

test("any answer can be searched, however deep", () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 20 }), (answer) => assert.ok(Array.isArray(foundPictures(answer)))));
  let deep: unknown = "https://a/b.png";
  for (let depth = 0; depth < 10_000; depth++) deep = { url: deep };
  assert.deepEqual(foundPictures(deep), []);
});
