import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { EngineEvent, EngineHost } from "./engine-host.ts";
import { openEnginePool } from "./engine-pool.ts";
import { builtInClasses } from "./graph/built-in-classes.ts";
import type { Graph } from "./graph/graph.ts";
import { onlyComputes } from "./watch-node.ts";

const pool = openEnginePool({ size: 1 });
after(() => pool.close());

const hostWith = (onEvent: EngineHost["onEvent"] = () => undefined): EngineHost => ({
  readAsset: async () => assert.fail("no file was given"),
  callModel: async () => assert.fail("no model was given"),
  saveOutput: async () => undefined,
  onEvent,
});

const replacing = (string: string, regex_pattern: string): Graph => ({
  "1": { class_type: "RegexReplace", inputs: { string, regex_pattern, replace: "" } },
  "2": { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
});

test("a node that computes too long fails its job by name, and its slot is free at once", async () => {
  await pool.warm();
  const [first = 0] = pool.processIds;
  // The signal does to the child what an endless loop would, while the node takes all the steps it may.
  const freeze = (event: EngineEvent) => {
    if (event.kind === "node_started" && event.nodeId === "1") process.kill(first, "SIGSTOP");
  };
  const result = await pool.run(
    { id: "1", graph: replacing("a".repeat(5000), "(a*)*\\1b"), limits: { nodeSeconds: 1 } },
    hostWith(freeze),
  );
  assert.deepEqual(result.status === "failed" && result.failure, {
    code: "timed_out",
    message: "The node took longer than the 1 seconds allowed for RegexReplace.",
    nodeId: "1",
    classType: "RegexReplace",
    isRetryable: false,
  });
  assert.equal((await pool.run({ id: "2", graph: replacing("a", "a") }, hostWith())).status, "succeeded");
  assert.ok(!pool.processIds.includes(first));
});

test("a graph with a catastrophic pattern ends at once", async () => {
  const graph = replacing(`${"a".repeat(40)}!`, "(a+)+$");
  assert.equal((await pool.run({ id: "3", graph }, hostWith())).status, "succeeded");
});

test("a node that waits for a model or for files has the job's time limit, not a node's", () => {
  const computes = [...builtInClasses.values()].filter(onlyComputes).map(({ name }) => name);
  for (const name of ["RegexReplace", "ImageBlur", "ImageScale", "CreateVideo"])
    assert.ok(computes.includes(name), name);
  for (const name of ["AtelierModelImage", "LoadImage", "LoadVideo", "SaveImage", "SaveVideo"])
    assert.ok(!computes.includes(name), name);
});
