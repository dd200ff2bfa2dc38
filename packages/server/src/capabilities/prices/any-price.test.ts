// Random prices, inputs and reports for the tests of hold, charge and badge next to this file.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Facts } from "./price.ts";
import type { PriceDefinition, PriceTerm, Quantity, Side } from "./price-definition.ts";
import { validatePrice } from "./validate-price.ts";

const anyUsd = fc.oneof(
  fc.constantFrom("0", "0.03", "0.11", "1", "0.000015", "2.5"),
  fc.tuple(fc.nat(30), fc.nat(9999)).map(([whole, decimals]) => `${whole}.${String(decimals).padStart(4, "0")}`),
);

function bounded(most: number, decimals: number) {
  const scale = 10 ** decimals;
  return fc.tuple(fc.nat(most * scale), fc.nat(most * scale), fc.nat(most * scale)).map((numbers) => {
    const [least = 0, usual = 0, top = 0] = numbers.toSorted((a, b) => a - b).map((one) => one / scale);
    return { default: usual, least, most: top };
  });
}

const reported = (fact: string) => fc.option(fc.constant({ reported: fact }), { nil: {} });

const anySeconds: fc.Arbitrary<Quantity> = fc.oneof(
  fc
    .tuple(bounded(60, 0), fc.constantFrom({}, { step: 1 }, { step: 5 }), reported("seconds"))
    .map(([bounds, step, report]) => ({ from: "/duration", ...bounds, ...step, ...report })),
  bounded(60, 0).map((bounds) => ({ ...bounds, reported: "seconds" })),
);
const anyFineSeconds: fc.Arbitrary<Quantity> = fc
  .tuple(bounded(60, 3), fc.constantFrom(0.5, 0.1, 0.25, 0.001, 2.5), reported("fine_seconds"))
  .map(([bounds, step, report]) => ({ from: "/video/length", widget: "video.length", ...bounds, step, ...report }));
const anyImages: fc.Arbitrary<Quantity> = fc.oneof(
  bounded(10, 0).map((bounds) => ({ from: "/n", ...bounds })),
  bounded(10, 0).map(({ most }) => ({ from: "/images", group: "images", default: 0, most })),
);
const side = (from: string): fc.Arbitrary<Side> => bounded(4096, 0).map((bounds) => ({ from, ...bounds }));

// Each widget has one type, so each pointer is always read in one way.
const { term } = fc.letrec<{ term: PriceTerm }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    anyUsd,
    fc.tuple(anySeconds, tie("term")).map(([seconds, each]): PriceTerm => ({ kind: "per_second", seconds, each })),
    fc.tuple(anyFineSeconds, tie("term")).map(([seconds, each]): PriceTerm => ({ kind: "per_second", seconds, each })),
    fc.tuple(anyImages, tie("term")).map(([count, each]): PriceTerm => ({ kind: "per_count", count, each })),
    fc
      .tuple(
        side("/width"),
        side("/height"),
        fc.constantFrom({}, { minimum: 1 }, { minimum: 0.25 }),
        fc.constantFrom({}, { step: 1 }, { step: 0.1 }),
        reported("megapixels"),
        tie("term"),
      )
      .map(([width, height, minimum, step, report, each]): PriceTerm => {
        return { kind: "per_megapixel", width, height, ...minimum, ...step, ...report, each };
      }),
    fc
      .tuple(tie("term"), tie("term"), tie("term"), fc.constantFrom("fast", "5", "1.5"))
      .map(([one, two, three, otherwise]): PriceTerm => {
        return { kind: "table", by: "/mode", cases: { fast: one, "5": two, "1.5": three }, otherwise };
      }),
    fc.tuple(tie("term"), tie("term"), fc.constantFrom("true", "false")).map(([yes, no, otherwise]): PriceTerm => {
      return { kind: "table", by: "/audio", cases: { true: yes, false: no }, otherwise };
    }),
    fc.array(tie("term"), { minLength: 1, maxLength: 3 }).map((parts): PriceTerm => ({ kind: "sum", parts })),
    fc.tuple(anyUsd, anyUsd, bounded(8192, 0)).map(([input, output, tokens]): PriceTerm => {
      const rates = [
        { usd_per_million: input, reported: "input_tokens", default: 0, most: 100_000 },
        {
          usd_per_million: output,
          reported: "output_tokens",
          from: "/max_tokens",
          default: 10,
          most: tokens.most + 10,
        },
      ];
      return { kind: "tokens", rates };
    }),
  ),
}));

// Random products can need more digits than a price may have; those are not valid prices.
export const anyPrice: fc.Arbitrary<PriceDefinition> = term
  .map((usd): PriceDefinition => ({ usd }))
  .filter((definition) => {
    const validated = validatePrice(definition);
    return validated.ok || !validated.problems.every((problem) => /^The price (can exceed|is too)/.test(problem));
  });

const anyNumber = fc.oneof(
  { arbitrary: fc.nat(5000), weight: 4 },
  fc.nat(70_000).map((thousandths) => thousandths / 1000),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: 0, max: 61, noNaN: true }),
  fc.constantFrom(-1, 2 ** 60, 2 ** 53 + 2, 0.1 + 0.2, 4.9999995, 4.9999996, 5e-324, 1e300),
);
const anyScalar = fc.oneof(
  { arbitrary: anyNumber, weight: 5 },
  anyNumber.map(String),
  fc.constantFrom(
    "1152921504606846976",
    " 12 ",
    "",
    "0x10",
    "1e2",
    "Infinity",
    "many",
    "null",
    true,
    false,
    null,
    undefined,
  ),
);
const anyWord = fc.oneof(
  { arbitrary: fc.constantFrom("fast", " FAST ", "5", 5, 1.5, "1.5", 1.5000000000000002, "constructor"), weight: 3 },
  anyScalar,
);

export interface AnyInput {
  readonly duration: unknown;
  readonly video: { readonly length: unknown };
  readonly n: unknown;
  readonly width: unknown;
  readonly height: unknown;
  readonly max_tokens: unknown;
  readonly mode: unknown;
  readonly audio: unknown;
  readonly images: readonly unknown[];
}

export const anyInput: fc.Arbitrary<AnyInput> = fc.record({
  duration: anyScalar,
  video: fc.record({ length: anyScalar }),
  n: anyScalar,
  width: anyScalar,
  height: anyScalar,
  max_tokens: anyScalar,
  mode: anyWord,
  audio: fc.oneof(fc.constantFrom(true, false, "TRUE", " false", 1), anyScalar),
  images: fc.array(fc.constant("url"), { maxLength: 12 }),
});

const factNames = ["seconds", "fine_seconds", "megapixels", "input_tokens", "output_tokens"];
const anyFact = fc.oneof(anyNumber, anyNumber.map(String), fc.constantFrom(2n ** 60n, -5n, "?", Number.NaN));
export const anyFacts: fc.Arbitrary<Facts> = fc.dictionary(fc.constantFrom(...factNames), anyFact, {
  noNullPrototype: true,
});

test("the generated prices are valid", () => {
  fc.assert(
    fc.property(anyPrice, (definition) => assert.deepEqual(validatePrice(definition), { ok: true, definition })),
  );
});
