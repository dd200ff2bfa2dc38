import assert from "node:assert/strict";
import { test } from "node:test";
import { sandboxPartners } from "./sandbox-partners.ts";

test("the description is plain data, and every operation has a read path", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(sandboxPartners)), sandboxPartners);
  for (const { operations, states, slug, basePath } of Object.values(sandboxPartners)) {
    assert.equal(basePath, `/${slug}`);
    assert.equal(new Set(Object.values(states)).size, 4);
    for (const { submitPath, readPath } of operations)
      assert.ok(submitPath.startsWith("/") && readPath.endsWith("/{task_id}"));
  }
});
