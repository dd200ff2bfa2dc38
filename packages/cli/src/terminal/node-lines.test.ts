import assert from "node:assert/strict";
import { test } from "node:test";
import { EndedNodes, type JobNode, nodeTable } from "./node-lines.ts";
import { progressLine } from "./progress-line.ts";

const node = (node_id: string, state: JobNode["state"], more: Partial<JobNode> = {}): JobNode => ({
  node_id,
  class_type: "ImageBlur",
  state,
  progress: state === "done" ? 1 : 0,
  ms: state === "done" ? 120 : null,
  ...more,
});
const progressOf = (nodes: JobNode[], total = nodes.length) => ({
  value: 0.5,
  nodes_done: 1,
  nodes_total: total,
  nodes,
  node_counts: { waiting: total, running: 0, cached: 0, done: 0, failed: 0 },
});

test("a node that has ended is printed once, with its title and time", () => {
  const ended = new EndedNodes();
  const first = [node("1", "done", { title: "Soft" }), node("2", "running"), node("3", "waiting")];
  assert.deepEqual(ended.linesOf(progressOf(first)), ["  ✓ Soft (ImageBlur)                       120 ms"]);
  const second = [first[0] ?? assert.fail(), node("2", "cached"), node("3", "failed", { ms: 2500 })];
  assert.deepEqual(ended.linesOf(progressOf(second)), [
    "  = ImageBlur                               known",
    "  ✕ ImageBlur                               2.5 s",
  ]);
  assert.deepEqual(ended.linesOf(progressOf(second)), []);
});

test("of a large graph only slow and failed nodes are printed", () => {
  const nodes = [node("1", "done"), node("2", "done", { ms: 1500 }), node("3", "failed")];
  assert.equal(new EndedNodes().linesOf(progressOf(nodes, 300)).length, 2);
});

test("the table has every reported node, with its cost, and says how many are not listed", () => {
  const lines = nodeTable(
    progressOf([node("1", "done", { title: "Soft" }), node("20", "waiting")], 700),
    new Map([["1", "0.5"]]),
  );
  assert.deepEqual(lines, [
    "",
    "node  state        time  credits  name",
    "1     ✓ done     120 ms  0.5      Soft (ImageBlur)",
    "20    ○ waiting                   ImageBlur",
    "… and 698 more nodes.",
  ]);
  assert.deepEqual(nodeTable({ value: 1, nodes_done: 1, nodes_total: 1 }, new Map()), []);
  assert.deepEqual(nodeTable(null, new Map()), []);
});

test("the line of a running job names the node by its title", () => {
  const running = {
    ...progressOf([node("2", "running", { title: "Soft edges" })]),
    current_node: "2",
    step: 2,
    steps: 5,
  };
  assert.match(progressLine(running, 1, true), /^▶ Soft edges 2\/5 /);
});
