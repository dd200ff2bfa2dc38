import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isAccepted } from "../test/support/verdicts.ts";
import { Asset } from "./assets.ts";
import { CancelJobs, JobState, jobStates, Output, SubmitJob, terminalJobStates } from "./jobs.ts";

const workflow = { "1": { class_type: "SaveImage", inputs: {} } };

test("the seven states are spelled with one l, and four of them are terminal", () => {
  assert.equal(jobStates.length, 7);
  const states: readonly string[] = jobStates;
  for (const state of terminalJobStates) assert.ok(states.includes(state));
  assert.equal(isAccepted(JobState, "canceled"), true);
  assert.equal(isAccepted(JobState, "cancelled"), false);
});

test("the two members called url differ: an asset's is signed, an output's needs the credential", () => {
  const descriptionOf = (member: object) => String(Reflect.get(member, "description"));
  assert.match(descriptionOf(Asset.properties.url), /works without a credential until url_expires_at/);
  assert.match(descriptionOf(Output.properties.url), /needs the credential.*signed.*GET \/api\/v2\/assets\/\{id\}/);
  assert.match(descriptionOf(Output.properties.url_expires_at), /Not the expiry of a signed URL/);
});

test("priority lies between -100 and 100", () => {
  fc.assert(
    fc.property(fc.integer({ min: -200, max: 200 }), (priority) => {
      assert.equal(isAccepted(SubmitJob, { workflow, priority }), Math.abs(priority) <= 100);
    }),
  );
});

test("extra_data is closed; other members of a submission are ignored", () => {
  assert.equal(isAccepted(SubmitJob, { workflow, extra_data: {} }), true);
  assert.equal(isAccepted(SubmitJob, { workflow, extra_data: { api_key_service: "service-x", other: 1 } }), false);
  assert.equal(isAccepted(SubmitJob, { workflow, tomorrow: 1 }), true);
});

test("a bulk cancel names 1 to 100 jobs", () => {
  const ids = (count: number) =>
    Array.from({ length: count }, (_, at) => `0198c1a2-3b4c-7d5e-8f60-${String(at).padStart(12, "0")}`);
  for (const count of [1, 100]) assert.equal(isAccepted(CancelJobs, { job_ids: ids(count) }), true);
  for (const count of [0, 101]) assert.equal(isAccepted(CancelJobs, { job_ids: ids(count) }), false);
});
