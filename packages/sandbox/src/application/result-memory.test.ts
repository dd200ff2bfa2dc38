import assert from "node:assert/strict";
import { test } from "node:test";
import { ResultMemory } from "./result-memory.ts";

const load = (image: string) => ({ class_type: "LoadImage", inputs: { image } });
const invert = { class_type: "ImageInvert", inputs: { image: ["1", 0] } };
const order = ["1", "2"];

test("a node is the same while its class, values, files and everything before it are", () => {
  let stamp = "first";
  const memory = new ResultMemory(() => stamp);
  const sign = (image: string) => memory.sign({ "1": load(image), "2": invert }, order).get("2");
  const first = sign("a.png");
  assert.equal(sign("a.png"), first);
  assert.notEqual(sign("b.png"), first);
  stamp = "the file was written again";
  assert.notEqual(sign("a.png"), first);
});

test("seeds up to 2⁶⁴ are told apart by every digit", () => {
  const memory = new ResultMemory(() => null);
  const sign = (seed: number | bigint) =>
    memory.sign({ "1": { class_type: "ImageAddNoise", inputs: { seed, strength: 0.5 } } }, ["1"]).get("1");
  assert.equal(sign(18446744073709551615n), sign(18446744073709551615n));
  assert.notEqual(sign(18446744073709551615n), sign(18446744073709551614n));
});

test("a node that is never the same twice makes everything after it new", () => {
  const memory = new ResultMemory(() => null);
  const graph = { "1": { class_type: "TestSyncError", inputs: { value: 1 } }, "2": invert };
  const signatures = memory.sign(graph, order);
  memory.keep(signatures.get("1"), null);
  memory.keep(signatures.get("2"), null);
  assert.deepEqual([memory.find(signatures.get("1")), memory.find(signatures.get("2"))], [undefined, undefined]);
});

test("only what the latest prompt used is remembered", () => {
  const memory = new ResultMemory(() => null);
  memory.keep("one", { images: [1] });
  memory.keep("two", null);
  memory.forgetAllBut(["two", "three"]);
  assert.deepEqual([memory.find("one"), memory.find("two"), memory.find("three")], [undefined, null, undefined]);
});
