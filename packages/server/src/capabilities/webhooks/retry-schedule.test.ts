import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "@atelier/contract";
import fc from "fast-check";
import { attemptDelaysSeconds, readRetryAfter, retryDelayMs } from "./retry-schedule.ts";

const middle = { retryAfterSeconds: null, random: 0.5 };

test("ten attempts over 75 hours", () => {
  const seconds = attemptDelaysSeconds.reduce((sum, delay) => sum + delay, 0);
  assert.equal(Math.floor(seconds / 3600), limits.webhookScheduleHours);
  assert.equal(attemptDelaysSeconds.length, limits.webhookAttemptsMax);
  assert.deepEqual(
    attemptDelaysSeconds.map((_, index) => retryDelayMs({ ...middle, done: index + 1 })),
    [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null].map((s) => (s === null ? null : s * 1000)),
  );
});

test("a delay is within a fifth of the schedule, or as long as the receiver asked, up to an hour", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.option(fc.nat(1e6)),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (done, retryAfterSeconds, random) => {
        const planned = (attemptDelaysSeconds[done] ?? 0) * 1000;
        const delay = retryDelayMs({ done, retryAfterSeconds, random }) ?? -1;
        assert.ok(delay >= Math.floor(planned * 0.8));
        assert.ok(delay <= Math.max(planned * 1.2 + 1, Math.min(retryAfterSeconds ?? 0, 3600) * 1000));
        assert.ok(delay >= Math.min(retryAfterSeconds ?? 0, 3600) * 1000);
      },
    ),
  );
});

test("Retry-After is read as seconds or as a date, and anything else is nothing", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  assert.equal(readRetryAfter("120", now), 120);
  assert.equal(readRetryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now), 60);
  assert.equal(readRetryAfter("Thu, 01 Jan 2025 00:01:00 GMT", now), 0);
  for (const text of [undefined, "", "-1", "soon", "1e3", "99999999999", "2026-01-01"])
    assert.equal(readRetryAfter(text, now), null, String(text));
});
