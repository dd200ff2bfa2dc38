import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../foundation/fault.ts";
import { type FaultCode, faultCodes } from "../../foundation/fault-codes.ts";
import { newRequestId } from "../../foundation/ids.ts";
import { partnerEnvelope, partnerStatus } from "./partner-envelope.ts";

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
