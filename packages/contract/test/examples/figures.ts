import { type Example, time } from "./example.ts";

const sums = { calls: 12, failures: 1, replays: 0, credits: "3.5" };
const times = { p50_ms: 900, p95_ms: null };

export const figureExamples: Record<string, Example> = {
  InstallationUsage: {
    good: {
      from: time,
      to: time,
      step: "hour",
      by: "workspace",
      data: [{ at: time, key: "w", ...sums, ...times }],
      groups: [{ key: "w", label: "Studio", ...sums }],
      total: { ...sums, ...times },
    },
    broken: { from: "now", to: 7, step: "week", by: "mood", data: null, groups: 7, total: {} },
  },
  InstallationFigures: {
    good: {
      from: time,
      to: time,
      step: "minute",
      jobs: [
        {
          at: time,
          submitted: 3,
          succeeded: 1,
          failed: 1,
          canceled: 0,
          wait_p50_ms: 5,
          wait_p95_ms: 9,
          run_p50_ms: null,
          run_p95_ms: null,
        },
      ],
      now: { queued: 0, running: 1, assets: 2, stored_bytes: 1_000 },
    },
    broken: { from: "now", to: 7, step: "week", jobs: [{}], now: { queued: -1 } },
  },
};
