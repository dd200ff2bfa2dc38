import assert from "node:assert/strict";
import { test } from "node:test";
import { contentTypeOf } from "./type-by-name.ts";

test("the file extension gives the type, in any case; an unknown name means bytes", () => {
  assert.equal(contentTypeOf("a/photo.PNG"), "image/png");
  for (const name of ["photo", "photo.", "x.unheard", "x.constructor", "x.__proto__", ""])
    assert.equal(contentTypeOf(name), "application/octet-stream", name);
});
