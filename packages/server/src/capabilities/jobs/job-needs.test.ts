import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isUuid } from "../../foundation/ids.ts";
import { isCovered, needsIdOf, needsOf, warmth } from "./job-needs.ts";

const graph = {
  1: { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "sd/base.safetensors" } },
  2: { class_type: "LoraLoader", inputs: { lora_name: "ink.SAFETENSORS", model: ["1", 0], strength: 1 } },
  3: { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "not a model" } },
};

test("a graph needs its node classes and the weights it names, once each", () => {
  assert.deepEqual(needsOf({ ...graph, 4: graph[3] }), {
    classes: ["CheckpointLoaderSimple", "LoraLoader", "SaveImage"],
    models: ["ink.SAFETENSORS", "sd/base.safetensors"],
  });
});

test("reading the needs of any graph never throws, and their id depends on nothing else", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [a, b] = [needsOf(one), needsOf(other)];
      assert.ok(isUuid(needsIdOf(a)));
      assert.equal(needsIdOf(a) === needsIdOf(b), JSON.stringify(a) === JSON.stringify(b));
    }),
  );
});

test("a worker covers a graph when it knows every class; loaded models only make it better", () => {
  const needs = needsOf(graph);
  const all = { classes: new Set(needs.classes), modelsLoaded: new Set<string>() };
  assert.ok(isCovered(all, needs));
  assert.ok(isCovered({ ...all, classes: null }, needs));
  assert.ok(isCovered({ ...all, classes: new Set() }, null), "a job that says nothing runs anywhere");
  for (const missing of needs.classes) {
    assert.ok(!isCovered({ ...all, classes: new Set(needs.classes.filter((name) => name !== missing)) }, needs));
  }
  assert.equal(warmth({ ...all, modelsLoaded: new Set(["ink.SAFETENSORS", "other.pt"]) }, needs), 1);
});

test("a worker that lacks a model which another one has does not cover the graph; a name that nobody has hinders nobody", () => {
  const needs = { classes: ["Loader"], models: ["a.safetensors", "a title.bin"] };
  const offer = { classes: new Set(["Loader"]), modelsLoaded: new Set<string>() };
  assert.equal(isCovered({ ...offer, modelsLacking: new Set(["a.safetensors"]) }, needs), false);
  assert.equal(isCovered({ ...offer, modelsLacking: new Set(["other.safetensors"]) }, needs), true);
  assert.equal(isCovered(offer, needs), true);
});
