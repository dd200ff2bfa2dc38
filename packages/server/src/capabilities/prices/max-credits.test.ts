import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Fault } from "../../foundation/fault.ts";
import { aboveLimit, readMaxCredits } from "./max-credits.ts";
import { creditsText } from "./money.ts";

const refused = (code: string) => (thrown: unknown) => thrown instanceof Fault && thrown.code === code;

test("a limit is one amount of credits; anything else is refused and never read as no limit", () => {
  assert.equal(readMaxCredits(["Host", "a"]), null);
  assert.equal(readMaxCredits(["X-SERVICE-MAX-CREDITS", "12.5"]), 12_500_000n);
  assert.equal(readMaxCredits(["x-service-max-credits", "0"]), 0n);
  const wrong = ["", " ", "-1", "-0.000001", "+1", "1e3", ".5", "5.", "1,5", "01", "1.1234567", "NaN", "9".repeat(20)];
  for (const text of wrong)
    assert.throws(() => readMaxCredits(["x-service-max-credits", text]), refused("invalid_request"), text);
  const twice = ["x-service-max-credits", "1", "X-Service-Max-Credits", "1"];
  assert.throws(() => readMaxCredits(twice), refused("invalid_request"));
});

test("every amount up to the limit passes, every one above it is refused with both figures", () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(amount, amount, (highest, limit) => {
      assert.equal(readMaxCredits(["x-service-max-credits", creditsText(limit)]), limit);
      const fault = aboveLimit("call", { highest, limit });
      assert.equal(fault === null, highest <= limit);
      if (fault === null) return;
      assert.deepEqual(fault.details, { highest: creditsText(highest), limit: creditsText(limit) });
      assert.ok(fault.message.includes(creditsText(highest)) && fault.message.includes(creditsText(limit)));
    }),
  );
  assert.equal(aboveLimit("job", { highest: 10n ** 18n, limit: null }), null);
});
