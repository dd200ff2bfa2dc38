// Drafts belong to a person in a workspace, and end with the session.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { endDrafts, openDrafts } from "./drafts.ts";

function storage(charactersMax = Number.POSITIVE_INFINITY) {
  const kept = new Map<string, string>();
  const size = () => [...kept].reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => void kept.delete(key),
    setItem(key: string, text: string) {
      const before = kept.get(key);
      kept.set(key, text);
      if (size() <= charactersMax) return;
      if (before === undefined) kept.delete(key);
      else kept.set(key, before);
      throw new Error("QuotaExceededError");
    },
  };
}

const day = 86_400_000;

describe("drafts", () => {
  test("one person's draft is hidden from others, and from other workspaces", () => {
    const store = storage();
    openDrafts("ada.first", store).write("input.sandbox/image-1", { prompt: "mine" });
    assert.deepEqual(openDrafts("ada.first", store).read("input.sandbox/image-1")?.value, { prompt: "mine" });
    assert.equal(openDrafts("ada.second", store).read("input.sandbox/image-1"), null);
    assert.equal(openDrafts("bob.first", store).read("input.sandbox/image-1"), null);
  });

  test("nothing is left in the browser after signing out, nor once another person saves something", () => {
    const store = storage();
    store.setItem("atelier.input.sandbox/image-1", "{}");
    store.setItem("atelier.theme", "dark");
    openDrafts("ada.first", store).write("one", 1);
    openDrafts("ada.second", store).write("one", 2);
    assert.equal(openDrafts("ada.first", store).read("one")?.value, 1, "her other workspace keeps its own");
    openDrafts("bob.first", store).write("one", 3);
    assert.deepEqual([...store.kept.keys()].toSorted(), ["atelier.draft.bob.first.one", "atelier.theme"]);
    endDrafts(store);
    assert.deepEqual([...store.kept.keys()], ["atelier.theme"]);
  });

  test("integers of 64 bits come back with every digit", () => {
    const store = storage();
    openDrafts("ada.first", store).write("seed", { seed: 18446744073709551615n });
    assert.deepEqual(openDrafts("ada.first", store).read("seed")?.value, { seed: 18446744073709551615n });
  });

  test("a draft expires after a month, and an unreadable one counts as none", () => {
    const store = storage();
    openDrafts("ada.first", store, () => 0).write("old", 1);
    assert.equal(openDrafts("ada.first", store, () => 29 * day).read("old")?.value, 1);
    assert.equal(openDrafts("ada.first", store, () => 31 * day).read("old"), null);
    store.setItem("atelier.draft.ada.first.broken", "{");
    assert.equal(openDrafts("ada.first", store).read("broken"), null);
    assert.equal(store.kept.size, 0);
  });

  test("a full browser drops the older half, and says when it still cannot save", () => {
    const store = storage(900);
    let clock = 0;
    const drafts = openDrafts("ada.first", store, () => ++clock);
    for (const name of ["a", "b", "c", "d"]) assert.ok(drafts.write(name, "x".repeat(150)));
    assert.ok(drafts.write("e", "x".repeat(300)));
    assert.deepEqual(
      drafts.list("").map(({ name }) => name),
      ["e", "d", "c"],
    );
    assert.equal(drafts.write("f", "x".repeat(2_000)), false);
    assert.equal(drafts.write("g", "x".repeat(2_000_000)), false);
  });

  test("without a known person nothing is saved", () => {
    const store = storage();
    assert.equal(openDrafts(null, store).write("one", 1), false);
    assert.equal(store.kept.size, 0);
  });
});
