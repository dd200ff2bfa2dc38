import assert from "node:assert/strict";
import { test } from "node:test";
import { holdPart } from "./hold-part.ts";

test("no node's part is the run's, and no two nodes have the same", () => {
  const ids = ["run", "node run", "node node run", "1", "Run", "run 2", "node"];
  const parts = ids.map(holdPart);
  assert.ok(!parts.includes("run"));
  assert.equal(new Set(parts).size, ids.length);
  assert.deepEqual(parts.slice(3), ids.slice(3));
});
