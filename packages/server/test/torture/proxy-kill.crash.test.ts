// The crash smoke test of the self-hosted proxy; `npm run torture -- proxy` is the long one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { everyOrder, tortureProxy } from "./proxy-torture.ts";

test("proxy and application are killed and restarted in every order during jobs: ids, keys, files and finished outputs survive, and every job ends", {
  timeout: 900_000,
}, async () => {
  const report = await tortureProxy({ seed: 7, rounds: 1, jobsPerOrder: 2, jobSecondsMax: 0.8, say: () => undefined });
  assert.deepEqual(report.violations, []);
  assert.deepEqual([report.orders, report.kills], [everyOrder.length, everyOrder.length * 2]);
  assert.equal(report.succeeded + report.restarted, report.jobs);
  assert.ok(report.succeeded > 0);
});
