import assert from "node:assert/strict";
import { test } from "node:test";
import { batchLine } from "./batch-screen.ts";

const entries = [
  { state: "succeeded", share: 1 },
  { state: "failed", share: 0.5 },
  { state: "running", share: 0.5 },
  { state: "queued", share: 0 },
  { state: "waiting", share: 0 },
] as const;
const facts = { title: "first-picture", seconds: 2.5 };

test("one line counts the jobs by state, within the terminal", () => {
  const line = batchLine(entries, { ...facts, columns: 120 }, { isUnicode: true });
  assert.match(
    line,
    /^▶ first-picture ━{10}─{10} +50% {3}2 of 5 done, 1 running, 1 queued, 1 to submit, 1 failed {3}2.5 s$/,
  );
  for (const columns of [80, 90, 100])
    assert.ok(batchLine(entries, { ...facts, columns }, { isUnicode: false }).length <= columns);
});
