// Tests the judge of tortured queued calls: it finds each kind of violation.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SandboxReference } from "../support/sandbox-provider.ts";
import { faultsOf, faultsOfKey } from "./request-torture.ts";
import type { TorturedRequest } from "./request-torture-store.ts";

const good: TorturedRequest = {
  id: "r",
  state: "completed",
  errorType: null,
  attempts: 1,
  callState: "finished",
  hold: 5n,
  creditsUsed: 4n,
  settleLines: 1,
  settleSum: 4n,
  delivered: 1,
};
const ran: SandboxReference = { runs: 1, status: "SUCCEEDED", request_sha256: "", response_sha256: "a" };
const cancelled = { ...good, errorType: "cancelled", settleLines: 0, settleSum: 0n, creditsUsed: 0n };

test("a request that went well has no fault, nor does one cancelled in time", () => {
  assert.deepEqual(faultsOf(good, ran, true), []);
  assert.deepEqual(faultsOf(cancelled, null, true), []);
});

test("each fault is named", () => {
  const faults: readonly [string, TorturedRequest, SandboxReference | null, boolean][] = [
    ["r never ended: running, its call open", { ...good, state: "running", callState: "open" }, ran, true],
    ["r was never told to its webhook", good, ran, false],
    ["r ran 2 times", good, { ...ran, runs: 2 }, true],
    ["r succeeded and never ran", good, null, true],
    ["r was cancelled and ran", cancelled, ran, true],
    ["r was charged twice", { ...good, settleLines: 2 }, ran, true],
    ["r was charged beyond its hold", { ...good, settleSum: 6n, creditsUsed: 6n }, ran, true],
    ["r says another charge than the journal", { ...good, creditsUsed: 0n }, ran, true],
    ["r succeeded and was not charged", { ...good, settleSum: 0n, creditsUsed: 0n, settleLines: 0 }, ran, true],
    ["r was charged for nothing", { ...good, errorType: "provider_error" }, ran, true],
  ];
  for (const [expected, request, seen, isNotified] of faults)
    assert.ok(faultsOf(request, seen, isNotified).includes(expected), expected);
});

test("a key with two requests, a lost request and a cancel that did not hold are detected", () => {
  const requests = new Map([
    ["r", good],
    ["s", { ...good, id: "s" }],
  ]);
  const keyFaults = (ids: string[], isCancelled = false) =>
    faultsOfKey({ model: "m", body: Buffer.alloc(0), key: "k", ids: new Set(ids), isCancelled }, requests);
  assert.deepEqual(keyFaults(["r"]), []);
  assert.deepEqual(keyFaults(["r", "s"]), ["the key k was told 2 requests"]);
  assert.deepEqual(keyFaults(["t"]), ["the request t of the key k is lost"]);
  assert.deepEqual(keyFaults(["r"], true), ["r was cancelled and is not"]);
});
