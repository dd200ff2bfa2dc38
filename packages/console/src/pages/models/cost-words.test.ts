// The words next to Run before it is pressed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { costWords, moreWords, shortageWords } from "./cost-words.ts";

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
