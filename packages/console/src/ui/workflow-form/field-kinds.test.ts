// How a node's value is shown as text, and how the text becomes a value again.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DescribedInput } from "@atelier/sdk";
import fc from "fast-check";
import { kindOf, readText, textOf } from "./field-kinds.ts";

const input = (more: Partial<DescribedInput>): DescribedInput => ({
  ...{ name: "color", type: "INT", is_required: true, is_link: false, is_file: false },
  ...more,
});
const color = input({ is_color: true, min: 0, max: 0xffffff });

describe("the field of a value", () => {
  test("is a colour field for a colour, and an integer field for any other integer", () => {
    assert.equal(kindOf(color, 12_170_151), "color");
    assert.equal(kindOf(input({ max: 0xffffff }), 12_170_151), "integer");
    assert.equal(kindOf(color, "teal"), "text");
    assert.equal(kindOf(color, 2n ** 60n), "integer");
  });

  test("shows every colour as people write it, and reads it back the same", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        const text = textOf("color", value);
        assert.match(text, /^#[\da-f]{6}$/);
        assert.deepEqual(readText("color", text.toUpperCase(), color), { value });
      }),
    );
  });

  test("also takes a colour as a number, within its bounds, and refuses anything else", () => {
    assert.deepEqual(readText("color", " 255 ", color), { value: 255 });
    for (const wrong of ["#fff", "teal", "", "#12345g", "16777216", "-1"])
      assert.ok("wrong" in readText("color", wrong, color), wrong);
    assert.equal(textOf("color", -1), "-1", "a number that is not a colour is shown as it is");
  });
});
