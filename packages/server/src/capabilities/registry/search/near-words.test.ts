import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { editsBetween, nearestWords } from "./near-words.ts";

test("a changed, added, missing or swapped letter is one edit each", () => {
  for (const slip of ["impect", "imppact", "ipact", "imapct"]) assert.equal(editsBetween("impact", slip, 3), 1, slip);
  assert.equal(editsBetween("impact", "impact", 3), 0);
  assert.equal(editsBetween("impact", "zebra", 3), null);
});

test("the nearest words are taken, and none that a slip of the hand does not explain", () => {
  assert.deepEqual(nearestWords("imapct", ["impact", "impacts", "compact"]), ["impact"]);
  assert.deepEqual(nearestWords("pakc", ["pack", "park"]), ["pack"]);
  assert.deepEqual(nearestWords("ab", ["abc"]), [], "two letters are too few to guess from");
  assert.deepEqual(nearestWords("sketch", ["stretcher"]), []);
});

test("edits are the same both ways and never more than letters, and a cap only hides what is above it", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.nat(8), (one, other, most) => {
      const edits = editsBetween(one, other, 8);
      assert.equal(edits, editsBetween(other, one, 8));
      assert.ok(edits !== null && edits <= Math.max(one.length, other.length));
      assert.equal(edits === 0, one === other);
      assert.equal(editsBetween(one, other, most), edits <= most ? edits : null);
    }),
  );
});
