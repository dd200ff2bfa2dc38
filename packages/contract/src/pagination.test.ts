import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Type } from "typebox";
import { isAccepted } from "../test/support/verdicts.ts";
import { Cursor, linkedPageOf, pageOf } from "./pagination.ts";

test("a cursor has the specification's alphabet and length, nothing else", () => {
  const alphabet = [..."ABCXYZabcxyz0189._~+/=-"];
  const good = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 512 });
  fc.assert(fc.property(good, (cursor) => assert.equal(isAccepted(Cursor, cursor), true)));
  const foreign = fc.constantFrom(" ", "%", "\n", '"', "ä", "\0", ",");
  fc.assert(
    fc.property(good, foreign, good, (left, bad, right) => assert.equal(isAccepted(Cursor, left + bad + right), false)),
  );
  assert.equal(isAccepted(Cursor, ""), false);
  assert.equal(isAccepted(Cursor, "a".repeat(513)), false);
});

test("the last page has no cursor, and null is not one", () => {
  const page = pageOf(Type.String(), "Words", "Words.");
  assert.equal(isAccepted(page, { data: [], has_more: false, limit: 20 }), true);
  assert.equal(isAccepted(page, { data: [], has_more: false, limit: 20, next_cursor: null }), false);
});

test("a linked page is a page with a link to the next", () => {
  const page = pageOf(Type.String(), "Words", "Words.");
  const linked = linkedPageOf(Type.String(), "Words", "Words.");
  const body = { data: ["a"], has_more: true, limit: 1, next_cursor: "x", next: "/words?cursor=x" };
  assert.equal(isAccepted(linked, body), true);
  assert.equal(isAccepted(page, body), true);
  assert.deepEqual(linked.required, page.required);
});
