// Tests the judge: an honest run passes, and each kind of violation is found.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  findViolations,
  type RecordedCall,
  type RunFacts,
  type Seen,
  sha256Of,
  type ViolationKind,
  violationKinds,
} from "./checker.ts";

const body = '{ "output":"1" }\n';
const call: RecordedCall = {
  id: "c1",
  workspaceId: "w",
  key: "k1",
  state: "finished",
  recovery: "ask",
  hold: 10n,
  settled: 10n,
  suspense: 0n,
  fence: 1,
  outcome: "succeeded",
};
const unknown: RecordedCall = {
  ...call,
  id: "c2",
  key: "k2",
  state: "unknown",
  recovery: "neither",
  settled: 0n,
  suspense: 10n,
};
const released: RecordedCall = { ...call, id: "c3", key: "k1", settled: 0n, outcome: "released" };
const seen: Seen = {
  workspaceId: "w",
  key: "k1",
  callId: "c1",
  status: 200,
  sha256: sha256Of(body),
  isFinal: true,
  startedMs: 0,
  endedMs: 1,
};
const run = { callId: "c1", kind: "ask", price: 10, body } as const;
const honest: RunFacts = {
  funded: 100n,
  runs: [run, { ...run, callId: "c2", kind: "neither" }],
  calls: [call, unknown, released],
  keys: [
    { workspaceId: "w", key: "k1", callId: "c1", status: 200, sha256: sha256Of(body) },
    { workspaceId: "w", key: "k2", callId: "c2", status: 502, sha256: sha256Of("unknown") },
  ],
  wallets: [{ workspaceId: "w", available: 90n, held: 0n, inFlight: 0 }],
  seen: [
    { ...seen, status: 504, sha256: sha256Of("deadline"), isFinal: false },
    seen,
    seen,
    { ...seen, key: "k2", callId: "c2", status: 502, sha256: sha256Of("unknown") },
  ],
  brokenInvariants: [],
};
const kindsOf = (facts: RunFacts) => findViolations(facts).map(({ kind }) => kind);
const withCalls = (...calls: RecordedCall[]): RunFacts => ({ ...honest, calls: [...honest.calls, ...calls] });

test("a healthy run has no violation", () => {
  assert.deepEqual(findViolations(honest), []);
});

describe("each violation is detected", () => {
  const lies: Readonly<Record<ViolationKind, RunFacts>> = {
    "ran without an intent": { ...honest, runs: [...honest.runs, { ...run, callId: "nobody" }] },
    "ran twice": { ...honest, runs: [...honest.runs, run] },
    "ran, not charged": { ...honest, calls: [{ ...call, settled: 9n }, unknown] },
    "charged, not run": withCalls({ ...call, id: "c4", key: null }),
    "unknown without suspense": { ...honest, calls: [call, { ...unknown, suspense: 0n }] },
    "unknown though it could be asked": { ...honest, calls: [call, { ...unknown, recovery: "repeat" }] },
    "left open": withCalls({ ...call, id: "c4", key: null, state: "open", settled: 0n }),
    "answers of one key differ": { ...honest, seen: [...honest.seen, { ...seen, callId: null, sha256: "other" }] },
    "an answer is not the recorded one": { ...honest, keys: [] },
    "an answer is not the provider's": { ...honest, seen: [{ ...seen, key: null, sha256: "other" }] },
    wallet: { ...honest, wallets: [{ workspaceId: "w", available: 90n, held: 1n, inFlight: 0 }] },
    invariant: { ...honest, brokenInvariants: ["I1"] },
  };
  for (const kind of violationKinds) {
    test(kind, () => assert.ok(kindsOf(lies[kind]).includes(kind), kindsOf(lies[kind]).join(", ")));
  }

  test("one key that ran under two calls, each charged once", () => {
    const second = { ...call, id: "c4" };
    const facts = { ...withCalls(second), runs: [...honest.runs, { ...run, callId: "c4" }] };
    assert.ok(kindsOf(facts).includes("ran twice"));
  });
});
