import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isAccepted } from "../test/support/verdicts.ts";
import { Credits, Timestamp, Uuid, wordOf } from "./wire-values.ts";

test("every amount of micro-credits can be written exactly as credits", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (micro) => {
      const sign = micro < 0n ? "-" : "";
      const positive = micro < 0n ? -micro : micro;
      const text = `${sign}${positive / 1_000_000n}.${String(positive % 1_000_000n).padStart(6, "0")}`;
      assert.equal(isAccepted(Credits, text), true, text);
    }),
  );
});

test("an amount is no number, exponent, empty place or leading zero", () => {
  for (const bad of [1, "", "1.", ".5", "01", "1e3", "+1", "1.0000001", "NaN", " 1"]) {
    assert.equal(isAccepted(Credits, bad), false, String(bad));
  }
});

test("timestamps and ids are checked, not only named", () => {
  assert.equal(isAccepted(Timestamp, "2026-11-15T09:30:00.000Z"), true);
  assert.equal(isAccepted(Timestamp, "yesterday"), false);
  assert.equal(isAccepted(Uuid, "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6"), true);
  assert.equal(isAccepted(Uuid, "0198c1a2"), false);
});

test("a closed set of words takes its words and no other", () => {
  const set = wordOf(["a", "b"]);
  fc.assert(fc.property(fc.string(), (word) => assert.equal(isAccepted(set, word), word === "a" || word === "b")));
});
