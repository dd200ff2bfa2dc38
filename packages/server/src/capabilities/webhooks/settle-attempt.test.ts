import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { GuardedOutcome } from "../../foundation/http/outgoing/guarded-client.ts";
import { newId } from "../../foundation/ids.ts";
import type { ClaimedDelivery } from "./delivery.ts";
import { settleAttempt, unreachedText } from "./settle-attempt.ts";

const startedAt = new Date("2026-01-01T00:00:00Z");
const now = new Date("2026-01-01T00:00:01Z");
const when = { startedAt, now, random: 0.5 };

function claimed(changes: Partial<ClaimedDelivery> = {}): ClaimedDelivery {
  return {
    id: newId(),
    claimId: newId(),
    workspaceId: newId(),
    receiver: "https://hooks.example",
    subjectId: "job",
    type: "job.succeeded",
    url: "https://hooks.example/a",
    endpointId: null,
    body: Buffer.from("{}"),
    state: "pending",
    attempts: 0,
    nextAttemptAt: startedAt,
    step: 0,
    isManual: false,
    queuedAt: startedAt,
    ...changes,
  };
}

function answered(status: number, headers: Record<string, string> = {}): GuardedOutcome {
  return { kind: "answered", status, headers, body: Buffer.alloc(0), truncated: false };
}

test("2xx counts as delivered, at any step and for any attempt", () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 299 }), fc.nat(9), fc.boolean(), (status, step, isManual) => {
      const settled = settleAttempt(claimed({ step, isManual }), answered(status), when);
      assert.deepEqual(
        [settled.state, settled.dueAt, settled.error, settled.receiver],
        ["delivered", null, null, "works"],
      );
    }),
  );
});

test("everything else goes back to the schedule, and after the tenth attempt it is dead", () => {
  let delivery = claimed();
  for (let attempt = 1; attempt <= 10; attempt++) {
    const settled = settleAttempt(delivery, answered(500), when);
    assert.equal(settled.state, attempt < 10 ? "pending" : "dead");
    assert.equal(settled.dueAt === null, attempt === 10);
    assert.equal(settled.receiver, "fails");
    delivery = claimed({ step: settled.step });
  }
});

test("a redirect is a failure that says what to do, and 410 ends it for good", () => {
  assert.match(settleAttempt(claimed(), answered(302), when).error ?? "", /Redirects are not followed/);
  const gone = settleAttempt(claimed(), answered(410), when);
  assert.deepEqual([gone.state, gone.dueAt, gone.receiver], ["gone", null, "unsaid"]);
});

test("a receiver that asks for time gets it, up to an hour", () => {
  const at = (retryAfter: string) => settleAttempt(claimed(), answered(503, { "retry-after": retryAfter }), when).dueAt;
  assert.deepEqual(at("600"), new Date(now.getTime() + 600_000));
  assert.deepEqual(at("86400"), new Date(now.getTime() + 3_600_000));
  assert.deepEqual(at("0"), new Date(now.getTime() + 5_000));
});

test("every missing answer reads the same", () => {
  const outcomes: GuardedOutcome[] = [
    { kind: "refused", reason: "address" },
    { kind: "refused", reason: "port" },
    ...(["resolve", "connect", "broken", "timed_out", "aborted"] as const).map(
      (reason): GuardedOutcome => ({ kind: "failed", reason, cause: new Error("10.0.0.1 refused") }),
    ),
  ];
  for (const outcome of outcomes) {
    const settled = settleAttempt(claimed(), outcome, when);
    assert.deepEqual([settled.error, settled.status, settled.state], [unreachedText, null, "pending"]);
  }
});

test("a failed manual attempt changes nothing", () => {
  const later = new Date(now.getTime() + 60_000);
  for (const state of ["dead", "gone", "delivered"] as const) {
    const settled = settleAttempt(claimed({ state, isManual: true, nextAttemptAt: null }), answered(410), when);
    assert.deepEqual([settled.state, settled.dueAt, settled.receiver], [state, null, "unsaid"]);
  }
  const planned = claimed({ isManual: true, step: 3, nextAttemptAt: later });
  const settled = settleAttempt(planned, answered(500), when);
  assert.deepEqual([settled.state, settled.dueAt, settled.step], ["pending", later, 3]);
});
