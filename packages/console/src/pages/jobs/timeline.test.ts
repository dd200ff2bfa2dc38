import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job, JobNode } from "@atelier/sdk";
import { nodeMs, ranMs } from "../../api/jobs.ts";
import { queueWords } from "./queue-words.ts";
import { timelineOf } from "./timeline.ts";

const began = Date.parse("2026-11-17T10:00:00.000Z");
const node = (node_id: string, more: Partial<JobNode>): JobNode =>
  ({ node_id, class_type: "A", title: null, state: "done", progress: 1, ms: null, ...more }) as JobNode;
const job = (nodes: readonly JobNode[], more: object = {}): Job =>
  ({
    status: "running",
    created_at: new Date(began).toISOString(),
    started_at: new Date(began).toISOString(),
    completed_at: null,
    progress: { nodes },
    ...more,
  }) as unknown as Job;

test("the clock of a running node goes on; that of an ended one stops", () => {
  const running = node("1", { state: "running", began_ms: 500, ms: 200 });
  const of = job([running]);
  assert.deepEqual([nodeMs(of, running, began + 1_500), nodeMs(of, running, began + 4_500)], [1_000, 4_000]);
  assert.equal(nodeMs(of, node("2", { began_ms: 0, ms: 300 }), began + 9_000), 300);
  assert.equal(nodeMs(job([running], { status: "queued" }), running, began + 9_000), 200, "not while it waits again");
});

test("a job that waits again after a restart does not run", () => {
  assert.equal(ranMs(job([], { status: "queued" }), began + 57_000), null);
  assert.equal(ranMs(job([]), began + 57_000), 57_000);
});

test("bars are in the order in which nodes began, below round times", () => {
  const nodes = [
    node("late", { began_ms: 8_000, ms: 2_000 }),
    node("never", { state: "waiting" }),
    node("first", { began_ms: 0, ms: 5_000 }),
    node("second", { began_ms: 5_000, ms: 3_000 }),
  ];
  const done = { status: "succeeded", completed_at: new Date(began + 10_000).toISOString() };
  const { rows, ticks, totalMs } = timelineOf(job(nodes, done), {}, began + 99_000);
  assert.deepEqual(
    rows.map((row) => row.node.node_id),
    ["first", "second", "late", "never"],
  );
  assert.equal(totalMs, 10_000);
  assert.deepEqual(
    ticks.map(({ ms }) => ms),
    [0, 2_000, 4_000, 6_000, 8_000],
  );
  assert.deepEqual(
    ticks.map(({ at }) => Math.round(at * 100)),
    [0, 20, 40, 60, 80],
  );
});

test("a queue position beyond the server's count is not shown as a number", () => {
  assert.deepEqual([0, 1, 99, 100].map(queueWords), [
    "Next in the queue",
    "1 ahead in the queue",
    "99 ahead in the queue",
    "100 or more ahead in the queue",
  ]);
});
