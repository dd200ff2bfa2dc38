import assert from "node:assert/strict";
import { test } from "node:test";
import { foreseeInputs } from "./foresee-inputs.ts";
import type { Graph } from "./graph.ts";

const node = (class_type: string, inputs: Record<string, unknown> = {}): Graph[string] => ({ class_type, inputs });
const graph: Graph = {
  one: node("PrimitiveInt", { value: 7 }),
  two: node("PrimitiveInt", { value: ["one", 0] }),
  words: node("CustomCombo", { choice: "fast" }),
  blank: node("EmptyImage", { width: ["two", 0], height: { __value__: 8 }, batch_size: 4, color: null }),
  list: node("RebatchImages", { images: ["blank", 0], batch_size: 1 }),
  each: node("ImageInvert", { image: ["list", 0] }),
  size: node("GetImageSize", { image: ["each", 0] }),
  grid: node("ImageGrid", { images: ["each", 0], columns: 2 }),
  after: node("ImageInvert", { image: ["grid", 0] }),
  ask: node("AtelierModelImage", { width: ["size", 0], prompt: ["words", 0] }),
};
const order = Object.keys(graph);

test("literal, wrapped and passed-through values are known; others are computed", () => {
  const foreseen = foreseeInputs(graph, order);
  const known = (value: unknown) => ({ kind: "value", value });
  assert.deepEqual(foreseen.input("two", "value"), known(7));
  assert.deepEqual(foreseen.input("blank", "width"), known(7));
  assert.deepEqual(foreseen.input("blank", "height"), known(8));
  assert.deepEqual(foreseen.input("ask", "prompt"), known("fast"));
  assert.deepEqual(foreseen.input("ask", "width"), { kind: "computed" });
  assert.deepEqual(foreseen.input("blank", "color"), { kind: "absent" });
  assert.deepEqual(foreseen.input("blank", "toString"), { kind: "absent" });
  assert.deepEqual(foreseen.input("nowhere", "x"), { kind: "absent" });
});

test("a cycle of values is computed, and following it ends", () => {
  const round: Graph = { a: node("PrimitiveInt", { value: ["b", 0] }), b: node("PrimitiveInt", { value: ["a", 0] }) };
  assert.deepEqual(foreseeInputs(round, ["a", "b"]).input("a", "value"), { kind: "computed" });
});

test("a node that a list reaches may run several times, until a class takes the list as a whole", () => {
  const foreseen = foreseeInputs(graph, order);
  const often = order.filter((id) => foreseen.mayRunOften(id));
  assert.deepEqual(often, ["each", "size", "ask"]);
});
