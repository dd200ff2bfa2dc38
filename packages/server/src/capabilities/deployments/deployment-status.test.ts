import assert from "node:assert/strict";
import { test } from "node:test";
import { stateOf } from "./deployment-status.ts";

const started = { stoppedAt: null };
const good = { name: "one", problems: [] };
const bad = { name: "two", problems: ["The engine is application; embedded is pinned."] };

test("one worker that matches makes a deployment ready, whatever the others are", () => {
  assert.deepEqual(stateOf(started, [bad, good]), { state: "ready", reason: null });
});

test("workers that do not match leave it provisioning, and the first one's problems are shown", () => {
  assert.deepEqual(stateOf(started, [bad]), {
    state: "provisioning",
    reason: "The worker two does not match: The engine is application; embedded is pinned.",
  });
  assert.match(stateOf(started, [bad, bad]).reason ?? "", /None of the 2 workers match/);
  assert.equal(stateOf(started, []).state, "provisioning");
});

test("a stopped deployment is stopped, whatever workers are there", () => {
  assert.equal(stateOf({ stoppedAt: new Date() }, [good]).state, "stopped");
});
