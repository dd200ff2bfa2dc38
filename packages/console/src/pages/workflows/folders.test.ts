// The library shows the folders and tags of what it lists.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crumbsOf, foldersWithin, tagsOf } from "./folders.ts";

const filed = (folder: string, ...tags: readonly string[]) => ({ folder, tags });
const library = [
  filed("posters/sea", "blue"),
  filed("posters/sea/night", "blue", "dark"),
  filed("posters"),
  filed("poster"),
  filed("shots 10"),
  filed("shots 9"),
  filed(""),
];

describe("the library's folders", () => {
  test("at the top each first folder is there once, in the order people count", () => {
    assert.deepEqual(
      foldersWithin("", library).map(({ path }) => path),
      ["poster", "posters", "shots 9", "shots 10"],
    );
  });

  test("in a folder only what lies directly in it is there, and no neighbour with the same beginning", () => {
    assert.deepEqual(foldersWithin("posters", library), [{ name: "sea", path: "posters/sea" }]);
    assert.deepEqual(foldersWithin("poster", library), []);
  });

  test("the way back names every folder above with its whole path", () => {
    assert.deepEqual(
      crumbsOf("posters/sea/night").map(({ path }) => path),
      ["posters", "posters/sea", "posters/sea/night"],
    );
    assert.deepEqual(crumbsOf(""), []);
  });
});

describe("tags", () => {
  test("each is offered once", () => assert.deepEqual(tagsOf(library), ["blue", "dark"]));
});
