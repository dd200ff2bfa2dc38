import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { keyed } from "./keyed.ts";

describe("keyed", () => {
  test("an entry keeps its key when another comes before it", () => {
    const keysOf = (words: readonly string[]) =>
      new Map(keyed(words, (word) => word).map(([key, word]) => [word, key]));
    assert.equal(keysOf(["two", "three"]).get("three"), keysOf(["one", "two", "three"]).get("three"));
  });

  test("equal entries have different keys", () => {
    const keys = keyed(["one", "one", "two", "one"], (word) => word).map(([key]) => key);
    assert.equal(new Set(keys).size, 4);
  });
});
