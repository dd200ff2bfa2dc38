import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { boardTag, rated, ratingIn, starring, withTags } from "./marks.ts";

describe("marks on an asset", () => {
  test("an asset has one rating, and none takes it away", () => {
    const once = withTags(["a"], rated(2));
    assert.deepEqual(once, ["a", "rating:2"]);
    const again = withTags(once, rated(5));
    assert.deepEqual([again, ratingIn(again)], [["a", "rating:5"], 5]);
    assert.deepEqual([withTags(again, rated(0)), ratingIn([])], [["a"], 0]);
  });

  test("a star is added once and removed whole", () => {
    const starred = withTags(withTags(["x"], starring(true)), starring(true));
    assert.deepEqual(starred, ["x", "starred"]);
    assert.deepEqual(withTags(starred, starring(false)), ["x"]);
  });

  test("a board's tag is ASCII for every name", () => {
    assert.match(boardTag("Été à la mer 🌊 : 100%"), /^board:[!-~]+$/);
  });
});
