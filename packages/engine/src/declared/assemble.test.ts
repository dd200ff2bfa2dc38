import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assemble, MediaSlot, type NodeValues, possibleCalls } from "./assemble.ts";

const open = Symbol("open");

function valuesOf(given: Readonly<Record<string, unknown>>): NodeValues {
  return {
    value: (name) => (Object.hasOwn(given, name) ? given[name] : undefined),
    items: (name) => {
      const found = Object.entries(given).filter(([each]) => each === name || each.startsWith(`${name}.`));
      return found.some(([, value]) => value === open) ? null : found.map(([, value]) => value);
    },
    isOpen: (value) => value === open,
    open,
  };
}
const made = (template: Readonly<Record<string, unknown>>, given: Readonly<Record<string, unknown>>) =>
  assemble(template, valuesOf(given));

test("inputs become members, and those without a value are left out", () => {
  const template = {
    prompt: { $input: "text" },
    seed: { $input: "seed", modulo: 100 },
    none: { $input: "none" },
    n: 1,
  };
  assert.deepEqual(made(template, { text: "a", seed: 2n ** 64n - 1n, none: "" }), { prompt: "a", seed: 15, n: 1 });
});

test("a choice is translated, omitted, or sent as it is", () => {
  const template = { size: { $choose: "size", cases: { auto: { $omit: true }, big: [2, 2] } } };
  assert.deepEqual(made(template, { size: "auto" }), {});
  assert.deepEqual(made(template, { size: "big" }), { size: [2, 2] });
  assert.deepEqual(made(template, { size: "small" }), { size: "small" });
  assert.deepEqual(made({ x: { $choose: "size", cases: {}, otherwise: 0 } }, {}), { x: 0 });
});

test("conditions look at values, and at whether there is one", () => {
  const template = {
    a: { $if: { mode: { is: ["x", 3] } }, give: 1, else: 2 },
    b: { $if: { image: { given: true } }, give: 1 },
  };
  assert.deepEqual(made(template, { mode: "3", image: {} }), { a: 1, b: 1 });
  assert.deepEqual(made(template, { mode: "y" }), { a: 2 });
  assert.deepEqual(made({ c: { $if: { mode: { not: ["y"] } }, give: 1 } }, { mode: "y" }), {});
});

test("a text is put together from several inputs", () => {
  assert.deepEqual(made({ s: { $text: "{model.w}x{h}" } }, { "model.w": 12, h: 8 }), { s: "12x8" });
});

test("every picture of a batch or of a growing group gets its own item, between the others", () => {
  const template = { parts: [{ text: "t" }, { $each: "images", give: { data: { $item: "base64" } } }, { end: true }] };
  const one = made(template, { "images.a": 1, "images.b": 2 });
  assert.deepEqual(one, {
    parts: [
      { text: "t" },
      { data: new MediaSlot(1, "base64", {}) },
      { data: new MediaSlot(2, "base64", {}) },
      { end: true },
    ],
  });
  assert.deepEqual(made({ images: { $each: "images", give: { $item: "data_url" } } }, {}), {});
});

test("what another class gave is taken whole, by a place in it, or item by item", () => {
  const style = { style: "drawn", parts: [{ rgb: [1, 2, 3] }, { rgb: [4, 5, 6] }] };
  assert.deepEqual(made({ a: { $input: "s" }, b: { $input: "s", at: "/style" } }, { s: style }), {
    a: style,
    b: "drawn",
  });
  assert.deepEqual(made({ a: { $input: "s", at: "/none" }, b: { $input: "t", at: "/style" } }, { s: style }), {});
  const items = { $items: "s", at: "/parts" };
  assert.deepEqual(made({ a: items, b: [0, items, 9] }, { s: style }), { a: style.parts, b: [0, ...style.parts, 9] });
  assert.deepEqual(made({ a: { $items: "t" }, b: [{ $items: "t" }] }, {}), { b: [] });
  assert.deepEqual(made({ a: items, b: { $input: "s", at: "/x" } }, { s: open }), { a: open, b: open });
  const some = Symbol("something");
  assert.deepEqual(made({ a: items, b: { $input: "s", at: "/x" }, c: { $input: "s" } }, { s: some }), {
    ...{ a: open, b: open, c: open },
  });
  assert.deepEqual(made({ a: { $if: { s: { given: true } }, give: 1 } }, { s: some }), { a: 1 });
});

test("what the run decides stays open, as far as it reaches", () => {
  assert.deepEqual(made({ a: { $input: "x" }, b: 1 }, { x: open }), { a: open, b: 1 });
  assert.deepEqual(made({ a: { $choose: "x", cases: {} }, b: { $text: "{x}" } }, { x: open }), { a: open, b: open });
  assert.deepEqual(made({ a: { $if: { x: { is: [1] } }, give: 1 } }, { x: open }), { a: open });
  assert.deepEqual(made({ a: [1, { $each: "x", give: 1 }] }, { x: open }), { a: open });
});

test("the first call whose conditions hold is made; an open condition keeps the later ones possible", () => {
  const calls = [
    { when: { m: { is: ["a"] } }, model: "p/a", body: {} },
    { when: { m: { is: ["b"] } }, model: "p/b", body: {} },
    { model: "p/c", body: {} },
    { model: "p/d", body: {} },
  ];
  const models = (m: unknown) => possibleCalls(calls, valuesOf({ m })).map(({ model }) => model);
  assert.deepEqual(models("b"), ["p/b"]);
  assert.deepEqual(models("z"), ["p/c"]);
  assert.deepEqual(models(open), ["p/a", "p/b", "p/c"]);
  assert.deepEqual(possibleCalls(calls.slice(0, 2), valuesOf({})), []);
});

test("a template without operators is sent as it is, whatever its members are called", () => {
  const plain = fc.dictionary(
    fc.string().filter((name) => !name.startsWith("$")),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const isPlain = (value: unknown): boolean =>
    typeof value !== "object" ||
    value === null ||
    Object.entries(value).every(([name, inner]) => !name.startsWith("$") && isPlain(inner));
  fc.assert(
    fc.property(plain.filter(isPlain), (template) => assert.deepEqual(made(template, {}), { ...template })),
    { numRuns: 100 },
  );
});
