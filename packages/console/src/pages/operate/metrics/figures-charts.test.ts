import assert from "node:assert/strict";
import { test } from "node:test";
import { jobChart, waitChart } from "./figures-charts.ts";

const figures = {
  from: "2026-11-18T10:00:00.000Z",
  to: "2026-11-18T13:00:00.000Z",
  step: "hour",
  jobs: [
    {
      at: "2026-11-18T11:00:00.000Z",
      submitted: 7,
      succeeded: 3,
      failed: 1,
      canceled: 1,
      wait_p50_ms: 20,
      wait_p95_ms: 80,
      run_p50_ms: null,
      run_p95_ms: null,
    },
  ],
  now: { queued: 0, running: 2, assets: 0, stored_bytes: 0 },
} as const;

test("every submitted job is in one line, and a step without jobs is a gap", () => {
  const { times, lines } = jobChart({ ...figures, jobs: [...figures.jobs] });
  assert.equal(times.length, 3);
  assert.deepEqual(
    lines.map(({ key, values }) => [key, values]),
    [
      ["succeeded", [null, 3, null]],
      ["failed", [null, 1, null]],
      ["canceled", [null, 1, null]],
      ["open", [null, 2, null]],
    ],
  );
});

test("times are lines of their own", () => {
  const { lines } = waitChart({ ...figures, jobs: [...figures.jobs] });
  assert.deepEqual(
    lines.map(({ values }) => values[1]),
    [20, 80],
  );
});
