import assert from "node:assert/strict";
import { test } from "node:test";
import { codeParts } from "./code-parts.ts";

test("texts of schemas show code as code, without its backticks, and leave a lone backtick alone", () => {
  assert.deepEqual(codeParts("Either `url` or `b64_json`."), [
    { isCode: false, words: "Either " },
    { isCode: true, words: "url" },
    { isCode: false, words: " or " },
    { isCode: true, words: "b64_json" },
    { isCode: false, words: "." },
  ]);
  assert.deepEqual(codeParts("a ` b"), [{ isCode: false, words: "a ` b" }]);
  assert.deepEqual(codeParts(""), []);
});
