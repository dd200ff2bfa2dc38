import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cut, hanging, wrapped } from "./wrap.ts";

test("every word is kept, in order, and no line is wider than asked unless it is one word", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^\S{1,30}$/)), fc.integer({ min: 1, max: 60 }), (words, width) => {
      const lines = wrapped(words.join(" "), width);
      assert.equal(lines.join(" "), words.join(" "));
      for (const line of lines) assert.ok(line.length <= width || !line.includes(" "));
    }),
  );
});

test("text after a label continues below itself, or below the label where there is no room", () => {
  assert.deepEqual(hanging("  --a  ", "short", 80), ["  --a  short"]);
  assert.deepEqual(hanging("  --a  ", "one two three four five", 28), ["  --a  one two three four", "       five"]);
  assert.deepEqual(hanging("  --a-long-name  ", "one two three four", 30), [
    "  --a-long-name",
    "    one two three four",
  ]);
});

test("truncated text says so", () => {
  assert.deepEqual([cut("lighthouse", 5), cut("light", 5)], ["ligh…", "light"]);
});
