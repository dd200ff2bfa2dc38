import assert from "node:assert/strict";
import { test } from "node:test";
import { runGraph } from "../../test/support/run-graph.ts";
import { Budget } from "./budget.ts";
import { ResultCache } from "./result-cache.ts";
import { SpareMemory } from "./spare-memory.ts";

const pictureOf = (data: Float32Array) =>
  ({ kind: "image", batch: 1, height: 1, width: data.length / 3, channels: 3, data }) as const;

test("returned memory is reused, as zeros, and only for the same size", () => {
  const spare = new SpareMemory(1000);
  const first = spare.floats(12).fill(0.5);
  spare.give(first.buffer);
  assert.notEqual(spare.floats(11).buffer, first.buffer);
  const again = spare.floats(12);
  assert.equal(again.buffer, first.buffer);
  assert.deepEqual([...again], new Array(12).fill(0));
  assert.notEqual(spare.floats(12).buffer, first.buffer, "it is given out once");
});

test("foreign memory is never reused, nor the same memory twice, nor more kept than allowed", () => {
  const spare = new SpareMemory(100);
  const foreign = new Float32Array(4);
  spare.give(foreign.buffer);
  assert.notEqual(spare.floats(4).buffer, foreign.buffer);
  const own = spare.floats(4);
  spare.give(own.buffer);
  spare.give(own.buffer);
  assert.equal(spare.bytes, 16);
  for (let round = 0; round < 10; round++) spare.give(new SpareMemory(100).floats(4).buffer);
  assert.equal(spare.bytes, 16);
  const many = Array.from({ length: 10 }, () => spare.floats(5));
  for (const floats of many) spare.give(floats.buffer);
  assert.ok(spare.bytes <= 100);
});

test("a result that the cache still uses keeps its memory when the job releases it, and vice versa", () => {
  const spare = new SpareMemory(1000);
  const cache = new ResultCache(2000, spare);
  const budget = new Budget(10_000, { spare, isKept: (buffer) => cache.holds(buffer) });
  const isHeld = (buffer: ArrayBufferLike) => budget.holds(buffer);
  const picture = pictureOf(budget.floats(12, "A picture"));
  budget.hold([picture]);
  cache.put("one", { values: [picture], files: [] }, isHeld);
  budget.release([picture]);
  assert.equal(spare.bytes, 0, "the cache holds it");
  budget.hold([picture]);
  const other = pictureOf(budget.floats(240, "A picture"));
  cache.put("two", { values: [other], files: [] }, isHeld);
  assert.equal(cache.has("one"), false);
  assert.equal(spare.bytes, 0, "the job holds it");
  budget.release([picture]);
  assert.equal(spare.bytes, 48);
});

test("jobs that reuse each other's memory give the same pictures as jobs with new memory", async () => {
  const graph = (color: number) => ({
    "1": { class_type: "EmptyImage", inputs: { width: 32, height: 32, batch_size: 1, color } },
    "2": { class_type: "ImageAddNoise", inputs: { image: ["1", 0], seed: color, strength: 0.2 } },
    "3": { class_type: "ImageBlur", inputs: { image: ["2", 0], blur_radius: 3, sigma: 1 } },
    "4": {
      class_type: "ImagePadForOutpaint",
      inputs: { image: ["3", 0], left: 0, top: 0, right: 0, bottom: 0, feathering: 0 },
    },
    "5": { class_type: "SaveImage", inputs: { images: ["4", 0], filename_prefix: "a" } },
  });
  // Room for about two pictures: nearly everything is evicted and reused.
  const cache = new ResultCache(32 * 1024);
  for (const color of [0xff0000, 0x00ff00, 0x123456, 0xff0000]) {
    const reusing = await runGraph(graph(color), { cache, jobId: `${color}` });
    const fresh = await runGraph(graph(color), { jobId: `${color}` });
    assert.ok(reusing.saved[0]);
    assert.deepEqual(reusing.saved[0].bytes, fresh.saved[0]?.bytes);
  }
});
