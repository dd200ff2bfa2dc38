import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { NodeBoard } from "../../graph-runs/index.ts";
import { decodeNodes, type NodeEntry } from "../../jobs/index.ts";
import type { ApplicationEvent, NodeProgress } from "../line/read-frame.ts";
import { GraphProgress, progressNodes } from "./graph-progress.ts";

const graph = {
  "1": { class_type: "Load", inputs: {} },
  "2": { class_type: "Sample", inputs: { model: ["1", 0], steps: 20 } },
  "3": { class_type: "Save", inputs: { images: ["2", 0] } },
  "9": { class_type: "Load", inputs: {} },
};
const needed = progressNodes(graph, (name) => name === "Save");
const fresh = (board = new NodeBoard(needed, handClock())) => new GraphProgress(needed, board);
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

const shown = (board: NodeBoard) => decodeNodes(board.picture(1));
const stateOf = (board: NodeBoard, id: string) => shown(board)?.nodes.find(({ nodeId }) => nodeId === id)?.state;

test("each node is reported as the application reports it, and one that ended unseen has no time", async () => {
  const clock = handClock();
  const board = new NodeBoard(needed, clock);
  const progress = fresh(board);
  progress.apply({ kind: "cached", promptId: "p", nodes: ["1"] });
  progress.apply({ kind: "executed", promptId: "p", nodeId: "1", displayNodeId: null, output: {} });
  progress.apply(states(node("2", "running", 10, 20)));
  await clock.advance(1_500);
  assert.deepEqual(
    shown(board)?.nodes.map(({ nodeId, state, share, ms }) => [nodeId, state, share, ms]),
    [
      ["1", "cached", 1, null],
      ["2", "running", 0.5, 1500],
      ["3", "waiting", 0, null],
    ],
  );
  progress.apply(states(node("2", "finished", 20, 20)));
  progress.apply({ kind: "executing", promptId: "p", nodeId: "3", displayNodeId: null });
  await clock.advance(100);
  progress.finish();
  assert.deepEqual(
    shown(board)?.nodes.map(({ state, ms }) => [state, ms]),
    [
      ["cached", null],
      ["done", 1500],
      ["done", null],
    ],
  );
});

test("a node that another one follows has ended then, unless it is heard of again", async () => {
  const clock = handClock();
  const board = new NodeBoard(needed, clock);
  const progress = fresh(board);
  const executing = async (nodeId: string) => {
    progress.apply({ kind: "executing", promptId: "p", nodeId, displayNodeId: null });
    await clock.advance(100);
  };
  await executing("1");
  await executing("2");
  // The first continues beside the second, as nodes that only wait may.
  progress.apply(states(node("1", "running", 0), node("2", "running", 1, 20)));
  await executing("3");
  progress.apply(states(node("1", "finished", 1)));
  progress.finish();
  assert.deepEqual(
    shown(board)?.nodes.map(({ state, ms }) => [state, ms]),
    [
      ["done", 300],
      ["done", 100],
      ["done", null],
    ],
  );
});

test("expanded nodes are reported as their original node, by either form of its id", () => {
  for (const id of ["2.0.1", "2:3", "2:3.0:1"]) {
    const board = new NodeBoard(needed, handClock());
    fresh(board).apply(states(node(id, "running", 1, 2)));
    assert.equal(stateOf(board, "2"), "running", id);
  }
});

test("an error names the node that failed, also when it came from what was made of it", () => {
  const board = new NodeBoard(needed, handClock());
  const progress = fresh(board);
  progress.apply(states(node("1", "finished", 1), node("2", "running", 1, 20)));
  const failure = { nodeId: "2:7", classType: null, exceptionType: null, message: null };
  progress.apply({ kind: "failed", promptId: "p", failure });
  progress.apply(states(node("2", "finished", 20, 20)));
  assert.deepEqual(shown(board)?.counts, { waiting: 1, running: 0, cached: 0, done: 1, failed: 1 });
  assert.equal(progress.snapshot().nodesDone, 1);
});

const ranks = { waiting: 0, running: 1, cached: 2, done: 2, failed: 2 };

function assertLaterStates(before: readonly NodeEntry[], now: readonly NodeEntry[]): void {
  assert.deepEqual(
    now.map(({ nodeId }) => nodeId),
    needed.map(({ id }) => id),
  );
  for (const [at, old] of before.entries()) {
    const fresh = now[at];
    assert.ok(fresh !== undefined && fresh.share >= old.share && ranks[fresh.state] >= ranks[old.state]);
    if (ranks[old.state] === 2) assert.equal(fresh.state, old.state);
  }
}

test("events in any order never lower progress or push it out of bounds", () => {
  const id = fc.constantFrom(
    "1",
    "2",
    "3",
    "9",
    "2.0.1",
    "2.1",
    "2:4",
    "77",
    "__proto__",
    "constructor",
    "3".repeat(500),
  );
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
    fc.record({
      kind: fc.constant("executed" as const),
      promptId: fc.constant("p"),
      nodeId: id,
      displayNodeId: fc.option(id),
      output: fc.constant({}),
    }),
    fc.record({
      kind: fc.constant("failed" as const),
      promptId: fc.constant("p"),
      failure: fc.record({
        nodeId: fc.option(id),
        classType: fc.constant(null),
        exceptionType: fc.constant(null),
        message: fc.constant(null),
      }),
    }),
    fc.record({ kind: fc.constant("text" as const), promptId: fc.constant(null), nodeId: id, text: fc.string() }),
  );
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const board = new NodeBoard(needed, handClock());
      const progress = fresh(board);
      let before = progress.snapshot();
      let nodesBefore = shown(board)?.nodes ?? [];
      for (const each of events) {
        progress.apply(each);
        const picture = shown(board);
        assert.ok(picture !== null);
        assertLaterStates(nodesBefore, picture.nodes);
        const { waiting, running, cached, done, failed } = picture.counts;
        assert.equal(cached + done, progress.snapshot().nodesDone);
        assert.equal(waiting + running + cached + done + failed, needed.length);
        nodesBefore = picture.nodes;
        const now = progress.snapshot();
        assert.ok(now.value >= before.value && now.value <= 1, `${before.value} → ${now.value}`);
        assert.ok(now.nodesDone >= before.nodesDone && now.nodesDone <= now.nodesTotal);
        assert.ok(now.step === null || now.steps === null || (now.step >= 0 && now.step <= now.steps));
        before = now;
      }
    }),
  );
});
