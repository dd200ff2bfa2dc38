import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Fault } from "../../foundation/fault.ts";
import { completeRing, endKey, newRing, type Ring, rotateRing, signingKey, verifyingKeys } from "./ring.ts";
import { allRingPurposes, ringPurposes } from "./ring-purposes.ts";

const start = new Date("2026-01-01T00:00:00.000Z");
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const idsOf = (ring: Ring, purpose: string, now: Date) => verifyingKeys(ring, purpose, now).map(({ id }) => id);
const rotateAt = (ring: Ring, seconds: number, leadSeconds = 300) =>
  rotateRing(ring, { purposes: allRingPurposes, leadSeconds, now: later(seconds) });

describe("a new ring", () => {
  test("has one key of 32 bytes for every purpose, all different", () => {
    const ring = newRing(start);
    assert.deepEqual(
      ring.map(({ purpose }) => purpose),
      allRingPurposes,
    );
    assert.equal(new Set(ring.map(({ secret }) => secret.toString("hex"))).size, allRingPurposes.length);
    assert.ok(ring.every(({ secret }) => secret.length === 32));
  });

  test("signs at once, even where the clock runs behind", () => {
    const ring = newRing(start);
    assert.equal(signingKey(ring, "cursor", later(-60))?.purpose, "cursor");
  });

  test("has no key for a purpose it does not know", () => {
    assert.equal(signingKey(newRing(start), "unheard-of", start), null);
  });
});

describe("rotation", () => {
  test("the new key is known at once and signs after the lead", () => {
    const before = newRing(start);
    const old = signingKey(before, "cursor", start);
    const ring = rotateAt(before, 0);
    assert.equal(idsOf(ring, "cursor", start).length, 2);
    assert.equal(signingKey(ring, "cursor", later(299))?.id, old?.id);
    assert.notEqual(signingKey(ring, "cursor", later(300))?.id, old?.id);
  });

  test("the old key verifies until everything it signed has run out, and no longer", () => {
    const ring = rotateAt(newRing(start), 0);
    const end = 300 + ringPurposes.cursor.validitySeconds;
    assert.equal(idsOf(ring, "cursor", later(end - 1)).length, 2);
    assert.equal(idsOf(ring, "cursor", later(end)).length, 1);
  });

  test("an old seal key opens until somebody ends it", () => {
    const ring = rotateAt(newRing(start), 0);
    assert.equal(idsOf(ring, "seal", later(10 * 365 * 86_400)).length, 2);
  });

  test("other purposes are left alone", () => {
    const before = newRing(start);
    const ring = rotateRing(before, { purposes: ["cursor"], leadSeconds: 300, now: start });
    assert.equal(ring.length, before.length + 1);
    assert.equal(ring.find(({ purpose }) => purpose === "session")?.signUntil, null);
  });

  test("a second rotation is refused while the first new key waits to sign", () => {
    const ring = rotateAt(newRing(start), 0);
    assert.throws(
      () => rotateAt(ring, 299),
      (thrown) => thrown instanceof Fault && thrown.code === "conflict",
    );
    assert.ok(rotateAt(ring, 300).length > ring.length);
  });

  test("keys that ended more than a day ago leave the ring", () => {
    const ring = rotateAt(newRing(start), 0);
    const old = ring.find(({ purpose, signUntil }) => purpose === "cursor" && signUntil !== null);
    const rotated = rotateAt(ring, 300 + 2 * 86_400 + 1);
    assert.ok(old && !rotated.includes(old) && rotated.every(({ id }) => id !== old.id));
  });

  test("whatever is signed at any moment verifies at every later moment within its validity", () => {
    const step = fc.record({
      afterSeconds: fc.integer({ min: 0, max: 200_000 }),
      lead: fc.integer({ min: 1, max: 900 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 6 }),
        fc.nat(400_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (steps, signSeconds, share) => {
          let ring = newRing(start);
          let at = 0;
          const rings: { from: number; ring: Ring }[] = [{ from: 0, ring }];
          for (const { afterSeconds, lead } of steps) {
            at += afterSeconds + 900;
            ring = rotateAt(ring, at, lead);
            rings.push({ from: at, ring });
          }
          const ringAt = (seconds: number) => rings.findLast(({ from }) => from <= seconds)?.ring ?? ring;
          for (const purpose of allRingPurposes) {
            const signed = signingKey(ringAt(signSeconds), purpose, later(signSeconds));
            const validity = ringPurposes[purpose].validitySeconds ?? 900_000;
            const checkSeconds = signSeconds + Math.floor(validity * share);
            assert.ok(signed && idsOf(ringAt(checkSeconds), purpose, later(checkSeconds)).includes(signed.id));
          }
        },
      ),
    );
  });
});

describe("ending a key", () => {
  test("it neither signs nor verifies from that moment, and a new key signs at once", () => {
    const before = newRing(start);
    const old = signingKey(before, "signed-url", start);
    assert.ok(old);
    const ring = endKey(before, old.id, later(10));
    assert.ok(!idsOf(ring, "signed-url", later(10)).includes(old.id));
    assert.notEqual(signingKey(ring, "signed-url", later(10))?.id, old.id);
  });

  test("an old key ends without a new one", () => {
    const rotated = rotateAt(newRing(start), 0);
    const old = rotated.find(({ purpose }) => purpose === "seal");
    assert.ok(old);
    assert.equal(endKey(rotated, old.id, later(400)).length, rotated.length);
  });

  test("a key that is not there is refused", () => {
    assert.throws(
      () => endKey(newRing(start), "nobody", start),
      (thrown) => thrown instanceof Fault && thrown.code === "not_found",
    );
  });
});

describe("a ring that lacks a purpose", () => {
  const whole = newRing(start);
  const partial = whole.filter(({ purpose }) => purpose !== "webhook");

  test("is completed equally by every server that holds a copy", () => {
    const [one, two] = [completeRing(partial), completeRing([...partial].reverse())];
    assert.equal(one.at(-1)?.purpose, "webhook");
    assert.deepEqual(one.at(-1), two.at(-1));
  });

  test("gets a key that tells nothing about the one it was derived from", () => {
    const derived = completeRing(partial).at(-1);
    assert.ok(derived && whole.every(({ secret }) => !secret.equals(derived.secret)));
  });

  test("is left as it is when nothing is missing", () => {
    assert.equal(completeRing(whole), whole);
  });

  test("is refused without any seal key", () => {
    assert.throws(() => completeRing(whole.filter(({ purpose }) => purpose === "cursor")), Fault);
  });
});
