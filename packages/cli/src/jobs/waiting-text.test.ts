import assert from "node:assert/strict";
import { test } from "node:test";
import { reportWaiting, waitingText } from "./waiting-text.ts";

const now = new Date("2026-05-01T12:00:00Z");
const awaiting = (classes: string[], minutesAgo: number | null) => ({
  waiting_for: {
    reason: "worker" as const,
    node_classes: classes,
    models: [],
    last_seen_at: minutesAgo === null ? null : new Date(now.getTime() - minutesAgo * 60_000).toISOString(),
  },
});

test("a job that waits for a worker says for which, and when one was last seen", () => {
  assert.equal(
    waitingText(awaiting(["TestSleep"], 63), now),
    "waiting for a worker that has TestSleep; one was last seen 63 min ago",
  );
  assert.equal(
    waitingText(awaiting(["A", "B", "C", "D", "E", "F", "G"], 300), now),
    "waiting for a worker that has A, B, C, D, E and 2 more; one was last seen 5 h ago",
  );
  assert.equal(waitingText(awaiting([], null), now), "waiting for a worker");
  assert.equal(waitingText({}, now), null);
});

test("the reason a queued job waits is printed once for each change, and never after it began", async () => {
  const states = [
    { status: "queued" as const },
    { status: "queued" as const, ...awaiting(["A"], null) },
    { status: "queued" as const, ...awaiting(["A"], null) },
    { status: "queued" as const, ...awaiting(["B"], null) },
    { status: "running" as const },
  ];
  let at = 0;
  const job = {
    get current() {
      return states[at] ?? { status: "succeeded" as const };
    },
    refresh: async () => {
      at += 1;
      throw new Error("whether it fails or not, what is known of the job decides");
    },
  };
  const said: string[] = [];
  await reportWaiting(
    job,
    (line) => said.push(line),
    new AbortController().signal,
    async () => undefined,
  );
  assert.deepEqual(said, ["  waiting for a worker that has A", "  waiting for a worker that has B"]);
  assert.equal(at, 4);
});
