import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compareRings, fingerprintOf, marksOf } from "./fingerprint.ts";
import { endKey, newRing, type Ring, rotateRing } from "./ring.ts";

const start = new Date("2026-01-01T00:00:00.000Z");
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const ring = newRing(start);
const rotated = rotateRing(ring, { purposes: ["cursor"], leadSeconds: 300, now: start });
const firstOf = (keys: Ring, wanted: string) => keys.find(({ purpose }) => purpose === wanted)?.id ?? "";

describe("the fingerprint", () => {
  test("is equal for equal rings in any order, and differs by one secret", () => {
    assert.equal(fingerprintOf(ring), fingerprintOf([...ring].reverse()));
    const [first, ...rest] = ring;
    assert.ok(first);
    assert.notEqual(fingerprintOf([{ ...first, secret: Buffer.alloc(32) }, ...rest]), fingerprintOf(ring));
  });

  test("shows no secret", () => {
    const shown = JSON.stringify([marksOf(ring), fingerprintOf(ring)]);
    for (const { secret } of ring) {
      assert.ok(!shown.includes(secret.toString("hex")) && !shown.includes(secret.toString("base64url")));
    }
  });
});

describe("servers agree", () => {
  test("when nothing was announced yet: the first one sets the ring", () => {
    const agreement = compareRings(ring, [], start);
    assert.ok(agreement.agreed && agreement.announce.length === ring.length);
  });

  test("when they hold the same ring, and then there is nothing to announce", () => {
    assert.deepEqual(compareRings(ring, marksOf(ring), start), { agreed: true, announce: [] });
  });

  test("while a rotation is under way, whichever of them read the file first", () => {
    const [behind, ahead] = [
      compareRings(ring, marksOf(rotated), later(299)),
      compareRings(rotated, marksOf(ring), later(299)),
    ];
    assert.ok(behind.agreed);
    assert.ok(ahead.agreed && ahead.announce.length === 2, "the new key and the old one's end");
  });

  test("when an announced key ended and one of them no longer holds it", () => {
    const ended = endKey(ring, firstOf(ring, "cursor"), start);
    const without = ended.filter(({ verifyUntil }) => verifyUntil === null);
    assert.ok(compareRings(without, marksOf(ended), later(1)).agreed);
  });

  test("an ended key that nobody remembers is not announced again", () => {
    const ended = endKey(ring, firstOf(ring, "cursor"), start);
    const known = marksOf(ended).filter(({ verifyUntil }) => verifyUntil === null);
    assert.deepEqual(compareRings(ended, known, later(1)), { agreed: true, announce: [] });
  });
});

describe("servers differ", () => {
  const reasonOf = (own: Ring, known: Ring, now: Date) => {
    const agreement = compareRings(own, marksOf(known), now);
    return agreement.agreed ? "agreed" : agreement.reason;
  };

  test("when they hold rings made apart", () => {
    assert.match(reasonOf(newRing(start), ring, start), /is missing here/);
  });

  test("when one of them did not learn of a new key before it signs", () => {
    assert.match(reasonOf(ring, rotated, later(300)), /\(cursor\) is missing here/);
  });

  test("when one id has two secrets", () => {
    const [first, ...rest] = ring;
    assert.ok(first);
    assert.match(reasonOf([{ ...first, secret: Buffer.alloc(32) }, ...rest], ring, start), /a different secret/);
  });

  test("when one of them still trusts an ended key", () => {
    // The key that took over signs immediately; a server that has only that key, but not the end, must also be found to
    // differ.
    const ended = endKey(ring, firstOf(ring, "signed-url"), start);
    const reopened = ended.map((key) => ({ ...key, verifyUntil: null }));
    assert.match(reasonOf(reopened, ended, later(1)), /was revoked/);
  });

  test("and the reason names the key, never its secret", () => {
    const reason = reasonOf(newRing(start), ring, start);
    assert.ok(ring.every(({ secret }) => !reason.includes(secret.toString("base64url"))));
  });
});
