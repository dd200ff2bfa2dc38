import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { namesInPointer, pointerSegment } from "./json-pointer.ts";

describe("JSON pointers", () => {
  test("the examples of RFC 6901 name what they should", () => {
    assert.deepEqual(namesInPointer(""), []);
    assert.deepEqual(namesInPointer("/"), [""]);
    assert.deepEqual(namesInPointer("/foo/0"), ["foo", "0"]);
    assert.deepEqual(namesInPointer("/a~1b"), ["a/b"]);
    assert.deepEqual(namesInPointer("/m~0n"), ["m~n"]);
  });

  test("~01 is ~1 and not /", () => {
    assert.deepEqual(namesInPointer("/~01"), ["~1"]);
  });

  test("a name that was escaped is read as it was", () => {
    for (const name of ["", "a", "a/b", "m~n", "~1", "~0/~1", "0"])
      assert.deepEqual(namesInPointer(`/${pointerSegment(name)}`), [name]);
  });
});
