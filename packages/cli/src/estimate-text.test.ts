import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rangeText, readMaxCredits, refusalsAhead, secondsText, times } from "./estimate-text.ts";

test("a sum over runs is exact to the last digit", () => {
  assert.deepEqual(
    [times("4.22", 8), times("0", 5), times("0.000001", 3), times("12", 10), times("100", 1)],
    ["33.76", "0", "0.000003", "120", "100"],
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.integer({ min: 1, max: 1000 }), (amount, count) => {
      const text = (value: bigint) => {
        const digits = String(value).padStart(7, "0");
        return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/0+$/, "").replace(/\.$/, "");
      };
      assert.equal(times(text(amount), count), text(amount * BigInt(count)));
    }),
  );
});

test("one amount where it is exact, both where it is not; a time with the number of runs behind it", () => {
  assert.equal(rangeText({ lowest: "1", highest: "1" }), "1");
  assert.equal(rangeText({ lowest: "0", highest: "4.22" }), "0 to 4.22");
  assert.equal(secondsText({ median: 1.2, p90: 3.4, count: 57 }), "1.2 s (9 of 10 within 3.4 s, 57 runs)");
  assert.equal(secondsText(undefined), null);
});

test("a dry run warns about refusals: the limit applies to each run, the balance to all of them", () => {
  const one = { credits: { lowest: "0", highest: "4" }, hold: "4", runs: 3 };
  const none = { available: undefined, limit: undefined };
  assert.deepEqual(refusalsAhead(one, none), []);
  assert.deepEqual(refusalsAhead(one, { available: "12", limit: "4" }), []);
  assert.match(refusalsAhead(one, { ...none, available: "11.999999" }).join(), /cover the hold of 12.*402/);
  assert.match(refusalsAhead(one, { ...none, limit: "3.999999" }).join(), /--max-credits 3\.999999.*422/);
});

test("--max-credits is an amount or is refused", () => {
  const given = (text: string | undefined) => readMaxCredits({ text: () => text }, "run");
  assert.deepEqual(
    [given(undefined), given("0"), given("12.5"), given("0.000001")],
    [undefined, "0", "12.5", "0.000001"],
  );
  for (const wrong of ["", "-1", "1e3", "five", "1.", ".5", "01", "1.0000001", "1,5"])
    assert.throws(() => given(wrong), /--max-credits must be an amount/, wrong);
});
