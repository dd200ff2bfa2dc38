import assert from "node:assert/strict";
import { test } from "node:test";
import { fileReferenceOf, isLink, unwrapped } from "./graph.ts";

test("a file name may choose its folder, with one space and brackets", () => {
  assert.deepEqual(fileReferenceOf("a.png"), { kind: "name", folder: "input", name: "a.png" });
  assert.deepEqual(fileReferenceOf("b/a.png [output]"), { kind: "name", folder: "output", name: "b/a.png" });
  assert.deepEqual(fileReferenceOf("a.png [temp]"), { kind: "name", folder: "temp", name: "a.png" });
  assert.deepEqual(fileReferenceOf("a.png[output]"), { kind: "name", folder: "input", name: "a.png[output]" });
});

test("an asset reference needs its id", () => {
  const reference = { __type: "core/ASSET", info: { id: "x", file_path: "a.png" } };
  assert.deepEqual(fileReferenceOf(reference), { kind: "asset", id: "x", name: "a.png" });
  for (const bad of [{}, { __type: "core/ASSET" }, { __type: "core/ASSET", info: { id: "" } }, 5, null, ["a", 0]]) {
    assert.equal(fileReferenceOf(bad), null);
  }
});

test("a link is a node and an index; a list as a value is wrapped", () => {
  assert.ok(isLink(["1", 0]) && !isLink([1, 0]) && !isLink(["1"]) && !isLink(["1", "0"]));
  assert.deepEqual(unwrapped({ __value__: [1, 2] }), [1, 2]);
  assert.deepEqual(unwrapped({ value: 1 }), { value: 1 });
});
