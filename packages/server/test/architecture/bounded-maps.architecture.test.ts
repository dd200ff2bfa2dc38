// Everything kept in memory is bounded, and the bound is kept in one place (BoundedMap, and TtlCache on top of it).
// Written by hand, a bound is easily off by one, forgotten on one of two paths, or empties the whole map.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { codeWithoutComments, isTestFile, oncePerText, packageSources, planted, type Sources } from "./sources.ts";

const home = "packages/engine/src/bounded-map.ts";

// How code used to make room by hand.
const byHand: readonly RegExp[] = [
  // Takes the first key to delete it.
  /\.(keys|values|entries)\(\)\.next\(\)/,
  /\bconst \[\w+\] = ([\w.#]+)\.(keys|values|entries)\(\)[\s\S]{0,200}\1\.delete\(/,
  // Clears the whole map when it is full.
  /([\w.#]+)\.size >=? \w+\) \{?\s*\1\.clear\(\)/,
  // Deletes from the front until there is room.
  /\.size <=? \w+\) (break|return);\s*[\w.#]+\.delete\(/,
];

const isBoundedByHand = oncePerText((text) => {
  const code = codeWithoutComments(text);
  return byHand.some((pattern) => pattern.test(code));
});

describe("maps are bounded in one place", () => {
  test("in every package", () => {
    assert.ok(packageSources.has(home));
    assert.deepEqual(boundedByHand(packageSources), []);
  });

  for (const text of [
    "const oldest = map.size >= max ? map.keys().next().value : undefined; if (oldest) map.delete(oldest);",
    "const [oldest] = this.#records.keys(); if (oldest) this.#records.delete(oldest);",
    "if (known.size >= knownMax) known.clear();",
    "for (const key of map.keys()) { if (map.size <= max) break; map.delete(key); }",
  ]) {
    test(`${text} elsewhere is found`, () => {
      assert.deepEqual(boundedByHand(planted(packageSources, ["packages/server/src/foundation/planted.ts", text])), [
        "packages/server/src/foundation/planted.ts bounds a map by hand",
      ]);
    });
  }
});

function boundedByHand(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    if (isTestFile(path) || path === home) return [];
    return isBoundedByHand(text) ? [`${path} bounds a map by hand`] : [];
  });
}
