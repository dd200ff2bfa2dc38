import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { tokenCount, writeText } from "./text.ts";

test("the same prompt and seed write the same text; another seed writes another", () => {
  assert.equal(writeText({ prompt: "a blue door", seed: "3" }), writeText({ prompt: "a blue door", seed: "3" }));
  assert.notEqual(writeText({ prompt: "a blue door", seed: "3" }), writeText({ prompt: "a blue door", seed: "4" }));
});

test("every text is complete: sentences that end, no slot left open", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), fc.bigInt(), (prompt, seed) => {
      const text = writeText({ prompt: prompt.replaceAll(/[{}]/g, ""), seed: String(seed) });
      assert.match(text, /\.$/);
      assert.doesNotMatch(text, /\{(thing|part|move|place|mood)\}/);
      assert.ok(tokenCount(text) >= 10);
    }),
  );
});

test("a prompt that looks like a template stays a prompt", () => {
  for (let seed = 0; seed < 20; seed++) {
    const text = writeText({ prompt: "$& $1 {mood}", seed: String(seed) });
    if (text.includes("“$")) assert.match(text, /“\$& \$1 \{mood\}”/);
  }
});
