// The words next to Run before it is pressed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { costWords, moreWords, partWords, shortageWords } from "./cost-words.ts";

describe("the cost of a call", () => {
  test("a range says why it is one and what is held; an exact price says neither", () => {
    const range = { credits: { lowest: "10.55", highest: "42.2" }, hold: "42.2", is_exact: false };
    assert.equal(costWords(range), "10.55–42.20 credits");
    assert.match(moreWords(range), /^depends on what the provider reports; 42\.20 held while it runs/);
    const exact = { credits: { lowest: "3", highest: "3" }, hold: "3", is_exact: true };
    assert.equal(costWords(exact), "3 credits");
    assert.equal(moreWords(exact), "");
  });

  test("a balance below the hold is reported before the call, an equal one is not", () => {
    assert.match(shortageWords("42.2", "5") ?? "", /Your balance is 5 credits; this call needs 42\.20\./);
    assert.equal(shortageWords("42.2", "42.2"), null);
    assert.equal(shortageWords("0", "0"), null);
  });
});

test("an estimate says how it comes about: quantities, their range, and the price of one", () => {
  const quantity = { unit: "second" as const, lowest: "1", highest: "4", reported: true };
  assert.equal(partWords({ parts: [{ each: "10.55", quantities: [quantity] }] }), "1–4 s × 10.55");
  assert.equal(partWords({ parts: [{ each: "10.55", quantities: [{ ...quantity, lowest: "4" }] }] }), "4 s × 10.55");
  const tokens = { unit: "million_tokens" as const, lowest: "0.002", highest: "0.002", reported: true };
  assert.equal(
    partWords({
      parts: [
        { each: "2", quantities: [] },
        { each: "633", quantities: [tokens] },
      ],
    }),
    "2 + 2,000 tokens (per million) × 633",
  );
  assert.equal(partWords({ parts: [{ each: "2", quantities: [] }] }), "");
  assert.equal(partWords({}), "");
});
