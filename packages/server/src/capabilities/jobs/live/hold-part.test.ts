import assert from "node:assert/strict";
import { test } from "node:test";
import { holdPart } from "./hold-part.ts";

test("no node shares its hold part with the run or another node", () => {
  const ids = ["run", "node run", "node node run", "1", "Run", "run 2", "node"];
  const parts = ids.map(holdPart);
  assert.ok(!parts.includes("run"));
  assert.equal(new Set(parts).size, ids.length);
  assert.deepEqual(parts.slice(3), ids.slice(3));
});
