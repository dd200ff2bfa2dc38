import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ModelDefinition } from "../providers/index.ts";
import { dollars, microDollars, priceProblems } from "./check-prices.ts";

const model = (usd: unknown): ModelDefinition => ({
  model: "m",
  released: true,
  submit: { path: "/m", encoding: "json" },
  price: { usd },
  charges_on_policy_rejection: "unknown",
  input_schema: null,
  recovery: "neither",
  longest_run_seconds: 60,
});
const table = {
  kind: "per_count",
  count: { from: "/n", default: 1, most: 4 },
  each: { kind: "table", by: "/quality", cases: { low: "0.01", high: "0.08" }, otherwise: "low" },
};

test("a price that differs from the documented one is reported with both amounts", () => {
  assert.deepEqual(priceProblems(model("0.04"), [{ input: {}, held_usd: "0.04", charged_usd: "0.05" }]), [
    "prices/0: it would charge 0.04 USD; documented: 0.05",
  ]);
});

test("an amount that no documented price uses is reported with its place", () => {
  const low = { input: { n: 2 }, charged_usd: "0.02" };
  assert.deepEqual(priceProblems(model(table), [low]), [
    "no documented price covers the amount at /price/usd/each/cases/high",
  ]);
  assert.deepEqual(priceProblems(model(table), [low, { input: { quality: "high" }, held_usd: "0.08" }]), []);
  const sum = { kind: "sum", parts: ["0.01", { kind: "tokens", rates: [] }] };
  assert.deepEqual(priceProblems(model(sum), []).length > 0, true);
});

test("tokens are amounts too, and a free model needs no documented price", () => {
  const rate = { usd_per_million: "3", default: 10, most: 1000, reported: "input_tokens" };
  const tokens = model({ kind: "tokens", rates: [rate] });
  assert.deepEqual(priceProblems(tokens, []), [
    "no documented price covers the amount at /price/usd/rates/0/usd_per_million",
  ]);
  assert.deepEqual(
    priceProblems(tokens, [{ input: {}, reported: { input_tokens: 500 }, held_usd: "0.003", charged_usd: "0.0015" }]),
    [],
  );
  assert.deepEqual(priceProblems(model("0"), []), []);
});

test("dollars are compared to the millionth, rounded up", () => {
  assert.deepEqual(["0", "0.000001", "0.0000001", "1.5", "0.03145728"].map(microDollars), [
    0n,
    1n,
    1n,
    1_500_000n,
    31_458n,
  ]);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (micro) => {
      assert.equal(microDollars(dollars(micro)), micro);
    }),
  );
});
