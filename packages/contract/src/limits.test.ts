import assert from "node:assert/strict";
import { test } from "node:test";
import { limitMeanings, limits } from "./limits.ts";

test("every limit is a whole number with a one-line description", () => {
  assert.deepEqual(Object.keys(limitMeanings).sort(), Object.keys(limits).sort());
  for (const [name, value] of Object.entries(limits)) assert.ok(Number.isSafeInteger(value), name);
  for (const meaning of Object.values(limitMeanings)) assert.match(meaning, /^[A-Z].*\.$/);
});

test("a minimum never exceeds its maximum", () => {
  const table: Record<string, number> = limits;
  for (const [name, value] of Object.entries(table)) {
    const greatest = table[name.replace(/Min$/, "Max")];
    if (name.endsWith("Min") && greatest !== undefined) assert.ok(value <= greatest, name);
    const cap = table[name.replace(/Default$/, "Max")];
    if (name.endsWith("Default") && cap !== undefined) assert.ok(value <= cap, name);
  }
});

// Spec, Limits.
test("the specification's numbers are unchanged", () => {
  assert.equal(limits.invocationDeadlineSeconds, 10 * 60);
  assert.equal(limits.replayHours, 24);
  assert.equal(limits.providerSegmentLengthMax + 1 + limits.modelSegmentLengthMax, limits.modelIdLengthMax);
  assert.equal(limits.modelIdLengthMax, 193);
  assert.equal(limits.cursorLengthMax, 512);
  assert.equal(limits.jobExpiryDays, 30);
  assert.equal(limits.signedUrlHours, 6);
  assert.ok(limits.clientReadTimeoutSeconds > limits.invocationDeadlineSeconds);
});

// Decisions, sections 1, 3 and 6.
test("the decided numbers are unchanged", () => {
  const mebibyte = 2 ** 20;
  assert.equal(limits.routerBodyBytesMax, 20 * mebibyte);
  assert.equal(limits.partnerBodyBytesMax, 50 * mebibyte);
  assert.equal(limits.jobBodyBytesMax, 10 * mebibyte);
  assert.equal(limits.assetBytesMax, 5 * 1024 * mebibyte);
  assert.equal(limits.nodeArchiveBytesMax, 1024 * mebibyte);
  assert.equal(limits.jsonBodyBytesMax, mebibyte);
  assert.equal(limits.replayBytesMax, 64 * mebibyte);
  assert.deepEqual([limits.catalogPageSizeDefault, limits.catalogPageSizeMax], [20, 100]);
  assert.deepEqual([limits.jobPriorityMin, limits.jobPriorityMax, limits.cancelManyJobsMax], [-100, 100, 100]);
});
