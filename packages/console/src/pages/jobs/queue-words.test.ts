import assert from "node:assert/strict";
import { test } from "node:test";
import { queuedWords } from "./queue-words.ts";

const waiting = (node_classes: string[], models: string[] = []) => ({
  queue_position: 4,
  waiting_for: { reason: "worker" as const, node_classes, models, last_seen_at: null },
});

test("a queued job that waits for a worker says for which, and not its place in the queue", () => {
  assert.equal(queuedWords({ queue_position: 4 }), "4 ahead in the queue");
  assert.equal(queuedWords(waiting([])), "Needs a worker");
  assert.equal(queuedWords(waiting(["TestSleep"])), "Needs a worker with TestSleep");
  assert.equal(
    queuedWords(waiting(["A", "B"], ["c.safetensors", "d.safetensors"])),
    "Needs a worker with A, B, c.safetensors and 1 more",
  );
});
