import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { limits } from "@atelier/contract";
import { readmeOf } from "./readme.ts";

describe("the text of a readme", () => {
  test("keeps emoji, tabs and line ends, and loses marks that turn the direction of text", () => {
    const { text } = readmeOf("README.md", "\ufeff# 👩‍🎨\tdraws\r\n\u2066x\u2069\u001b[31m\n\n") ?? assert.fail();
    assert.equal(text, "# 👩‍🎨\tdraws\nx[31m");
  });

  test("is cut at the limit, never inside a character", () => {
    const most = limits.nodeReadmeLengthMax;
    const cut = readmeOf("README.md", `${"x".repeat(most - 1)}😀 and more`) ?? assert.fail();
    assert.deepEqual([cut.isCut, cut.text.length, cut.text.isWellFormed()], [true, most - 1, true]);
  });

  test("is nothing if there is nothing to read", () => {
    assert.equal(readmeOf("README.md", " \u0000\n\t"), null);
  });
});
