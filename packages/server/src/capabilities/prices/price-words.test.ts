import assert from "node:assert/strict";
import { test } from "node:test";
import type { PriceTerm } from "./price-definition.ts";
import { priceWords } from "./price-words.ts";

const words = (usd: PriceTerm) => priceWords({ usd }, 211);
const seconds = { from: "/seconds", default: 4, most: 10 };

test("every kind of price is said in credits", () => {
  assert.equal(words("0"), "0");
  assert.equal(words("0.04"), "8.44");
  assert.equal(words({ kind: "per_second", seconds, each: "0.05" }), "10.55 per second");
  assert.equal(words({ kind: "per_count", count: { ...seconds, from: "/n" }, each: "0.04" }), "8.44 each");
  const side = { from: "/w", default: 1024, most: 2048 };
  const area: PriceTerm = { kind: "per_megapixel", width: side, height: { ...side, from: "/h" }, each: "0.03" };
  assert.equal(words({ kind: "sum", parts: ["0.01", area] }), "2.11 + (6.33 per megapixel)");
  const rate = { default: 1, most: 9 };
  const rates = [
    { ...rate, usd_per_million: "3", reported: "input_tokens" },
    { ...rate, usd_per_million: "15", reported: "output_tokens" },
  ];
  assert.equal(words({ kind: "tokens", rates }), "633 per million input_tokens, 3165 per million output_tokens");
});

test("nested terms are distinguished", () => {
  const table: PriceTerm = { kind: "table", by: "/quality", cases: { low: "0.01", high: "0.08" }, otherwise: "low" };
  assert.equal(words(table), "low: 2.11, high: 16.88 by /quality");
  assert.equal(
    words({ kind: "per_count", count: { ...seconds, from: "/n" }, each: table }),
    "(low: 2.11, high: 16.88 by /quality) each",
  );
});
