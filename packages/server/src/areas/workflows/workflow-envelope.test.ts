import assert from "node:assert/strict";
import { test } from "node:test";
import { workflowErrorStatuses } from "@atelier/contract";
import { Fault } from "../../foundation/fault.ts";
import { newRequestId } from "../../foundation/ids.ts";
import { plainEnvelope } from "./plain-envelope.ts";
import { workflowEnvelope } from "./workflow-envelope.ts";

const at = (path: string) => ({ requestId: newRequestId(), path });
const bodyOf = (fault: Fault, path: string) => String(workflowEnvelope(fault, at(path)).body);

test("what is wrong about a file is invalid_body, what is wrong about a graph invalid_workflow, both 422", () => {
  const fault = new Fault("validation_failed", "No.");
  assert.match(bodyOf(fault, "/api/v2/assets"), /"code":"invalid_body"/);
  assert.match(bodyOf(fault, "/mounted/api/v2/assets/from-hash"), /"code":"invalid_body"/);
  assert.match(bodyOf(fault, "/api/v2/jobs"), /"code":"invalid_workflow"/);
  assert.equal(workflowEnvelope(fault, at("/api/v2/assets")).status, 422);
});

test("details are an object, even with a list of fields", () => {
  const fields = [{ path: "limit", message: "must be a whole number" }];
  const body: unknown = JSON.parse(bodyOf(new Fault("invalid_request", "No.", { details: fields }), "/api/v2/jobs"));
  assert.deepEqual(body, { error: { code: "invalid_request", message: "No.", details: { fields } } });
});

test("the asset error codes are in the contract with their status", () => {
  for (const code of [
    "hash_mismatch",
    "asset_in_use",
    "payload_too_large",
    "range_not_satisfiable",
    "blob_not_found",
  ] as const) {
    const answer = workflowEnvelope(new Fault(code, "No."), at("/api/v2/assets"));
    assert.match(String(answer.body), new RegExp(`"code":"${code}"`));
    assert.equal(answer.status, workflowErrorStatuses[code]);
  }
});

test("tus errors are plain text, and a wrong hash has the status that stops a client from going on", () => {
  const answer = plainEnvelope(new Fault("hash_mismatch", "No."), at("/api/v2/uploads/x"));
  assert.deepEqual([answer.status, answer.body, answer.headers?.["tus-resumable"]], [460, "No.\n", "1.0.0"]);
});
