import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonText } from "./json-text.ts";
import { nearWord } from "./near-word.ts";

test("a near word is suggested, a far one is not", () => {
  assert.equal(nearWord("srve", ["serve", "run"]), '. Did you mean "serve"?');
  assert.equal(nearWord("prot", ["port"], "--"), '. Did you mean "--port"?');
  assert.equal(nearWord("elephant", ["serve", "run"]), ".");
  assert.equal(nearWord("foo", ["job", "node"]), ".", "two slips in three letters are another word");
});

test("integers beyond 2^53 are printed with all their digits, also nested ones", () => {
  assert.equal(
    jsonText({ seed: 2n ** 64n, list: [-(2n ** 63n)], text: "7" }),
    '{"seed":18446744073709551616,"list":[-9223372036854775808],"text":"7"}',
  );
});
