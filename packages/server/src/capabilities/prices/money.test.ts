import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Credits } from "@atelier/contract";
import fc from "fast-check";
import { compileSchema } from "../../foundation/json/schema.ts";
import { creditsText, decimalText, parseCredits, parseDecimal, toMicroCredits } from "./money.ts";

const recorded = fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n });
const rate = fc.integer({ min: 1, max: 1_000_000 });

describe("credits on the wire", () => {
  const credits = compileSchema(Credits);

  test("every amount of the books goes out as the contract writes it and comes back as it was", () => {
    fc.assert(
      fc.property(recorded, (microCredits) => {
        const text = creditsText(microCredits);
        assert.ok(credits.accepts(text), text);
        assert.equal(parseCredits(text), microCredits);
      }),
    );
  });

  const written: readonly [bigint, string][] = [
    [0n, "0"],
    [1n, "0.000001"],
    [-1n, "-0.000001"],
    [23_210_000n, "23.21"],
    [1_000_000n, "1"],
    [10_000_000_000n, "10000"],
  ];
  for (const [microCredits, text] of written) {
    test(`${microCredits} is written ${text}, without zeros that say nothing`, () => {
      assert.equal(creditsText(microCredits), text);
    });
  }

  test("what the contract accepts is read, up to what the books hold, and nothing else is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^-?[0-9]{1,12}(\.[0-9]{1,7})?$/)), (text) => {
        assert.equal(parseCredits(text) !== null, credits.accepts(text), text);
      }),
    );
    assert.equal(parseCredits("1.50"), 1_500_000n);
    assert.equal(parseCredits("-0"), 0n);
    assert.equal(parseCredits("9223372036854.775807"), 2n ** 63n - 1n);
    assert.equal(parseCredits("9223372036854.775808"), null);
    assert.equal(parseCredits("9".repeat(10_000)), null);
    for (const bad of ["1\n", "١", "1e3", "0x1"]) assert.equal(parseCredits(bad), null);
  });
});

describe("dollars", () => {
  test("rounding up adds less than one micro-credit and never takes any", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.integer({ min: 0, max: 20 }),
        rate,
        (digits, decimals, per) => {
          const exact = digits * BigInt(per) * 1_000_000n;
          const unit = 10n ** BigInt(decimals);
          const added = toMicroCredits({ digits, decimals }, per) * unit - exact;
          assert.ok(added >= 0n && added < unit);
        },
      ),
    );
  });

  test("a decimal text is read exactly, and its own text is the shortest", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), fc.integer({ min: 0, max: 30 }), (digits, decimals) => {
        const read = parseDecimal(decimalText({ digits, decimals }));
        assert.ok(read);
        assert.equal(read.digits * 10n ** BigInt(decimals - read.decimals), digits);
        assert.ok(read.decimals === 0 || read.digits % 10n !== 0n);
      }),
    );
    for (const bad of ["", ".5", "1.", "-1", "+1", "1e3", " 1", "1,5"]) assert.equal(parseDecimal(bad), null);
  });
});
