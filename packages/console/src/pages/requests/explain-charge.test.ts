import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChargedRequest, explainCharge } from "./explain-charge.ts";

const call = {
  id: "c",
  state: "finished" as const,
  outcome: "succeeded",
  model: "a/b",
  held: "10",
  charged: "4",
  created_at: "",
  ended_at: "",
  idempotency_key: null,
  key_answers_until: null,
};
const row = {} as ChargedRequest["rows"][number];
const line = (kind: string, amount: string) => ({ kind, amount }) as ChargedRequest["credit_lines"][number];
const request = (more: Partial<ChargedRequest>): ChargedRequest => ({
  call,
  replayed: false,
  rows: [row],
  credit_lines: [],
  outcome: "succeeded",
  attempts: [],
  ...more,
});
const stepsOf = (given: ChargedRequest) => explainCharge(given)?.steps.map(({ name, credits }) => `${name} ${credits}`);

test("what was held and not charged is shown as returned, and the reason names the report", () => {
  assert.deepEqual(stepsOf(request({})), ["Held 10", "Charged 4", "Returned 6"]);
  assert.match(explainCharge(request({}))?.why ?? "", /reported less/);
});

test("a failed call shows that everything went back, and a refusal that is charged says so", () => {
  const failed = { ...call, outcome: "provider_error", charged: "0" };
  assert.deepEqual(stepsOf(request({ call: failed })), ["Held 10", "Charged 0", "Returned 10"]);
  assert.match(explainCharge(request({ call: failed }))?.why ?? "", /not charged/i);
  const refused = { ...call, outcome: "content_policy_violation", charged: "10" };
  assert.deepEqual(stepsOf(request({ call: refused })), ["Held 10", "Charged 10"]);
  assert.match(explainCharge(request({ call: refused }))?.why ?? "", /charges for refused inputs/);
});

test("a refund is a step of its own", () => {
  const lines = [line("refund", "4"), line("settle", "4")];
  assert.deepEqual(stepsOf(request({ credit_lines: lines })), ["Held 10", "Charged 4", "Returned 6", "Refunded 4"]);
});

test("a running call only holds; a replay, a refused request and a free call hold nothing", () => {
  assert.deepEqual(stepsOf(request({ call: { ...call, state: "open", charged: null, outcome: null } })), ["Held 10"]);
  assert.deepEqual(stepsOf(request({ replayed: true })), []);
  assert.match(explainCharge(request({ call: null, outcome: "invalid_input" }))?.why ?? "", /before/);
  // A free call without a key is no call that holds anything, but its provider was asked.
  const attempts = [{} as ChargedRequest["attempts"][number]];
  const lost = explainCharge(request({ call: null, outcome: "provider_error", attempts }));
  assert.match(lost?.why ?? "", /^Nothing was held\./);
  assert.deepEqual(stepsOf(request({ call: { ...call, held: "0", charged: "0" } })), []);
  assert.equal(explainCharge(request({ call: null, rows: [] })), null);
});
