import assert from "node:assert/strict";
import { test } from "node:test";
import { reasonBuckets, requestReasons, routerBuckets, workflowErrorStatuses } from "@atelier/contract";
import { limitHeader } from "./credit-limit.ts";
import {
  AtelierError,
  DeadlineExceeded,
  failureOf,
  InternalError,
  InvalidInput,
  NotFound,
  PriceAboveLimit,
  RateLimited,
} from "./failures.ts";

const at =
  (isRouters: boolean) =>
  (status: number, body: string, headers: Record<string, string> = {}) =>
    failureOf(new Response(body, { status, headers }), { idempotencyKey: "key-1", isRouters });
const failed = at(true);
const elsewhere = at(false);

test("every bucket of the router has its own class, and a v2 code is kept as it is", async () => {
  for (const bucket of routerBuckets) {
    if (bucket === "client_disconnected") continue;
    const error = await failed(400, '{"detail":"no"}', { "x-service-error-type": bucket });
    assert.notEqual(error.constructor, AtelierError, bucket);
    assert.deepEqual([error.code, error.idempotencyKey], [bucket, "key-1"]);
  }
  for (const [code, status] of Object.entries(workflowErrorStatuses)) {
    const error = await elsewhere(status, JSON.stringify({ error: { code, message: "no", details: { a: 1 } } }));
    assert.deepEqual([error.code, error.status, error.details], [code, status, { a: 1 }]);
  }
});

test("without a bucket header a failure under /v1 is an internal error with any status; the guess is beside it", async () => {
  for (const [status, hint] of [
    [401, "unauthorized"],
    [402, "insufficient_credits"],
    [403, "forbidden"],
    [404, "not_found"],
    [429, "rate_limited"],
    [503, "service_unavailable"],
    [418, null],
  ] as const)
    for (const body of ["", "<html>", '{"error":"not_found","message":"no"}', '{"detail":[]}'])
      for (const headers of [{}, { "x-service-error-type": "of_the_future" }]) {
        const error = await failed(status, body, headers);
        assert.ok(error instanceof InternalError, `${status} ${body}`);
        assert.deepEqual([error.code, error.bucket, error.statusHint], ["internal_error", "internal_error", hint]);
      }
});

test("a reason is the code, with its bucket beside it; an unknown reason falls back to the bucket's class", async () => {
  const failureWith = async (bucket: string, reason: string) =>
    failed(409, '{"detail":"no"}', { "x-service-error-type": bucket, "x-service-error-reason": reason });
  for (const reason of requestReasons) {
    const error = await failureWith(reasonBuckets[reason], reason);
    assert.notEqual(error.constructor, AtelierError, reason);
    assert.deepEqual([error.code, error.bucket, error.billed], [reason, reasonBuckets[reason], "no"]);
    assert.equal(error.isRetryable, reason === "queue_backlog_full" ? error.isRetryable : false, reason);
  }
  const later = await failureWith("rate_limited", "of_the_future");
  assert.ok(later instanceof RateLimited);
  assert.deepEqual([later.code, later.bucket], ["of_the_future", "rate_limited"]);
});

test("the bucket comes from the header; outside of /v1 from the body's code or the status", async () => {
  const html = await failed(502, "<html>Bad gateway</html>", { "x-service-request-id": "r-1" });
  assert.ok(html instanceof InternalError);
  assert.deepEqual([html.requestId, html.bodyText, html.billed], ["r-1", "<html>Bad gateway</html>", "maybe"]);
  const plain = await failed(429, "slow down", { "retry-after": "3", "x-service-error-type": "rate_limited" });
  assert.ok(plain instanceof RateLimited);
  assert.deepEqual([plain.retryAfterSeconds, plain.isRetryable, plain.billed], [3, true, "no"]);
  const gone = await elsewhere(404, "");
  assert.ok(gone instanceof NotFound);
  assert.deepEqual([gone.code, gone.bucket, gone.statusHint], ["not_found", null, "not_found"]);
});

test("the server's word about the charge counts, for any code", async () => {
  const billed = async (bucket: string, used?: string) => {
    const said = used === undefined ? {} : { "x-service-credits-used": used };
    return (await failed(502, '{"detail":"no"}', { "x-service-error-type": bucket, ...said })).billed;
  };
  assert.deepEqual(
    await Promise.all([
      billed("provider_error"),
      billed("provider_error", "0"),
      billed("content_policy_violation", "0"),
    ]),
    ["maybe", "no", "no"],
  );
  assert.deepEqual(await Promise.all([billed("content_policy_violation", "2.11"), billed("provider_error", "soon")]), [
    "yes",
    "maybe",
  ]);
});

test("a 422 names each rejected field, with the violated rule", async () => {
  const body =
    '{"detail":[{"loc":["body","seed"],"msg":"too large","type":"less_than","ctx":{"limit_value":18446744073709551616}}]}';
  const error = await failed(422, body, { "x-service-error-type": "invalid_input" });
  assert.ok(error instanceof InvalidInput);
  assert.deepEqual(error.fields[0]?.ctx, { limit_value: 18446744073709551616n });
  assert.match(error.message, /seed: too large/);
  assert.equal(error.billed, "no");
});

test("a limit below the price is reported as such, by the router's sentence and by v2's code", async () => {
  const message = "This job can cost up to 4.22 credits, and X-Service-Max-Credits allows 0.5. Nothing ran.";
  const router = await failed(422, JSON.stringify({ detail: message, error_type: "invalid_input" }), {
    "x-service-error-type": "invalid_input",
  });
  const v2 = await elsewhere(
    422,
    JSON.stringify({ error: { code: "price_above_limit", message, details: { nodes: [] } } }),
  );
  for (const error of [router, v2]) {
    assert.ok(error instanceof PriceAboveLimit);
    assert.deepEqual([error.highest, error.limit, error.billed, error.isRetryable], ["4.22", "0.5", "no", false]);
  }
  assert.deepEqual([router.code, v2.code], ["invalid_input", "price_above_limit"]);
});

test("a limit is sent as decimal digits, never with an exponent and never above the given amount", () => {
  const sent = (credits: string | number) => limitHeader(credits)["x-service-max-credits"];
  assert.deepEqual(
    [sent("0.50"), sent(5), sent(0), sent(12.5), sent(1e-6), sent(0.1234567), sent(1e-9), sent(-1)],
    ["0.50", "5", "0", "12.5", "0.000001", "0.123456", "0", "-1"],
  );
  assert.deepEqual(limitHeader(undefined), {});
  for (const credits of [Number.NaN, Number.POSITIVE_INFINITY]) assert.throws(() => sent(credits), RangeError);
});

test("a deadline is never retried automatically and says that it may be charged", async () => {
  const error = await failed(504, '{"detail":"late","error_type":"deadline_exceeded"}', {
    "x-service-error-type": "deadline_exceeded",
    "retry-after": "5",
  });
  assert.ok(error instanceof DeadlineExceeded);
  assert.deepEqual([error.isRetryable, error.billed], [false, "maybe"]);
});
