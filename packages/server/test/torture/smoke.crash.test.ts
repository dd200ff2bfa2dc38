// The short torture that every `npm test` runs; `npm run torture` is the long one. A seed that ever failed stays here.
import assert from "node:assert/strict";
import { test } from "node:test";
import { smokeRun } from "./runs.ts";
import { torture } from "./torture.ts";

test("12 killed workers, 2 that slept past their lease and a killed PostgreSQL: nothing ran twice, every credit is accounted for", {
  timeout: 900_000,
}, async () => {
  const report = await torture(smokeRun(Number(process.env["ATELIER_TORTURE_SEED"] ?? 1)));
  assert.deepEqual(report.violations, []);
  assert.deepEqual(report.troubles, []);
  assert.ok(report.strikes.kills >= 6, `${report.strikes.kills} kills`);
  assert.equal(report.strikes.postgresKills, 1);
  assert.ok(report.runs > 50 && report.takenOver > 0, JSON.stringify(report));
});
