import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { decodeNodes, type NodeEntry } from "../jobs/index.ts";
import { neededNodes, titleIn } from "./needed-nodes.ts";
import { type BoardNode, NodeBoard } from "./node-board.ts";

const nodesOf = (count: number, classType = "Blend"): BoardNode[] =>
  Array.from({ length: count }, (_, at) => ({ id: String(at), classType, title: at === 0 ? "The first" : null }));
const pictureOf = (board: NodeBoard) => {
  const text = board.picture(2);
  const picture = decodeNodes(text);
  assert.ok(picture !== null);
  return { ...picture, text };
};

test("a node that ran says since when and how long, one that was known says nothing, and the class has the sum", async () => {
  const clock = handClock();
  const board = new NodeBoard(nodesOf(4), clock);
  board.begin("0");
  await clock.advance(40);
  board.finish("0");
  await clock.advance(5);
  board.cached("1");
  board.begin("2");
  board.finish("2", 7);
  board.finish("0", 99);
  board.fail("1");
  const { attempt, counts, classes, nodes } = pictureOf(board);
  assert.equal(attempt, 2);
  assert.deepEqual(counts, { waiting: 1, running: 0, cached: 1, done: 2, failed: 0 });
  assert.deepEqual(classes, [{ classType: "Blend", ran: 2, ms: 47, cached: 1 }]);
  assert.deepEqual(
    nodes.map(({ title, state, beganMs, ms }) => [title, state, beganMs, ms]),
    [
      ["The first", "done", 0, 40],
      [null, "cached", null, null],
      [null, "done", 45, 7],
      [null, "waiting", null, null],
    ],
  );
});

test("the end names what failed, and of a graph that succeeded all is done", () => {
  const failed = new NodeBoard(nodesOf(3), handClock());
  failed.begin("0");
  const problem = { code: "node_execution_error", message: "", nodeId: "1", classType: "Blend" };
  failed.close({ kind: "failed", problem, isRetryable: false });
  assert.deepEqual(pictureOf(failed).counts, { waiting: 1, running: 1, cached: 0, done: 0, failed: 1 });
  const succeeded = new NodeBoard(nodesOf(3), handClock());
  succeeded.begin("0");
  succeeded.close({ kind: "succeeded", outputsReused: false, executedWorkflow: null });
  assert.equal(pictureOf(succeeded).counts.done, 3);
  assert.equal(pictureOf(succeeded).nodes[0]?.ms, null);
});

test("of ten thousand nodes the failed, running and latest are listed, and all are counted", () => {
  const board = new NodeBoard(nodesOf(10_000), handClock());
  for (let at = 0; at < 5_000; at++) board.finish(String(at), 1);
  board.fail("5000");
  board.begin("9999");
  const { counts, nodes, text, classes } = pictureOf(board);
  assert.deepEqual(counts, { waiting: 4_998, running: 1, cached: 0, done: 5_000, failed: 1 });
  assert.equal(nodes.length, 500);
  assert.deepEqual(
    nodes.slice(0, 4).map(({ nodeId }) => nodeId),
    ["5000", "9999", "4999", "4998"],
  );
  assert.equal(nodes.filter(({ state }) => state === "waiting").length, 0);
  assert.deepEqual(classes, [{ classType: "Blend", ran: 5_000, ms: 5_000, cached: 0 }]);
  assert.ok(text.length < 20_000, `${text.length} characters`);
});

test("names that are as long and odd as they may be leave the picture small, and readable", () => {
  for (const letter of ["ü", "\\", "\u0001", "\ud800", "😀", "\0"]) {
    const long = (at: number) => `${at}${letter.repeat(250)}`.slice(0, 255);
    const nodes = Array.from({ length: 2_000 }, (_, at) => ({
      id: long(at),
      classType: long(at),
      title: long(at).repeat(9),
    }));
    const board = new NodeBoard(nodes, handClock());
    for (const { id } of nodes) board.finish(id, 3);
    const { text, counts, classes } = pictureOf(board);
    assert.equal(counts.done, 2_000);
    assert.ok(Buffer.byteLength(text) <= 44 * 1024, `${JSON.stringify(letter)}: ${Buffer.byteLength(text)} bytes`);
    assert.equal(
      classes.reduce((sum, { ran }) => sum + ran, 0),
      2_000,
    );
  }
});

test("only a text is a title", () => {
  assert.equal(titleIn({ _meta: { title: " Sky " } }), "Sky");
  for (const node of [null, {}, { _meta: null }, { _meta: { title: 3 } }, { _meta: { title: " " } }])
    assert.equal(titleIn(node), null);
});

test("only nodes that an output needs are listed, whatever their names", () => {
  const graph = JSON.parse(
    '{"9":{"class_type":"Save","inputs":{"a":["__proto__",0],"b":["gone",0],"c":[1,2]}},"__proto__":{"class_type":"Load","inputs":{"again":["9",0]}},"3":{"class_type":"Load","inputs":{}},"4":null}',
  );
  assert.deepEqual(
    neededNodes(graph, (name) => name === "Save"),
    ["9", "__proto__"],
  );
});

const ranks = { waiting: 0, running: 1, cached: 2, done: 2, failed: 2 };

test("events in any order and number never move a node back, and all nodes are counted", () => {
  const id = fc.constantFrom("0", "1", "2", "3", "__proto__", "9", "1:4");
  const event = fc.record({ what: fc.constantFrom("begin", "finish", "cached", "fail", "advance"), id });
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.double())), (events) => {
      const board = new NodeBoard(nodesOf(4), handClock());
      let before: readonly NodeEntry[] = pictureOf(board).nodes;
      for (const [{ what, id: nodeId }, value] of events) {
        if (what === "begin") board.begin(nodeId);
        else if (what === "finish") board.finish(nodeId);
        else if (what === "cached") board.cached(nodeId);
        else if (what === "fail") board.fail(nodeId);
        else board.advance(nodeId, value);
        const { nodes, counts } = pictureOf(board);
        for (const [at, old] of before.entries()) {
          const now = nodes[at];
          assert.ok(now && ranks[now.state] >= ranks[old.state] && now.share >= old.share && now.share <= 1);
          assert.ok(ranks[old.state] < 2 || (now.state === old.state && now.ms === old.ms));
        }
        const summed = Object.entries(counts).every(
          ([state, count]) => nodes.filter((node) => node.state === state).length === count,
        );
        assert.ok(summed && nodes.length === 4);
        before = nodes;
      }
    }),
  );
});
