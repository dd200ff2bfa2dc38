// What the search over models finds.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isOfModels, matches } from "./model-matching.ts";

const fox = {
  id: "acme/fox-1",
  provider: "acme",
  title: "Fox One",
  description: "Draws foxes.",
  kind: "image",
} as const;

describe("the search over models", () => {
  test("every word must occur, in any case and anywhere", () => {
    for (const q of ["FOX", "one draws", "acme fox-1"]) assert.equal(matches(fox, { q }), true, q);
    for (const q of ["owl", "fox owl"]) assert.equal(matches(fox, { q }), false, q);
  });

  test("kind and provider narrow it; a model without a kind is of another one", () => {
    assert.equal(matches(fox, { kind: "image", provider: "acme" }), true);
    assert.equal(matches(fox, { kind: "video" }), false);
    assert.equal(matches(fox, { provider: "other" }), false);
    assert.equal(matches({ id: "a/b", provider: "a" }, { kind: "other" }), true);
    assert.equal(matches(fox, { kind: "work" }), false);
  });

  test("works are left out once a provider or a kind of model is chosen", () => {
    assert.deepEqual(
      [{}, { q: "fox" }, { kind: "work" }, { kind: "image" }, { provider: "acme" }].map((filters) =>
        isOfModels(filters as Parameters<typeof isOfModels>[0]),
      ),
      [false, false, false, true, true],
    );
  });
});
