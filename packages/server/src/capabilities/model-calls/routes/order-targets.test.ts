import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { silentLog } from "../../../foundation/log.ts";
import { createProviderHealth, type Outcome } from "../../providers/index.ts";
import { orderTargets, routeTurns } from "./order-targets.ts";

const target = (provider: string, hold: bigint, weight = 1) => ({
  model: { id: `${provider}/draw`, provider },
  credentialOf: null,
  hold,
  weight,
});
const targets = [target("one", 3n, 3), target("two", 1n), target("three", 2n)];
const done: Outcome = { kind: "rejected_input", message: null, detail: null, upstreamStatus: 422 };
const lost: Outcome = { kind: "no_answer", reason: "lost" };

function ordering() {
  const health = createProviderHealth(handClock(), silentLog);
  const turns = routeTurns();
  const end = (provider: string, outcome: Outcome, ms: number) =>
    health.ended({ provider, model: `${provider}/draw`, credentialOf: null, outcome, ms });
  const order = (rule: Parameters<typeof orderTargets>[2]) =>
    orderTargets({ health, turns }, "route/x", rule, targets).map(({ model }) => model.provider);
  return { end, order };
}

test("targets are asked as listed, by price, by latency, or by success", () => {
  const { end, order } = ordering();
  assert.deepEqual(order("order"), ["one", "two", "three"]);
  assert.deepEqual(order("price"), ["two", "three", "one"]);
  end("one", done, 300);
  end("two", done, 100);
  assert.deepEqual(order("latency"), ["three", "two", "one"], "one that was never asked goes first");
  end("three", done, 200);
  assert.deepEqual(order("latency"), ["two", "three", "one"]);
  end("two", lost, 100);
  assert.deepEqual(order("success"), ["one", "three", "two"]);
});

test("weights share the first turns exactly, without chance", () => {
  const { order } = ordering();
  const first = Array.from({ length: 10 }, () => order("weight")[0]);
  const count = (provider: string) => first.filter((each) => each === provider).length;
  assert.deepEqual([count("one"), count("two"), count("three")], [6, 2, 2]);
});

test("a target whose circuit is open comes last, under every rule", () => {
  const { end, order } = ordering();
  for (let turn = 0; turn < 5; turn++) end("two", lost, 1);
  assert.deepEqual(order("order"), ["one", "three", "two"]);
  assert.deepEqual(order("price"), ["three", "one", "two"]);
});
