import assert from "node:assert/strict";
import { test } from "node:test";
import { holdBound, lowestCharge, priceOf } from "./price.ts";
import type { PriceDefinition } from "./price-definition.ts";
import { priceParts } from "./price-parts.ts";

const rate = 211;
const seconds = { from: "/seconds", default: 4, least: 1, most: 10, reported: "seconds" };
const film: PriceDefinition = { usd: { kind: "per_second", seconds, each: "0.05" } };

test("a price per second shows the seconds asked for, and how few may be reported", () => {
  assert.deepEqual(priceParts(priceOf(film, rate), { seconds: 4 }), [
    { each: "10.55", quantities: [{ unit: "second", lowest: "1", highest: "4", isReported: true }] },
  ]);
});

test("a table shows the case that the input chooses, and a fixed price has no quantity", () => {
  const usd = { kind: "table" as const, by: "/quality", cases: { low: "0.01", high: film.usd }, otherwise: "low" };
  const price = priceOf({ usd }, rate);
  assert.deepEqual(priceParts(price, {}), [{ each: "2.11", quantities: [] }]);
  assert.equal(priceParts(price, { quality: "high", seconds: 2 })?.[0]?.quantities[0]?.highest, "2");
});

test("megapixels and tokens are in the units that people know", () => {
  const side = (name: string) => ({ from: `/${name}`, default: 1024, most: 4096 });
  const area = { kind: "per_megapixel" as const, width: side("width"), height: side("height"), each: "0.02" };
  assert.deepEqual(priceParts(priceOf({ usd: area }, rate), { width: 1000, height: 500 })?.[0], {
    each: "4.22",
    quantities: [{ unit: "megapixel", lowest: "0.5", highest: "0.5", isReported: false }],
  });
  const rates = [{ usd_per_million: "3", default: 100, most: 2_000, reported: "output_tokens" }];
  assert.deepEqual(priceParts(priceOf({ usd: { kind: "tokens", rates } }, rate), {})?.[0], {
    each: "633",
    quantities: [{ unit: "million_tokens", lowest: "0", highest: "0.002", isReported: true }],
  });
});

test("the parts add up to the lowest and the highest charge", () => {
  const usd = { kind: "sum" as const, parts: ["0.003", film.usd] };
  const price = priceOf({ usd }, rate);
  const sum = (end: "lowest" | "highest") =>
    (priceParts(price, { seconds: 7 }) ?? []).reduce(
      (total, { each, quantities }) =>
        total + quantities.reduce((product, one) => product * Number(one[end]), Number(each)),
      0,
    );
  assert.equal(Math.round(sum("highest") * 1e6), Number(holdBound(price, { seconds: 7 })));
  assert.equal(Math.round(sum("lowest") * 1e6), Number(lowestCharge(price, { seconds: 7 })));
});
