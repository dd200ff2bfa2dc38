import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFaults, noFaults } from "./faults.ts";

test("switches change one by one and otherwise stay as they were", () => {
  const slow = changedFaults(noFaults, { slowMs: 20 });
  assert.deepEqual(slow, { ...noFaults, slowMs: 20 });
  assert.deepEqual(changedFaults(slow ?? noFaults, { garbage: "html", losesHistory: true }), {
    ...noFaults,
    slowMs: 20,
    garbage: "html",
    losesHistory: true,
  });
});

test("an unknown switch or value changes nothing", () => {
  const wrong = [
    null,
    [],
    "slow",
    { slow: 1 },
    { slowMs: -1 },
    { slowMs: "1" },
    { slowMs: Number.NaN },
    { previewBytes: 1e12 },
    { garbage: "much" },
    { crashesMidJob: 1 },
    { slowMs: 1, unknown: 1 },
  ];
  for (const given of wrong) assert.equal(changedFaults(noFaults, given), null, JSON.stringify(given));
});
