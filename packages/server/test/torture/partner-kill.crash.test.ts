// The crash smoke test of partner tasks; scripts/torture-partners.ts is the long one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { torturePartners } from "./partner-torture.ts";

test("kill -9 during tasks: each key is one run, each completion one charge, each change is sent, the books add up", {
  timeout: 900_000,
}, async () => {
  const report = await torturePartners({ seed: 7, kills: 3, lanes: 4, waitForLeases: false });
  assert.deepEqual(report.violations, []);
  assert.ok(report.completed > 0, JSON.stringify(report));
});
