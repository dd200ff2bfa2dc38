import assert from "node:assert/strict";
import { test } from "node:test";
import { routerBuckets } from "@atelier/contract";
import { outcomeOf } from "./outcome-words.ts";

test("every error type of the router has its own words and says what to do", () => {
  for (const bucket of routerBuckets) {
    const { words, advice } = outcomeOf(bucket);
    assert.notEqual(words, bucket.replaceAll("_", " "), bucket);
    assert.match(advice ?? "", /\.$/, bucket);
  }
});

test("a key that was used for another request is not told as invalid input", () => {
  assert.match(outcomeOf("invalid_input", 409).advice ?? "", /new Idempotency-Key/);
  assert.match(outcomeOf("invalid_input", 422).advice ?? "", /Correct the input/);
});

test("what only we call so is shown in words, and filed where it belongs", () => {
  const { words, family } = outcomeOf("provider gone");
  assert.deepEqual([words, family], ["Provider restarted", "provider"]);
  assert.equal(outcomeOf("cancelled").words, "Canceled");
});
