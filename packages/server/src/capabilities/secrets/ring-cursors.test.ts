import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newRing, type Ring, rotateRing, signingKey, verifyingKeys } from "./ring.ts";
import { cursorsOf } from "./ring-cursors.ts";

function cursorsOn(clock: ReturnType<typeof handClock>, ring: () => Ring) {
  const current = (purpose: string) => {
    const key = signingKey(ring(), purpose, clock.now());
    assert.ok(key);
    return key;
  };
  return cursorsOf({ current, verifying: (purpose) => verifyingKeys(ring(), purpose, clock.now()) }, clock);
}

test("a cursor survives a rotation, and the next one is made with the new key", async () => {
  const clock = handClock();
  const old = newRing(clock.now());
  let ring: Ring = old;
  const cursors = cursorsOn(clock, () => ring);
  const before = cursors.issue("list", ["7"]);
  ring = rotateRing(ring, { purposes: ["cursor"], leadSeconds: 300, now: clock.now() });
  await clock.advance(300_000);
  assert.deepEqual(cursors.read("list", before), ["7"]);
  const after = cursors.issue("list", ["7"]);
  assert.equal(cursorsOn(clock, () => old).read("list", after), null);
});

test("a cursor of a server whose clock runs ahead is read with the key that does not sign here yet", async () => {
  const [here, ahead] = [handClock(), handClock()];
  const ring = rotateRing(newRing(here.now()), { purposes: ["cursor"], leadSeconds: 30, now: here.now() });
  await ahead.advance(31_000);
  assert.deepEqual(cursorsOn(here, () => ring).read("list", cursorsOn(ahead, () => ring).issue("list", ["7"])), ["7"]);
});

test("within a step the same position is the same text", async () => {
  const clock = handClock();
  const ring = newRing(clock.now());
  const cursors = cursorsOn(clock, () => ring);
  const issue = () => cursors.issue("list", ["7"], 3_600);
  await clock.advance(3_600_000 - (clock.now().getTime() % 3_600_000));
  const first = issue();
  await clock.advance(3_599_000);
  assert.equal(issue(), first);
  await clock.advance(1_000);
  assert.notEqual(issue(), first);
});
