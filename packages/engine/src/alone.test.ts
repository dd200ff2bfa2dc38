// Jobs that are alone share no process with another scope, and the pool stays as small as it was.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import type { EngineHost } from "./engine-host.ts";
import { openEnginePool } from "./engine-pool.ts";

const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 1 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "a" } },
};

test("jobs that are alone never share a process with another scope, in a pool that is as small as before", async (context) => {
  const pool = openEnginePool({ size: 2 });
  context.after(() => pool.close());
  // A child's folder is its own, so the folders tell the processes apart.
  const servedBy = new Map<string, Set<string>>();
  const run = async (cacheScope: string) => {
    const saveOutput: EngineHost["saveOutput"] = async ({ path }) => {
      const child = dirname(dirname(path));
      servedBy.set(child, new Set([...(servedBy.get(child) ?? []), cacheScope]));
      assert.ok(pool.processIds.length <= 2);
    };
    const isAlone = cacheScope.startsWith("alone");
    const none = () => Promise.reject(new Error("there is none"));
    const host = { readAsset: none, callModel: none, saveOutput, onEvent: () => {} };
    const result = await pool.run({ id: cacheScope, graph, cacheScope, isAlone }, host);
    assert.equal(result.status, "succeeded", JSON.stringify(result));
    return result.metrics?.nodesCached;
  };
  for (const scope of ["alone 1", "alone 2", "one", "alone 1", "two", "alone 2"]) await run(scope);
  // More scopes than processes at once: all are served.
  await Promise.all(["alone 1", "alone 2", "alone 3", "one", "two", "alone 1"].map(run));
  const together = [...servedBy.values()].filter((scopes) => scopes.size > 1);
  assert.ok(together.every((scopes) => [...scopes].every((scope) => !scope.startsWith("alone"))));
  assert.deepEqual(new Set([...servedBy.values()].flatMap((scopes) => [...scopes])).size, 5);
  // A process of its own is kept and used again while there is room.
  await run("alone 1");
  assert.equal(await run("alone 1"), 2, "its results are still there");
});
