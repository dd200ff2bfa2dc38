import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { createCursors } from "./cursor.ts";
import { handClock } from "./hand-clock.fixture.ts";

const secret = randomBytes(32);
const position = fc.array(fc.string({ maxLength: 60, unit: "grapheme" }), { minLength: 1, maxLength: 2 });
const hour = 3_600_000;

test("a cursor gives back its position, in the specification's alphabet and length", () => {
  const cursors = createCursors({ secrets: [secret], clock: handClock() });
  fc.assert(
    fc.property(position, (parts) => {
      fc.pre(Buffer.byteLength(JSON.stringify(parts)) < 340);
      const cursor = cursors.issue("list models", parts);
      assert.match(cursor, /^[A-Za-z0-9._~+/=-]{1,512}$/);
      assert.deepEqual(cursors.read("list models", cursor), parts);
    }),
  );
});

test("the longest model id fits", () => {
  const cursors = createCursors({ secrets: [secret], clock: handClock() });
  const id = `${"p".repeat(64)}/${"m".repeat(128)}`;
  assert.deepEqual(cursors.read("list models", cursors.issue("list models", [id])), [id]);
});

test("10,000 changed cursors: none is accepted", () => {
  const cursors = createCursors({ secrets: [secret, randomBytes(32)], clock: handClock() });
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~+/=";
  const change = fc.oneof(
    fc.record({ kind: fc.constant("replace"), at: fc.nat(), by: fc.constantFrom(...alphabet) }),
    fc.record({ kind: fc.constant("insert"), at: fc.nat(), by: fc.constantFrom(...alphabet) }),
    fc.record({ kind: fc.constant("delete"), at: fc.nat(), by: fc.constant("") }),
    fc.record({ kind: fc.constant("cut"), at: fc.nat(), by: fc.constant("") }),
    fc.record({ kind: fc.constant("swap case"), at: fc.nat(), by: fc.constant("") }),
  );
  const apply = (text: string, { kind, at, by }: { kind: string; at: number; by: string }): string => {
    const index = at % text.length;
    const letter = text.charAt(index);
    if (kind === "insert") return text.slice(0, index) + by + text.slice(index);
    if (kind === "cut") return text.slice(0, index);
    const other =
      kind === "replace"
        ? by
        : kind === "delete"
          ? ""
          : letter === letter.toLowerCase()
            ? letter.toUpperCase()
            : letter.toLowerCase();
    return text.slice(0, index) + other + text.slice(index + 1);
  };
  let tried = 0;
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 100 }),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (id, changes) => {
        const cursor = cursors.issue("list models", [id]);
        const changed = changes.reduce(apply, cursor);
        fc.pre(changed !== cursor);
        tried++;
        assert.equal(cursors.read("list models", changed), null);
      },
    ),
    { numRuns: 10_000 },
  );
  assert.equal(tried, 10_000);
});

test("every other last letter of the signature is refused, also where it spells the same bytes", () => {
  const cursors = createCursors({ secrets: [secret], clock: handClock() });
  const cursor = cursors.issue("list models", ["a/b"]);
  for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    if (!cursor.endsWith(letter)) assert.equal(cursors.read("list models", cursor.slice(0, -1) + letter), null);
});

test("a cursor for one purpose is refused for another", () => {
  const cursors = createCursors({ secrets: [secret], clock: handClock() });
  assert.equal(cursors.read("list jobs", cursors.issue("list models", ["a"])), null);
  assert.equal(cursors.read("a", cursors.issue("a b", ["a"])), null);
});

test("a cursor lives 24 hours and no longer", async () => {
  const clock = handClock();
  const cursors = createCursors({ secrets: [secret], clock });
  const cursor = cursors.issue("list models", ["a"]);
  await clock.advance(24 * hour);
  assert.deepEqual(cursors.read("list models", cursor), ["a"]);
  await clock.advance(1000);
  assert.equal(cursors.read("list models", cursor), null);
});

test("within a step the same position is the same text, and its life counts from the step's beginning", async () => {
  const clock = handClock(new Date("2026-01-01T00:00:00Z"));
  const cursors = createCursors({ secrets: [secret], clock });
  const cursor = cursors.issue("list models", ["a"], 3600);
  await clock.advance(hour - 1);
  assert.equal(cursors.issue("list models", ["a"], 3600), cursor);
  await clock.advance(1);
  assert.notEqual(cursors.issue("list models", ["a"], 3600), cursor);
  await clock.advance(23 * hour);
  assert.deepEqual(cursors.read("list models", cursor), ["a"]);
  await clock.advance(1000);
  assert.equal(cursors.read("list models", cursor), null);
});

test("a cursor from a clock far ahead of ours is refused", () => {
  const ahead = createCursors({ secrets: [secret], clock: handClock(new Date("2026-01-01T00:02:00Z")) });
  const ours = createCursors({ secrets: [secret], clock: handClock(new Date("2026-01-01T00:00:00Z")) });
  const near = createCursors({ secrets: [secret], clock: handClock(new Date("2026-01-01T00:01:30Z")) });
  const cursor = ahead.issue("list models", ["a"]);
  assert.equal(ours.read("list models", cursor), null);
  assert.deepEqual(near.read("list models", cursor), ["a"]);
});

test("the previous secret still verifies, a dropped one does not", () => {
  const clock = handClock();
  const cursor = createCursors({ secrets: [secret], clock }).issue("list models", ["a"]);
  const next = randomBytes(32);
  assert.deepEqual(createCursors({ secrets: [next, secret], clock }).read("list models", cursor), ["a"]);
  assert.equal(createCursors({ secrets: [next], clock }).read("list models", cursor), null);
});

test("a signed payload of another shape is refused, not thrown at", () => {
  const cursors = createCursors({ secrets: [secret], clock: handClock() });
  const payload = Buffer.from('["x"]').toString("base64url");
  const mac = createHmac("sha256", secret).update(`cursor v1 1 p ${payload}`).digest().toString("base64url", 0, 16);
  assert.equal(cursors.read("p", `v1.${payload}.${mac}`), null);
});

test("strings of any length and content are refused", () => {
  const cursors = createCursors({ secrets: [secret], clock: handClock() });
  for (const text of ["", "v1", "v1..", "v1.a.b", "1", "a".repeat(1 << 20), `v1.${"A".repeat(1 << 20)}`, "v1.\u0000.x"])
    assert.equal(cursors.read("list models", text), null);
});
