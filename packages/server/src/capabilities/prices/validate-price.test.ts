import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { validatePrice } from "./validate-price.ts";

const duration = { from: "/duration", default: 5, most: 10 };
const perSecond = { kind: "per_second", seconds: duration, each: "0.05" };
const side = (from: string) => ({ from, default: 1024, most: 2048 });
const area = { kind: "per_megapixel", width: side("/width"), height: side("/height"), each: "0.03" };
const table = { kind: "table", by: "/mode", cases: { fast: "0.1", fine: "0.2" }, otherwise: "fine" };

describe("prices of every kind are accepted", () => {
  const rate = { usd_per_million: "3", reported: "input_tokens", default: 0, most: 200_000 };
  const accepted: readonly unknown[] = [
    { usd: "0" },
    { usd: "0.11", format: { suffix: "/Image", note: "(1K)" } },
    { usd: perSecond },
    { usd: { ...perSecond, seconds: { default: 0, most: 3600, step: 0.1, reported: "seconds" } } },
    { usd: { kind: "per_count", count: { from: "/images", group: "images", default: 0, most: 9 }, each: "0.003" } },
    { usd: { ...area, minimum: 1, step: 0.5, reported: "megapixels" } },
    { usd: { ...table, cases: { fast: perSecond, fine: { ...perSecond, each: "0.1" } } } },
    { usd: { kind: "sum", parts: ["0.1", perSecond, area] } },
    { usd: { kind: "tokens", rates: [rate, { ...rate, from: "/max_tokens", reported: "output_tokens" }] } },
  ];
  for (const definition of accepted) {
    test(JSON.stringify(definition).slice(0, 90), () => {
      assert.deepEqual(validatePrice(definition), { ok: true, definition });
    });
  }
});

describe("each mistake is described in words, with its place", () => {
  const nested = (levels: number): unknown => (levels === 0 ? "1" : { kind: "sum", parts: [nested(levels - 1)] });
  const refused: readonly [string, unknown, RegExp][] = [
    ["no object", null, /^A price must be an object/],
    ["another member", { usd: "1", eur: "1" }, /^"eur" is not part of a price/],
    ["no price", {}, /^usd must be dollars as a string/],
    ["a number", { usd: 0.11 }, /^usd must be dollars as a string/],
    ["a negative price", { usd: "-1" }, /^usd must be dollars as a plain decimal string/],
    ["an exponent", { usd: "1e3" }, /not "1e3"/],
    ["ten places", { usd: "0.0000000001" }, /nine decimal places/],
    ["an unknown kind", { usd: { kind: "per_minute" } }, /^usd.kind must be one of per_second, /],
    [
      "no bound to hold",
      { usd: { ...perSecond, seconds: { from: "/d", default: 5 } } },
      /^usd.seconds.most is required/,
    ],
    ["a forbidden member", { usd: { ...perSecond, minutes: 5 } }, /^usd.minutes is not allowed/],
    [
      "a price inside",
      { usd: { ...table, cases: { fine: { ...perSecond, each: 5 } } } },
      /^usd.cases.fine.each must be/,
    ],
    ["no pointer", { usd: { ...table, by: "mode" } }, /^usd.by /],
    [
      "a default out of bounds",
      { usd: { ...perSecond, seconds: { ...duration, default: 11 } } },
      /least ≤ default ≤ most/,
    ],
    ["nobody tells", { usd: { ...perSecond, seconds: { default: 5, most: 10 } } }, /needs from or reported/],
    ["a step of nothing", { usd: { ...perSecond, seconds: { ...duration, step: 0 } } }, /step of 0/],
    [
      "seven places",
      { usd: { ...perSecond, seconds: { ...duration, step: 0.0000001 } } },
      /more than six decimal places/,
    ],
    [
      "a group with a default",
      { usd: { kind: "per_count", count: { ...duration, group: "g" }, each: "1" } },
      /must be 0/,
    ],
    ["a case in capitals", { usd: { ...table, cases: { Fine: "1", fine: "2" } } }, /trimmed and in lower case/],
    ["a case that objects have", { usd: { ...table, cases: { constructor: "1", fine: "2" } } }, /cannot have a case/],
    ["a default that is no case", { usd: { ...table, otherwise: "best" } }, /has no case "best"/],
    [
      "one widget of two types",
      { usd: { kind: "sum", parts: [perSecond, { ...table, by: "/duration" }] } },
      /^usd.parts.1 reads "duration" as COMBO, but elsewhere as INT/,
    ],
    [
      "one widget for two members",
      { usd: { ...area, height: { ...side("/height"), widget: "width" } } },
      /reads \/height as "width", which is already used for \/width/,
    ],
    [
      "one member as two widgets",
      { usd: { ...area, height: { ...side("/width"), widget: "height" } } },
      /reads \/width as "height", but elsewhere as "width"/,
    ],
    [
      "a widget that objects have",
      { usd: { ...table, by: "/constructor" } },
      /cannot read a widget named "constructor"/,
    ],
    ["a million dollars", { usd: { ...perSecond, each: "500000" } }, /exceed 1000000 USD/],
    ["too many digits", { usd: { ...area, each: "1234567.123456789" } }, /exceed|too precise/],
    [
      "more digits than a double",
      { usd: { ...area, each: "0.123456789", width: { ...side("/width"), most: 1e6 } } },
      /too precise/,
    ],
    [
      "too many pixels",
      { usd: { ...area, width: { ...side("/width"), most: 1e9 }, height: { ...side("/height"), most: 1e9 } } },
      /can be counted/,
    ],
    ["seven levels", { usd: nested(7) }, /nested deeper than 6 levels/],
    ["a character that is none", { usd: "1", format: { note: "\ud800" } }, /cannot be stored/],
    ["a NUL", { usd: "1", format: { note: "\0" } }, /cannot be stored/],
    [
      "a badge that is too long",
      {
        usd: {
          ...table,
          cases: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${at}-${"x".repeat(90)}`, "1"])),
          otherwise: `0-${"x".repeat(90)}`,
        },
      },
      /longer than 16384 bytes/,
    ],
  ];
  for (const [name, definition, problem] of refused) {
    test(name, () => {
      const validated = validatePrice(definition);
      assert.equal(validated.ok, false);
      assert.ok(!validated.ok && validated.problems.some((one) => problem.test(one)), JSON.stringify(validated));
    });
  }

  test("all problems are reported together", () => {
    const validated = validatePrice({ usd: { kind: "sum", parts: ["x", { ...perSecond, each: null }, "y"] } });
    assert.ok(!validated.ok);
    assert.equal(validated.problems.length, 3);
  });
});

test("no value makes the check throw", () => {
  const odd = fc.object({
    key: fc.constantFrom("usd", "kind", "each", "cases", "parts", "seconds", "from"),
    maxDepth: 5,
  });
  fc.assert(fc.property(fc.oneof(fc.jsonValue(), odd), (value) => void validatePrice(value)));
});
