import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { spend } from "./rate.ts";

const perMinute = fc.integer({ min: 1, max: 10_000 });
// Gaps between requests, mostly none, like those of a busy client.
const gaps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 5_000, noNaN: true }) },
  ),
  { maxLength: 300 },
);

function admittedMoments(gapsMs: readonly number[], rate: { perMinute: number }): number[] {
  const admitted: number[] = [];
  let [nowMs, spentUntilMs] = [1_000_000, 0];
  for (const gap of gapsMs) {
    nowMs += gap;
    const verdict = spend(spentUntilMs, nowMs, rate);
    if (!verdict.admitted) continue;
    admitted.push(nowMs);
    spentUntilMs = verdict.spentUntilMs;
  }
  return admitted;
}

describe("a request rate", () => {
  test("lets a whole minute's requests pass at once, and not one more", () => {
    for (const rate of [1, 7, 600, 700, 6_000, 9_999]) {
      const gapsMs = new Array<number>(rate + 5).fill(0);
      assert.equal(admittedMoments(gapsMs, { perMinute: rate }).length, rate, `${rate} a minute`);
    }
  });

  test("never lets more pass than the rate and a full bucket, in any window", () => {
    fc.assert(
      fc.property(perMinute, gaps, (rate, gapsMs) => {
        const moments = admittedMoments(gapsMs, { perMinute: rate });
        for (const [first, from] of moments.entries()) {
          for (let last = first; last < moments.length; last++) {
            const minutes = ((moments[last] ?? from) - from) / 60_000;
            assert.ok(last - first + 1 <= rate * (1 + minutes) + 0.001);
          }
        }
      }),
    );
  });

  test("admits again after the wait it names, and the wait is whole seconds", () => {
    fc.assert(
      fc.property(perMinute, fc.double({ min: 0, max: 300_000, noNaN: true }), (rate, aheadMs) => {
        const nowMs = 5_000;
        const refused = spend(nowMs + aheadMs, nowMs, { perMinute: rate });
        if (refused.admitted) return;
        assert.ok(Number.isInteger(refused.retryAfterSeconds) && refused.retryAfterSeconds >= 1);
        assert.ok(spend(nowMs + aheadMs, nowMs + refused.retryAfterSeconds * 1000, { perMinute: rate }).admitted);
      }),
    );
  });

  test("does not name a wait that is a second too long", () => {
    const refused = spend(60_000, 0, { perMinute: 600 });
    assert.deepEqual(refused, { admitted: false, retryAfterSeconds: 1 });
    assert.deepEqual(spend(90_000, 0, { perMinute: 600 }), { admitted: false, retryAfterSeconds: 31 });
  });

  test("of zero admits nothing", () => {
    assert.equal(spend(0, 1_000, { perMinute: 0 }).admitted, false);
  });
});
