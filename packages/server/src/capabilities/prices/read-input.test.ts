import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pointerSegment } from "../../foundation/json-pointer.ts";
import { numberFrom, valueAt, wordFrom } from "./read-input.ts";

test("members are found by pointer, also in lists and under odd names", () => {
  assert.equal(valueAt({ a: [{ b: 2 }, { b: 3 }] }, "/a/1/b"), 3);
  assert.equal(valueAt({ "": 5 }, "/"), 5);
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (names) => {
      const pointer = names.map((name) => `/${pointerSegment(name)}`).join("");
      const input = names.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), 7);
      assert.equal(valueAt(input, pointer), 7);
    }),
  );
});

test("inherited members are not members", () => {
  assert.equal(valueAt({}, "/constructor/length"), undefined);
  assert.equal(valueAt({}, "/__proto__"), undefined);
  assert.equal(valueAt({ a: [1, 2] }, "/a/length"), undefined);
  assert.equal(valueAt({ a: "text" }, "/a/0"), undefined);
  for (const input of [null, undefined, 5, "text"]) assert.equal(valueAt(input, "/a"), undefined);
});

test("numbers are read from numbers and from text, and from nothing else", () => {
  const read: readonly [unknown, number | null][] = [
    [5, 5],
    [" 5.5 ", 5.5],
    ["1152921504606846976", 2 ** 60],
    [2n ** 60n, 2 ** 60],
    ["", null],
    ["five", null],
    ["Infinity", null],
    [Number.NaN, null],
    [true, null],
    [[5], null],
    [null, null],
  ];
  for (const [value, number] of read) assert.equal(numberFrom(value), number);
});

test("words are compared trimmed and in lower case, numbers and booleans as they are written", () => {
  const read: readonly [unknown, string | null][] = [
    [" Pro ", "pro"],
    [5, "5"],
    [0.1 + 0.2, "0.3"],
    [true, "true"],
    [null, null],
    [["pro"], null],
    [{}, null],
  ];
  for (const [value, word] of read) assert.equal(wordFrom(value), word);
});
