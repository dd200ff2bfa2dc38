import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { anyFacts, anyInput, anyPrice } from "./any-price.test.ts";
import { creditsText } from "./money.ts";
import { charge, type Facts, holdBound, isCostly, lowestCharge, type Price, priceOf, shortfall } from "./price.ts";
import type { PriceDefinition } from "./price-definition.ts";
import { Unsure } from "./read-input.ts";

const runs = { numRuns: 1000 };
const of = (usd: PriceDefinition["usd"]) => priceOf({ usd }, 211);

describe("for every price, input and report", () => {
  test("no charge is below nothing or above its hold, and no hold above the dearest call", () => {
    fc.assert(
      fc.property(anyPrice, anyInput, anyFacts, (definition, input, facts) => {
        const price = priceOf(definition, 211);
        const bound = holdBound(price, input);
        for (const charged of [charge(price, input, facts), charge(price, input)]) {
          assert.ok(charged >= 0n && charged <= bound);
        }
        assert.ok(isCostly(price) || bound <= 5n * 211_000_000n);
      }),
      runs,
    );
  });

  test("no charge of a success is below the lowest, and the lowest can be reached", () => {
    const zeros = { seconds: 0, fine_seconds: 0, megapixels: 0, input_tokens: 0, output_tokens: 0 };
    fc.assert(
      fc.property(anyPrice, anyInput, anyFacts, (definition, input, facts) => {
        const price = priceOf(definition, 211);
        const lowest = lowestCharge(price, input);
        for (const report of [facts, {}]) assert.ok(lowest <= charge(price, input, report));
        assert.equal(lowest, charge(price, input, zeros));
      }),
      runs,
    );
  });

  test("an unknown input counts with every value it could have", () => {
    const names = ["duration", "video", "n", "width", "height", "max_tokens", "mode", "audio", "images"] as const;
    fc.assert(
      fc.property(anyPrice, anyInput, anyFacts, fc.subarray([...names]), (definition, input, facts, hidden) => {
        const price = priceOf(definition, 211);
        const partly = { ...input, ...Object.fromEntries(hidden.map((name) => [name, new Unsure()])) };
        for (const known of [partly, new Unsure()]) {
          const charged = charge(price, input, facts);
          assert.ok(lowestCharge(price, known) <= charged && charged <= holdBound(price, known));
        }
        assert.ok(holdBound(price, partly) >= holdBound(price, input));
      }),
      runs,
    );
  });

  test("a number between two bounds counts with both", () => {
    const span = fc.tuple(fc.nat(5000), fc.nat(5000), fc.nat(5000)).map((all) => all.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(anyPrice, anyInput, span, (definition, input, [least = 0, value = 0, most = 0]) => {
        const price = priceOf(definition, 211);
        const unsure = { ...input, width: new Unsure(least, most) };
        const cost = charge(price, { ...input, width: value });
        assert.ok(lowestCharge(price, unsure) <= cost && cost <= holdBound(price, unsure));
        assert.equal(holdBound(price, unsure), holdBound(price, { ...input, width: most }));
      }),
      runs,
    );
  });

  test("asking for more never costs less", () => {
    const names = ["duration", "n", "width", "height", "max_tokens"] as const;
    const numbers = fc.tuple(fc.nat(5000), fc.nat(5000));
    fc.assert(
      fc.property(anyPrice, anyInput, fc.constantFrom(...names), numbers, (definition, input, name, [one, more]) => {
        const price = priceOf(definition, 211);
        const [low, high] = [
          { ...input, [name]: one },
          { ...input, [name]: one + more },
        ];
        assert.ok(holdBound(price, low) <= holdBound(price, high));
        assert.ok(charge(price, low) <= charge(price, high));
      }),
      runs,
    );
  });

  test("a report of more never costs less", () => {
    fc.assert(
      fc.property(anyPrice, anyInput, fc.nat(5000), fc.nat(5000), (definition, input, one, more) => {
        const price = priceOf(definition, 211);
        const all = (value: number): Facts =>
          Object.fromEntries(
            ["seconds", "fine_seconds", "megapixels", "input_tokens", "output_tokens"].map((fact) => [fact, value]),
          );
        const [low, high] = [all(one), all(one + more)];
        assert.ok(charge(price, input, low) <= charge(price, input, high));
        // Compared as a sum, because each is rounded up: the part we bear may fall by a micro-credit that moved to the
        // charge.
        const whole = (facts: Facts) => charge(price, input, facts) + shortfall(price, input, facts);
        assert.ok(whole(low) <= whole(high));
      }),
      runs,
    );
  });

  test("what we bear is never negative", () => {
    fc.assert(
      fc.property(anyPrice, anyInput, anyFacts, (definition, input, facts) => {
        assert.ok(shortfall(priceOf(definition, 211), input, facts) >= 0n);
      }),
      runs,
    );
  });

  test("any JSON is an input", () => {
    fc.assert(
      fc.property(anyPrice, fc.jsonValue(), (definition, input) => {
        const price = priceOf(definition, 211);
        assert.ok(charge(price, input) <= holdBound(price, input));
      }),
      runs,
    );
  });
});

const duration = { from: "/duration", default: 5, least: 1, most: 10 };
const bySecond = of({ kind: "per_second", seconds: duration, each: "0.05" });
const byReport = of({ kind: "per_second", seconds: { ...duration, reported: "seconds", step: 0.1 }, each: "0.05" });
const side = (from: string) => ({ from, default: 1024, least: 256, most: 2048 });
const byArea = of({ kind: "per_megapixel", width: side("/width"), height: side("/height"), each: "0.03" });
const firstMegapixel = of({
  kind: "sum",
  parts: [
    "0.015",
    { kind: "per_megapixel", width: side("/width"), height: side("/height"), minimum: 1, step: 1, each: "0.015" },
  ],
});
const byMode = of({
  kind: "table",
  by: "/mode",
  cases: { creative: "0.29", faithful: "0.37", flexible: "0.45" },
  otherwise: "flexible",
});
const byQuality = of({
  kind: "per_count",
  count: { from: "/n", default: 1, least: 1, most: 10 },
  each: {
    kind: "table",
    by: "/quality",
    cases: {
      low: "0.01",
      high: { kind: "table", by: "/size", cases: { square: "0.16", wide: "0.25" }, otherwise: "wide" },
    },
    otherwise: "high",
  },
});
const byTokens = of({
  kind: "tokens",
  rates: [
    { usd_per_million: "3", reported: "input_tokens", default: 0, most: 200_000 },
    { usd_per_million: "15", reported: "output_tokens", from: "/max_tokens", default: 4096, most: 64_000 },
  ],
});

describe("credits by hand", () => {
  const table: readonly [string, Price, unknown, Facts, string, string][] = [
    ["free", of("0"), {}, {}, "0", "0"],
    ["flat", of("0.11"), {}, {}, "23.21", "23.21"],
    ["the smallest price is one micro-credit", of("0.000000001"), {}, {}, "0.000001", "0.000001"],
    ["per second as asked", bySecond, { duration: 8 }, {}, "84.4", "84.4"],
    ["a missing member is its default", bySecond, {}, {}, "52.75", "52.75"],
    ["a number as text counts", bySecond, { duration: "8" }, {}, "84.4", "84.4"],
    ["a started second is a second", bySecond, { duration: 7.2 }, {}, "84.4", "84.4"],
    ["2^60 seconds are the most", bySecond, { duration: 2 ** 60 }, {}, "105.5", "105.5"],
    ["2^60 as text too", bySecond, { duration: "1152921504606846976" }, {}, "105.5", "105.5"],
    ["less than nothing is the least", bySecond, { duration: -3 }, {}, "10.55", "10.55"],
    ["a report that no price asks for changes nothing", bySecond, { duration: 8 }, { seconds: 2 }, "84.4", "84.4"],
    ["the report is charged", byReport, { duration: 8 }, { seconds: 7.23 }, "84.4", "77.015"],
    ["a report beyond what was asked is cut", byReport, { duration: 8 }, { seconds: 9 }, "84.4", "84.4"],
    ["a report below the least is the least", byReport, { duration: 8 }, { seconds: 0 }, "84.4", "10.55"],
    ["an unreadable report is none", byReport, { duration: 8 }, { seconds: "soon" }, "84.4", "84.4"],
    ["the noise of doubles costs nothing", byReport, { duration: 8 }, { seconds: 0.1 + 0.2 + 6.9 }, "84.4", "75.96"],
    ["per pixel", byArea, { width: 1000, height: 1001 }, {}, "6.33633", "6.33633"],
    ["rounded up to the micro-credit", byArea, { width: 257, height: 257 }, {}, "0.418091", "0.418091"],
    [
      "first megapixel dearer, all started ones counted",
      firstMegapixel,
      { width: 1024, height: 1024 },
      {},
      "9.495",
      "9.495",
    ],
    ["at least a megapixel", firstMegapixel, { width: 300, height: 300 }, {}, "6.33", "6.33"],
    ["a case of a table", byMode, { mode: " Creative" }, {}, "61.19", "61.19"],
    ["a value that is not listed", byMode, { mode: "toString" }, {}, "94.95", "94.95"],
    ["a table in a table, times images", byQuality, { n: 3, quality: "high", size: "square" }, {}, "101.28", "101.28"],
    [
      "tokens hold their most",
      byTokens,
      { max_tokens: 1000 },
      { input_tokens: 200, output_tokens: 50n },
      "129.765",
      "0.28485",
    ],
    ["tokens that nobody reported", byTokens, { max_tokens: 1000 }, {}, "129.765", "3.165"],
  ];
  for (const [name, price, input, facts, bound, charged] of table) {
    test(name, () => {
      assert.equal(creditsText(holdBound(price, input)), bound);
      assert.equal(creditsText(charge(price, input, facts)), charged);
    });
  }
});

test("usage reported beyond the hold is logged, and we bear it", () => {
  assert.equal(creditsText(shortfall(byReport, { duration: 8 }, { seconds: 9 })), "10.55");
  assert.equal(shortfall(byReport, { duration: 8 }, { seconds: 3 }), 0n);
});

test("five dollars a call are costly, by the dearest call there is or by this one", () => {
  assert.equal(isCostly(of("4.999999999")), false);
  assert.equal(isCostly(of("5")), true);
  const video = of({ kind: "per_second", seconds: { from: "/duration", default: 5, most: 20 }, each: "0.5" });
  assert.equal(isCostly(video), true);
  assert.equal(isCostly(video, { duration: 9 }), false);
  assert.equal(isCostly(video, undefined), false);
  assert.equal(isCostly(video, { duration: 10 }), true);
});

test("the rate belongs to the price, so hold and charge of a call never use two", () => {
  assert.equal(charge(priceOf({ usd: "0.11" }, 100), {}), 11_000_000n);
});
