import assert from "node:assert/strict";
import { test } from "node:test";
import { describeOutcome } from "./describe-outcome.ts";

type Request = Parameters<typeof describeOutcome>[0];
const ended = {
  id: "c",
  state: "finished",
  outcome: "succeeded",
  model: "sandbox/image-1",
  held: "2.11",
  charged: "2.11",
  created_at: "2026-11-17T10:00:00.000Z",
  ended_at: "2026-11-17T10:00:05.000Z",
  idempotency_key: "k",
  key_answers_until: "2026-11-18T10:00:05.000Z",
} as const;
const lost: Request = { outcome: "provider_error", status: 502, replayed: false, call: ended };

test("a lost answer says what the caller got, that the call succeeded, what it cost and how to collect it", () => {
  const became = describeOutcome(lost);
  assert.equal(became?.title, "The call succeeded later");
  assert.match(became?.words ?? "", /got 502 .*cost 2.11 credits.*same Idempotency-Key/);
  const unkeyed = describeOutcome({ ...lost, call: { ...ended, idempotency_key: null, charged: "0" } });
  assert.match(unkeyed?.words ?? "", /Nothing was charged\..*cannot be collected/);
});

test("a call that still runs, and one that ended otherwise, are not called a success", () => {
  assert.equal(
    describeOutcome({ ...lost, call: { ...ended, state: "open", outcome: null } })?.title,
    "The call is still running",
  );
  assert.match(
    describeOutcome({ ...lost, call: { ...ended, outcome: "provider gone" } })?.title ?? "",
    /Provider restarted/,
  );
});

test("when the caller saw the outcome, nothing is added", () => {
  assert.equal(describeOutcome({ ...lost, outcome: "succeeded", status: 200 }), null);
  assert.equal(describeOutcome({ ...lost, call: { ...ended, outcome: "provider_error" } }), null);
  assert.equal(
    describeOutcome({ ...lost, outcome: "invalid_input", call: { ...ended, outcome: "validation_failed" } }),
    null,
  );
  assert.equal(describeOutcome({ ...lost, replayed: true }), null);
  assert.equal(describeOutcome({ ...lost, call: null }), null);
});
