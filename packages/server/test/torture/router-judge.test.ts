import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RecordedInvocation } from "../support/router-records-store.ts";
import type { SandboxReference } from "../support/sandbox-provider.ts";
import type { RouterCall } from "./router-clients.ts";
import { answersOf, invocationFaults } from "./router-judge.ts";

const recorded: RecordedInvocation = {
  callId: "call",
  state: "finished",
  outcome: "succeeded",
  hold: 5n,
  settled: 3n,
  settleLines: 1,
  settleSum: 3n,
  fence: 2,
};
const seen: SandboxReference = { runs: 1, status: "SUCCEEDED", request_sha256: "in", response_sha256: "out" };
const call: RouterCall = {
  model: "sandbox/voice-1",
  body: Buffer.from("{}"),
  key: "key",
  isPriced: true,
  answers: new Set(["out"]),
  credits: new Set(["0.000003"]),
};

test("a consistent account is no violation, nor is a call that never reached the provider", () => {
  assert.deepEqual([...invocationFaults(recorded, seen), ...answersOf(call, recorded, seen)], []);
  const open = { ...recorded, state: "open", settled: 0n, settleLines: 0, settleSum: 0n };
  assert.deepEqual(invocationFaults(open, null), []);
});

describe("a planted fault is reported", () => {
  const plants: readonly [RegExp, Partial<RecordedInvocation>, Partial<SandboxReference> | null][] = [
    [/ran twice/, {}, { runs: 2 }],
    [/charged twice/, { settleLines: 2 }, {}],
    [/beyond its hold/, { settleSum: 6n }, {}],
    [/did not run/, {}, null],
    [/did not run/, {}, { status: "FAILED" }],
    [/left open/, { state: "open" }, {}],
    [/unknown/, { state: "unknown" }, {}],
    [/not charged/, { settleSum: 0n, settleLines: 0 }, {}],
  ];
  for (const [expected, change, sight] of plants) {
    test(`${expected} ${JSON.stringify(sight)}`, () => {
      const story = invocationFaults({ ...recorded, ...change }, sight === null ? null : { ...seen, ...sight });
      assert.ok(
        story.some((line) => expected.test(line)),
        story.join("\n"),
      );
    });
  }
  const answered: readonly [RegExp, Partial<RouterCall>][] = [
    [/different answers/, { answers: new Set(["out", "other"]) }],
    [/not the provider's/, { answers: new Set(["other"]) }],
    [/never gave/, { answers: new Set() }],
    [/different credits/, { credits: new Set(["0.000003", "0"]) }],
    [/named 4 credits/, { credits: new Set(["4"]) }],
  ];
  for (const [expected, change] of answered) {
    test(String(expected), () => {
      const faults = answersOf({ ...call, ...change }, recorded, seen);
      assert.ok(
        faults.some((line) => expected.test(line)),
        faults.join("\n"),
      );
    });
  }
});
