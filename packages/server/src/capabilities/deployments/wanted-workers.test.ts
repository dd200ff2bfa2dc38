import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { idleSeconds, jobsThatMatter, wantedWorkers } from "./wanted-workers.ts";

const now = new Date("2026-01-01T00:00:00.000Z");
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const idle = { workersMin: 0, workersMax: 4, jobsPerWorker: 2, stoppedAt: null, askedAt: null };

test("an idle deployment that may scale to zero wants nobody; somebody who asks makes it one for five minutes", () => {
  assert.equal(wantedWorkers(idle, 0, now), 0);
  assert.equal(wantedWorkers({ ...idle, askedAt: now }, 0, now), 1);
  assert.equal(wantedWorkers({ ...idle, askedAt: before(idleSeconds - 1) }, 0, now), 1);
  assert.equal(wantedWorkers({ ...idle, askedAt: before(idleSeconds) }, 0, now), 0);
});

test("jobs want a worker for every so many, up to the most", () => {
  assert.deepEqual(
    [1, 2, 3, 8, 9, 1000].map((jobs) => wantedWorkers(idle, jobs, now)),
    [1, 1, 2, 4, 4, 4],
  );
});

const deployments = fc
  .record({
    workersMin: fc.nat(50),
    more: fc.nat(50),
    jobsPerWorker: fc.integer({ min: 1, max: 64 }),
    askedAt: fc.option(fc.nat(1000).map(before)),
    stoppedAt: fc.option(fc.constant(now), { freq: 3 }),
  })
  .map(({ workersMin, more, ...rest }) => ({ ...rest, workersMin, workersMax: Math.max(1, workersMin + more) }));

test("what is wanted lies between the least and the most, never falls with more jobs, and is 0 when stopped", () => {
  fc.assert(
    fc.property(deployments, fc.nat(5000), fc.nat(100), (deployment, jobs, further) => {
      const wanted = wantedWorkers(deployment, jobs, now);
      if (deployment.stoppedAt !== null) return assert.equal(wanted, 0);
      assert.ok(wanted >= deployment.workersMin && wanted <= deployment.workersMax);
      assert.ok(wantedWorkers(deployment, jobs + further, now) >= wanted);
    }),
  );
});

test("counting jobs further than the bound changes nothing", () => {
  fc.assert(
    fc.property(deployments, fc.nat(10_000), (deployment, jobs) => {
      const counted = Math.min(jobs, jobsThatMatter(deployment));
      assert.equal(wantedWorkers(deployment, counted, now), wantedWorkers(deployment, jobs, now));
    }),
  );
});
