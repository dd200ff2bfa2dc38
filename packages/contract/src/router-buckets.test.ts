import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { operations } from "./operations.ts";
import { isRequestReason, reasonBuckets, requestReasons } from "./request-reasons.ts";
import { asRouterBucket, bucketStatuses, isRouterBucket, routerBuckets } from "./router-buckets.ts";

test("the set is closed at fifteen", () => {
  assert.equal(routerBuckets.length, 15);
  assert.equal(new Set(routerBuckets).size, 15);
  assert.deepEqual(Object.keys(bucketStatuses).sort(), [...routerBuckets].sort());
});

test("a caller reads one of the fifteen, whatever a server sends", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom(...routerBuckets), fc.constantFrom(null, undefined)), (word) => {
      const read = asRouterBucket(word);
      assert.ok(isRouterBucket(read));
      assert.equal(read, word !== null && word !== undefined && isRouterBucket(word) ? word : "internal_error");
    }),
  );
  for (const inherited of ["constructor", "__proto__", "toString"])
    assert.equal(asRouterBucket(inherited), "internal_error");
});

// Decisions, section 3.
test("statuses are the decided ones, and only two 429s differ by Retry-After", () => {
  const statuses = Object.fromEntries(
    Object.entries(bucketStatuses).map(([bucket, rows]) => [bucket, rows.map(({ status }) => status)]),
  );
  assert.deepEqual(statuses, {
    invalid_input: [400, 404, 405, 409, 413, 422],
    content_policy_violation: [400],
    provider_error: [502],
    provider_timeout: [504],
    insufficient_credits: [402],
    model_not_found: [404],
    unauthorized: [401],
    forbidden: [403],
    concurrency_limit_exceeded: [409, 429],
    client_disconnected: [499],
    internal_error: [500],
    deadline_exceeded: [504],
    not_enabled: [403, 404],
    service_unavailable: [503],
    rate_limited: [429],
  });
  assert.equal(bucketStatuses.rate_limited[0].retryAfter, "always");
  assert.equal(bucketStatuses.concurrency_limit_exceeded[1].retryAfter, "never");
});

test("the invocation answers every status that a bucket can travel with", () => {
  const answered = new Set(Object.keys(operations.invokeModel.answers).map(Number));
  // 405 belongs to the path, not to the operation; 499 is never delivered.
  const exempt = new Set([405, 499]);
  for (const { status } of Object.values(bucketStatuses).flat()) {
    assert.ok(answered.has(status) || exempt.has(status), String(status));
  }
});

test("every reason of the queue maps to one of the fifteen that a retry by bucket treats alike", () => {
  assert.deepEqual(Object.keys(reasonBuckets).sort(), [...requestReasons].sort());
  for (const reason of requestReasons) {
    assert.ok(isRouterBucket(reasonBuckets[reason]) && !isRouterBucket(reason), reason);
    assert.ok(isRequestReason(reason));
  }
  // Waiting helps only with a full queue; the result of an ended request never changes.
  const mended = requestReasons.filter((reason) =>
    bucketStatuses[reasonBuckets[reason]].some(({ retryAfter }) => retryAfter === "always"),
  );
  assert.deepEqual(mended, ["queue_backlog_full"]);
  for (const word of ["constructor", "invalid_input", ""]) assert.equal(isRequestReason(word), false, word);
});
