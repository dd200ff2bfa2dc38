import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { priceOf, validatePrice } from "../../prices/index.ts";
import { type Outcome, outcomeReasons } from "../../providers/index.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import { decideEnding } from "./decide-ending.ts";

const validated = validatePrice({ usd: "0.01" });
const price = validated.ok ? priceOf(validated.definition, 211) : assert.fail();
const model = (changes: object = {}) =>
  ({ price, definition: { charges_on_policy_rejection: "no", recovery: "neither", ...changes } }) as Pick<
    CatalogModel,
    "price" | "definition"
  >;
const end = (outcome: Outcome, changes: object = {}) => {
  const ending = decideEnding(outcome, { model: model(changes), input: {} });
  return [ending.next, ending.answer.status, ending.answer.headers["x-service-error-type"], ending.charge] as const;
};
const full = 2_110_000n;

test("whose account was refused, with the provider's status and words, goes into the usage row, and who can mend it", () => {
  const refusedAccount = { holder: "provider example", status: 401, words: "The key was revoked" };
  const outcome: Outcome = {
    kind: "failed",
    accepted: false,
    upstreamStatus: 401,
    reason: outcomeReasons.ourAccount,
    refusedAccount,
  };
  const endedAs = (isOwnCredential: boolean) =>
    decideEnding(outcome, { model: { ...model(), isOwnCredential }, input: {} }).refusedAccount;
  assert.deepEqual(endedAs(false), { ...refusedAccount, mender: "operator" });
  assert.deepEqual(endedAs(true), { ...refusedAccount, mender: "workspace" });
  assert.equal(
    decideEnding({ kind: "not_sent", reason: "x" }, { model: model(), input: {} }).refusedAccount,
    undefined,
  );
});

test("a refusal says what it cost, even if that is nothing", () => {
  const used = (charges_on_policy_rejection: string) =>
    decideEnding(
      { kind: "refused", message: null, upstreamStatus: 200 },
      { model: model({ charges_on_policy_rejection }), input: {} },
    ).answer.headers["x-service-credits-used"];
  assert.deepEqual([used("yes"), used("no"), used("unknown")], ["2.11", "0", "0"]);
});

test("a lost answer offers the key only to those who sent one, and says what is known of money", () => {
  const lost = (waiting: { isKeyed: boolean; isFree: boolean }) => {
    const asking = model({ recovery: "ask" });
    const { answer } = decideEnding({ kind: "no_answer", reason: "reset" }, { model: asking, input: {}, waiting });
    return [/the same Idempotency-Key/.test(answer.body.toString()), answer.headers["x-service-credits-used"]];
  };
  assert.deepEqual(lost({ isKeyed: true, isFree: false }), [true, undefined]);
  assert.deepEqual(lost({ isKeyed: false, isFree: false }), [false, undefined]);
  assert.deepEqual(lost({ isKeyed: false, isFree: true }), [false, "0"]);
});

test("a provider that stays busy is answered as busy, with Retry-After", () => {
  const outcome = { kind: "failed", accepted: false, upstreamStatus: 429, reason: outcomeReasons.busy } as const;
  const { answer, next } = decideEnding({ ...outcome, retryAfterSeconds: 7 }, { model: model(), input: {} });
  assert.deepEqual([next, answer.status, answer.headers["retry-after"]], ["release", 502, "7"]);
  assert.match(answer.body.toString(), /busy/);
});

describe("the answer, the charge and what the key remembers", () => {
  const body = Buffer.from("{}");
  const table: readonly [string, Outcome, object, ReturnType<typeof end>][] = [
    [
      "a result costs its price and is replayed",
      { kind: "completed", answer: { status: 200, contentType: "application/json", body }, reported: {} },
      {},
      ["record", 200, undefined, full],
    ],
    [
      "a refusal is free where the model says so",
      { kind: "refused", message: null, upstreamStatus: 200 },
      {},
      ["record", 400, "content_policy_violation", 0n],
    ],
    [
      "a refusal costs where the model says so",
      { kind: "refused", message: null, upstreamStatus: 200 },
      { charges_on_policy_rejection: "yes" },
      ["record", 400, "content_policy_violation", full],
    ],
    [
      "unknown is not charged",
      { kind: "refused", message: null, upstreamStatus: 200 },
      { charges_on_policy_rejection: "unknown" },
      ["record", 400, "content_policy_violation", 0n],
    ],
    [
      "a rejected input is free and replayed",
      { kind: "rejected_input", message: "no", detail: null, upstreamStatus: 400 },
      {},
      ["record", 400, "invalid_input", 0n],
    ],
    [
      "a relayed list of fields is 422 and never billed",
      { kind: "rejected_input", message: null, detail: "[{}]", upstreamStatus: 422 },
      {},
      ["record", 422, "invalid_input", 0n],
    ],
    [
      "a failure at the door frees the key",
      { kind: "failed", accepted: false, upstreamStatus: 503, reason: "" },
      {},
      ["release", 502, "provider_error", 0n],
    ],
    [
      "a failure of accepted work is replayed",
      { kind: "failed", accepted: true, upstreamStatus: 200, reason: "" },
      {},
      ["record", 502, "provider_error", 0n],
    ],
    [
      "a provider's time-out",
      { kind: "provider_timed_out", accepted: true, upstreamStatus: null },
      {},
      ["record", 504, "provider_timeout", 0n],
    ],
    [
      "what was never sent frees the key",
      { kind: "not_sent", reason: "refused" },
      {},
      ["release", 502, "provider_error", 0n],
    ],
    [
      "no answer and nobody to ask: unknown for ever",
      { kind: "no_answer", reason: "reset" },
      {},
      ["unknown", 502, "provider_error", 0n],
    ],
    [
      "no answer but the provider can be asked: the call stays open",
      { kind: "no_answer", reason: "reset" },
      { recovery: "ask" },
      ["stay_open", 502, "provider_error", 0n],
    ],
  ];
  for (const [name, outcome, changes, expected] of table)
    test(name, () => assert.deepEqual(end(outcome, changes), expected));
});

test("the 422 body has no error_type; every other error body has the header's bucket", () => {
  const relayed = decideEnding(
    { kind: "rejected_input", message: null, detail: '[{"loc":[1.0,9007199254740993,1e400]}]', upstreamStatus: 422 },
    { model: model(), input: {} },
  );
  assert.equal(relayed.answer.body.toString(), '{"detail":[{"loc":[1.0,9007199254740993,1e400]}]}');
  assert.deepEqual(Object.keys(JSON.parse(relayed.answer.body.toString())), ["detail"]);
  const failed = decideEnding(
    { kind: "failed", accepted: true, upstreamStatus: 500, reason: "host-17.internal" },
    { model: model(), input: {} },
  );
  const body = JSON.parse(failed.answer.body.toString());
  assert.equal(body.error_type, "provider_error");
  assert.ok(!failed.answer.body.toString().includes("host-17"), "nothing of the provider's text leaks");
  assert.equal(failed.answer.headers["x-service-upstream-status"], "500");
});
