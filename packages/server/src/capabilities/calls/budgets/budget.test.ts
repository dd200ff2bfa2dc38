import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyId, trustedId } from "../../../foundation/ids.ts";
import { type BudgetState, countsAgainst, reached } from "./budget.ts";

const key: KeyId = trustedId("0198f3c2-6b1a-7c3d-9e4f-5a6b7c8d9e0f");
const call = { apiKeyId: key, ancestors: new Set<string>(), labels: { tags: { a: "b=c" }, endUser: "u" } };

test("a call counts against the budgets of its workspace, key, tags and end user, and of what its token was made from", () => {
  for (const [scope, subject] of [
    ["workspace", ""],
    ["key", key],
    ["tag", "a=b=c"],
    ["end_user", "u"],
  ] as const) {
    assert.ok(countsAgainst({ scope, subject }, call), scope);
    if (scope !== "workspace")
      assert.ok(!countsAgainst({ scope, subject: `${subject}x` }, { ...call, ancestors: new Set([subject]) }), scope);
  }
  assert.ok(countsAgainst({ scope: "key", subject: "root" }, { ...call, ancestors: new Set(["root"]) }));
  const bare = { apiKeyId: null, ancestors: new Set<string>() };
  for (const scope of ["key", "tag", "end_user"] as const) assert.ok(!countsAgainst({ scope, subject: "a=b" }, bare));
});

test("thresholds are reached to the micro-credit; what is held counts only for a budget that stops", () => {
  const state = (spent: bigint, held = 0n): BudgetState => ({ periodStart: "2026-01-01", spent, held });
  const stop = { amount: 1_000_000n, atLimit: "stop" } as const;
  for (const [spent, threshold] of [
    [0n, 0],
    [499_999n, 0],
    [500_000n, 50],
    [799_999n, 50],
    [800_000n, 80],
    [999_999n, 80],
    [1_000_000n, 100],
    [2_000_000n, 100],
  ] as const) {
    assert.equal(reached(stop, state(spent)), threshold);
    assert.equal(reached({ ...stop, atLimit: "warn" }, state(spent, 5_000_000n)), threshold);
  }
  assert.equal(reached(stop, state(300_000n, 200_000n)), 50);
  assert.equal(reached({ amount: 0n, atLimit: "stop" }, state(0n)), 100);
});
