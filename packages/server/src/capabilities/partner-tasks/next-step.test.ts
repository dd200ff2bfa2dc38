import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { TaskState } from "../partners/index.ts";
import { isEnded, nextState, type Observation, outcomeOf } from "./next-step.ts";

const seen = (state: TaskState): Observation => ({
  kind: "reading",
  reading: { partnerTaskId: "1", state, answer: { bytes: Buffer.from("{}"), root: "" }, error: null },
});
const states: readonly TaskState[] = ["created", "running", "completed", "failed"];
const observations = fc.oneof(
  fc.constantFrom(...states).map(seen),
  fc.constantFrom<Observation>({ kind: "timed_out" }, { kind: "lost" }),
);

test("states may be skipped, never taken back, and an end is the end", () => {
  assert.equal(nextState("created", seen("completed")), "completed");
  assert.equal(nextState("running", seen("created")), null);
  assert.equal(nextState("running", seen("running")), null);
  assert.equal(nextState("completed", seen("failed")), null);
  assert.equal(nextState("failed", seen("completed")), null);
  assert.equal(nextState("running", { kind: "timed_out" }), "failed");
  assert.equal(nextState("completed", { kind: "lost" }), null);
});

test("a usage row tells the partner's time-out from its failure", () => {
  assert.equal(outcomeOf("completed", seen("completed")), "succeeded");
  assert.equal(outcomeOf("failed", { kind: "timed_out" }), "provider_timeout");
  for (const observation of [seen("failed"), { kind: "lost" } as const])
    assert.equal(outcomeOf("failed", observation), "provider_error");
});

test("observations in any order and number give at most two changes and one end", () => {
  fc.assert(
    fc.property(fc.array(observations, { maxLength: 20 }), (list) => {
      let state: TaskState = "created";
      let changes = 0;
      let ends = 0;
      for (const observation of list) {
        const next = nextState(state, observation);
        if (next === null) continue;
        assert.notEqual(next, state);
        state = next;
        changes += 1;
        if (isEnded(next)) ends += 1;
      }
      assert.ok(changes <= 2 && ends <= 1);
      assert.equal(ends === 1, isEnded(state));
    }),
  );
});
