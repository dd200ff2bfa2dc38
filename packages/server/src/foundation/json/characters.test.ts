import assert from "node:assert/strict";
import { test } from "node:test";
import { hasAtMost } from "./characters.ts";

test("a text is as long as it has code points", () => {
  for (const character of ["x", "é", "😀"]) {
    assert.ok(hasAtMost(character.repeat(5), 5), character);
    assert.ok(!hasAtMost(character.repeat(6), 5), character);
  }
  assert.ok(!hasAtMost("e\u0301".repeat(5), 5), "a letter and its accent are two");
});
