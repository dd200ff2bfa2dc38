import assert from "node:assert/strict";
import { test } from "node:test";
import { offsetOf, problemsIn } from "./text-offsets.ts";

const text = '{\n  "a": 1,\n  "b": [2]\n}';

test("a line and column are an offset in the text", () => {
  assert.equal(text.slice(offsetOf(text, { line: 1, column: 1 }))[0], "{");
  assert.equal(text.slice(offsetOf(text, { line: 2, column: 8 }), offsetOf(text, { line: 2, column: 9 })), "1");
  assert.equal(text.slice(offsetOf(text, { line: 3, column: 8 })), "[2]\n}");
});

test("a place behind the end is the end", () => {
  assert.equal(offsetOf(text, { line: 9, column: 1 }), text.length);
  assert.equal(offsetOf(text, { line: 4, column: 40 }), text.length);
  assert.equal(offsetOf("", { line: 1, column: 1 }), 0);
});

test("a finding underlines the rest of its line, and only in its own text", () => {
  const finding = { in: "definition", path: "/b", line: 3, column: 8, model: null, case: null, message: "no" } as const;
  const [found, ...others] = problemsIn(text, "definition", [finding]);
  assert.deepEqual(others, []);
  assert.equal(text.slice(found?.from, found?.to), "[2]");
  assert.deepEqual(problemsIn(text, "fixtures", [finding]), []);
});
