import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { GraphProgress, progressNodes } from "./graph-progress.ts";
import type { ApplicationEvent, NodeProgress } from "./read-frame.ts";

const graph = {
  "1": { class_type: "Load", inputs: {} },
  "2": { class_type: "Sample", inputs: { model: ["1", 0], steps: 20 } },
  "3": { class_type: "Save", inputs: { images: ["2", 0] } },
  "9": { class_type: "Load", inputs: {} },
};
const fresh = () => new GraphProgress(progressNodes(graph, (name) => name === "Save"));
const node = (nodeId: string, state: NodeProgress["state"], value = 0, max = 1, display: string | null = null) => ({
  nodeId,
  displayNodeId: display,
  realNodeId: null,
  state,
  value,
  max,
});
const states = (...nodes: NodeProgress[]): ApplicationEvent => ({ kind: "progress_state", promptId: "p", nodes });

test("only nodes that an output needs count, by weight", () => {
  assert.deepEqual(
    progressNodes(graph, (name) => name === "Save").map(({ id, weight }) => [id, weight]),
    [
      ["1", 1],
      ["2", 21],
      ["3", 1],
    ],
  );
  assert.equal(progressNodes(graph, null).length, 4);
});

test("progress counts the submitted graph and not the nodes that have begun", () => {
  const progress = fresh();
  progress.apply(states(node("1", "finished", 1)));
  assert.deepEqual(progress.snapshot(), {
    value: 1 / 23,
    nodesDone: 1,
    nodesTotal: 3,
    currentNode: null,
    currentNodeClass: null,
    step: null,
    steps: null,
    message: null,
  });
  progress.apply(states(node("1", "finished", 1), node("2", "running", 10, 20)));
  const half = progress.snapshot();
  assert.equal(half.value, (1 + 21 / 2) / 23);
  assert.deepEqual([half.currentNode, half.step, half.steps, half.message], ["2", 10, 20, "Sample 10/20"]);
});

test("cached nodes are done at once, and the end is the whole", () => {
  const progress = fresh();
  progress.apply({ kind: "cached", promptId: "p", nodes: ["1", "2", "unheard of"] });
  assert.equal(progress.snapshot().nodesDone, 2);
  progress.finish();
  assert.deepEqual([progress.snapshot().value, progress.snapshot().nodesDone], [1, 3]);
});

test("an expanded node counts as the one it stands for, and never as done before that is", () => {
  const progress = fresh();
  progress.apply(states(node("2.0.1", "finished", 1, 1, "2"), node("2.0.2", "running", 3, 8)));
  const seen = progress.snapshot();
  assert.deepEqual([seen.nodesDone, seen.currentNode, seen.step, seen.steps], [0, "2", 3, 8]);
  assert.ok(seen.value > 0 && seen.value < 21 / 23);
  assert.equal(progress.submittedNode("7.1"), null);
});

test("a text of the running node is its message until another runs", () => {
  const progress = fresh();
  progress.apply({ kind: "executing", promptId: "p", nodeId: "2", displayNodeId: null });
  assert.ok(progress.apply({ kind: "text", promptId: null, nodeId: "2", text: "waiting\nfor a place" }));
  assert.equal(progress.snapshot().message, "waiting for a place");
  assert.ok(!progress.apply({ kind: "text", promptId: null, nodeId: "3", text: "other" }));
  progress.apply({ kind: "executing", promptId: "p", nodeId: "3", displayNodeId: null });
  assert.equal(progress.snapshot().message, "Save");
});

test("whatever is told in whatever order, progress never falls and stays within bounds", () => {
  const id = fc.constantFrom("1", "2", "3", "9", "2.0.1", "2.1", "77");
  const number = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -3, max: 30 }));
  const progressed = fc.record({
    nodeId: id,
    displayNodeId: fc.option(id),
    realNodeId: fc.option(id),
    state: fc.constantFrom<NodeProgress["state"]>("running", "finished", "error"),
    value: number,
    max: number,
  });
  const event: fc.Arbitrary<ApplicationEvent> = fc.oneof(
    fc.record({
      kind: fc.constant("progress_state" as const),
      promptId: fc.constant("p"),
      nodes: fc.array(progressed),
    }),
    fc.record({ kind: fc.constant("cached" as const), promptId: fc.constant("p"), nodes: fc.array(id) }),
    fc.record({
      kind: fc.constant("executing" as const),
      promptId: fc.constant("p"),
      nodeId: id,
      displayNodeId: fc.option(id),
    }),
    fc.record({
      kind: fc.constant("progress" as const),
      promptId: fc.constant("p"),
      nodeId: fc.option(id),
      value: number,
      max: number,
    }),
    fc.record({ kind: fc.constant("text" as const), promptId: fc.constant(null), nodeId: id, text: fc.string() }),
  );
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const progress = fresh();
      let before = progress.snapshot();
      for (const each of events) {
        progress.apply(each);
        const now = progress.snapshot();
        assert.ok(now.value >= before.value && now.value <= 1, `${before.value} → ${now.value}`);
        assert.ok(now.nodesDone >= before.nodesDone && now.nodesDone <= now.nodesTotal);
        assert.ok(now.step === null || now.steps === null || (now.step >= 0 && now.step <= now.steps));
        before = now;
      }
    }),
  );
});
