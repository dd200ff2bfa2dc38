import assert from "node:assert/strict";
import { test } from "node:test";
import { Registry } from "prom-client";
import { registerNodeMetrics } from "./node-metrics.ts";
import { encodeNodes, type NodePicture } from "./node-picture.ts";

const counts = { waiting: 0, running: 0, cached: 0, done: 2, failed: 0 };
const pictureOf = (more: Partial<NodePicture>) =>
  encodeNodes({ attempt: 1, sequence: 1, counts, classes: [], nodes: [], ...more });

test("time is counted for each node that ran, by class, and of large graphs for those that are not listed", async () => {
  const registry = new Registry();
  const metrics = registerNodeMetrics(registry);
  const node = {
    nodeId: "1",
    classType: "Blend",
    title: null,
    state: "done",
    share: 1,
    ms: 50,
    beganMs: 0,
  } as const;
  metrics.ended(pictureOf({ classes: [{ classType: "Blend", ran: 3, ms: 4_050, cached: 2 }], nodes: [node] }));
  metrics.ended("nonsense");
  const page = await registry.metrics();
  assert.match(page, /atelier_node_seconds_sum\{class="Blend"\} 4\.05\n/);
  assert.match(page, /atelier_node_seconds_count\{class="Blend"\} 3\n/);
  assert.match(page, /atelier_node_seconds_bucket\{le="0\.1",class="Blend"\} 1\n/);
  assert.match(page, /atelier_node_cache_hits_total\{class="Blend"\} 2\n/);
});

test("however many classes graphs name, the page has two hundred of them, and all are counted", async () => {
  const registry = new Registry();
  const metrics = registerNodeMetrics(registry);
  for (let at = 0; at < 1_000; at++) {
    metrics.ended(pictureOf({ classes: [{ classType: `Class${at}`, ran: 1, ms: 1, cached: 1 }] }));
  }
  const page = await registry.metrics();
  assert.equal(page.match(/^atelier_node_cache_hits_total\{/gm)?.length, 201);
  assert.match(page, /atelier_node_cache_hits_total\{class="other"\} 800\n/);
  assert.match(page, /atelier_node_seconds_count\{class="other"\} 800\n/);
});
