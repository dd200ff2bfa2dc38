import assert from "node:assert/strict";
import { test } from "node:test";
import { isWorkId, namedWork, nameFrom } from "./named-work.ts";

test("a work is named with or without its provider and version", () => {
  assert.deepEqual(namedWork("lighthouse"), { name: "lighthouse", version: null });
  assert.deepEqual(namedWork("lighthouse.v12"), { name: "lighthouse", version: 12 });
  assert.deepEqual(namedWork("w.acme/light.house"), { name: "light.house", version: null });
  assert.deepEqual(namedWork("w.acme/lighthouse.v2"), { name: "lighthouse", version: 2 });
  assert.deepEqual(
    [isWorkId("w.acme/lighthouse.v2"), isWorkId("lighthouse"), isWorkId("posters/x")],
    [true, false, false],
  );
});

test("a name is made from a workflow's, and is empty if no letter is left", () => {
  assert.equal(nameFrom("Night harbour, larger"), "night-harbour-larger");
  assert.equal(nameFrom("Été à l'île.v2"), "ete-a-l-ile-v2");
  assert.equal(nameFrom("灯台"), "");
  assert.match(nameFrom("x -".repeat(100)), /^[a-z0-9]+(-[a-z0-9]+)*$/);
});
