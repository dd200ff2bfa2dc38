import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readBadgeResult } from "./badge-result.ts";

describe("what a client can show is accepted", () => {
  const shown = [
    { type: "usd", usd: 0 },
    { type: "usd", usd: 0.11, format: { suffix: "/Image", note: "n", approximate: false } },
    { type: "range_usd", min_usd: 1, max_usd: 1 },
    { type: "list_usd", usd: [1], format: { separator: ", " } },
    { type: "text", text: "Token-based" },
  ];
  for (const result of shown) {
    test(JSON.stringify(result), () => assert.deepEqual(readBadgeResult(result), { ok: true, result }));
  }
});

describe("a result that would hide the badge has its own code", () => {
  const missed: readonly [unknown, string][] = [
    [undefined, "result_missing"],
    [5, "result_not_object"],
    [[{ type: "usd", usd: 1 }], "result_not_object"],
    [{ usd: 1 }, "result_type"],
    [{ type: "eur", usd: 1 }, "result_type"],
    [{ type: "usd" }, "price_missing"],
    [{ type: "usd", usd: "1" }, "price_not_number"],
    [{ type: "usd", usd: Number.POSITIVE_INFINITY }, "price_not_finite"],
    [{ type: "usd", usd: Number.NaN }, "price_not_finite"],
    [{ type: "usd", usd: -0.01 }, "price_negative"],
    [{ type: "range_usd", min_usd: 1 }, "price_missing"],
    [{ type: "range_usd", min_usd: 2, max_usd: 1 }, "range_reversed"],
    [{ type: "list_usd", usd: 1 }, "list_collapsed"],
    [{ type: "list_usd", usd: [] }, "list_empty"],
    [{ type: "list_usd" }, "price_missing"],
    [{ type: "list_usd", usd: [1, -1] }, "price_negative"],
    [{ type: "text", text: " " }, "text_missing"],
    [{ type: "usd", usd: 1, format: { sufix: "/Run" } }, "format"],
    [{ type: "usd", usd: 1, format: { separator: "/" } }, "format"],
    [{ type: "usd", usd: 1, format: { approximate: "yes" } }, "format"],
  ];
  for (const [value, code] of missed) {
    test(`${JSON.stringify(value)} is ${code}`, () => {
      const read = readBadgeResult(value);
      assert.equal(read.ok ? "accepted" : read.miss.code, code);
    });
  }
});

test("no value makes the reader throw", () => {
  fc.assert(fc.property(fc.anything(), (value) => void readBadgeResult(value)));
});
