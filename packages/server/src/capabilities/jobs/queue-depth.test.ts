import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import { createQueueDepth } from "./queue-depth.ts";

const lane = { workspaceId: newId<"workspace">(), poolId: newId<"pool">() };

function aGate(cap: number) {
  const state = { depth: 0, counts: 0 };
  const clock = handClock();
  const gate = createQueueDepth({
    clock,
    limitOf: () => cap,
    count: async (_lane, bound) => {
      state.counts += 1;
      return Math.min(bound, state.depth);
    },
  });
  return { state, clock, gate };
}

test("one process never admits one too many, however many come at once", async () => {
  const { gate } = aGate(5);
  const entries = await Promise.all(Array.from({ length: 50 }, () => gate.enter(lane)));
  assert.equal(entries.filter((entry) => entry !== "full").length, 5);
});

test("a job refused for another reason gives its place back", async () => {
  const { gate } = aGate(1);
  const first = await gate.enter(lane);
  assert.ok(first !== "full");
  first.leave(false);
  assert.notEqual(await gate.enter(lane), "full");
});

test("it counts a few times a second at most, and again before it refuses", async () => {
  const { gate, state, clock } = aGate(10);
  for (let index = 0; index < 10; index++) {
    const entry = await gate.enter(lane);
    assert.ok(entry !== "full");
    state.depth += 1;
    entry.leave(true);
  }
  assert.equal(state.counts, 1);
  state.depth = 3;
  assert.equal(await gate.enter(lane), "full");
  await clock.advance(60);
  assert.notEqual(await gate.enter(lane), "full");
  assert.equal(state.counts, 2);
});
