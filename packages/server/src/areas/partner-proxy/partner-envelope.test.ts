import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyConflict } from "../../capabilities/partner-tasks/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type FaultCode, faultCodes } from "../../foundation/fault-codes.ts";
import { newRequestId } from "../../foundation/ids.ts";
import { partnerEnvelope, partnerStatus, typedConflicts } from "./partner-envelope.ts";

const codes = Object.keys(faultCodes).filter((code): code is FaultCode => code in faultCodes);

test("no fault is ever 409 here", () => {
  for (const code of codes) assert.notEqual(partnerStatus(code), 409, code);
});

test("a key with another body is 400 idempotency_key_reuse", () => {
  const { status, body } = partnerEnvelope(new Fault("idempotency_key_reuse", "Use a new key."), {
    requestId: newRequestId(),
    path: "/proxy/partner-a",
  });
  assert.equal(status, 400);
  assert.deepEqual(JSON.parse(String(body)), { error: "idempotency_key_reuse", message: "Use a new key." });
});

test("where clients know them, the three ways in which a key is of no use are 409s with a word each, and nothing else is", () => {
  const about = { requestId: newRequestId(), path: "/proxy/partner-a" };
  for (const [conflict, code] of [
    ["in_flight", "too_many_waiters"],
    ["in_flight", "provider_timeout"],
    ["consumed", "invalid_request"],
    ["consumed", "provider_error"],
    ["mismatch", "idempotency_key_reuse"],
  ] as const) {
    const fault = new KeyConflict(conflict, code, "Use a new key.");
    const { status, headers, body } = typedConflicts(fault, about);
    const word = `idempotency_${conflict}`;
    assert.equal(status, 409);
    assert.equal(headers?.["x-service-error-type"], word);
    assert.deepEqual(JSON.parse(String(body)), { error: word, message: "Use a new key." });
    assert.notEqual(partnerEnvelope(fault, about).status, 409);
  }
  for (const code of codes) assert.notEqual(typedConflicts(new Fault(code, "x"), about).status, 409, code);
});
