import assert from "node:assert/strict";
import { test } from "node:test";
import type { BadgeResult } from "./badge-result.ts";
import { labelOf } from "./label.ts";

const labels: readonly [BadgeResult, string][] = [
  [{ type: "usd", usd: 0.11 }, "23.2 credits/Run"],
  [{ type: "usd", usd: 1 }, "211 credits/Run"],
  [{ type: "usd", usd: 0 }, "0 credits/Run"],
  [{ type: "usd", usd: 0.45 }, "95 credits/Run"],
  [{ type: "usd", usd: 5 }, "1,055 credits/Run"],
  [{ type: "usd", usd: 0.039, format: { suffix: "/Image (1K)", approximate: true } }, "~8.2 credits/Image (1K)"],
  [{ type: "usd", usd: 0.06, format: { note: "(beta)" } }, "12.7 credits/Run (beta)"],
  [{ type: "usd", usd: 0.06, format: { suffix: "" } }, "12.7 credits"],
  [{ type: "range_usd", min_usd: 0.1, max_usd: 0.2 }, "21.1-42.2 credits/Run"],
  [{ type: "range_usd", min_usd: 0.1, max_usd: 0.10001, format: { approximate: true } }, "~21.1 credits/Run"],
  [{ type: "list_usd", usd: [0.01, 0.02], format: { suffix: " per 1K tokens" } }, "2.1/4.2 credits per 1K tokens"],
  [{ type: "list_usd", usd: [1, 2, 3], format: { separator: " or " } }, "211 or 422 or 633 credits/Run"],
  [{ type: "text", text: "Token-based" }, "Token-based"],
];

for (const [result, label] of labels) {
  test(`${JSON.stringify(result)} is drawn as ${label}`, () => assert.equal(labelOf(result, 211), label));
}

test("the price of a credit is a setting, not part of the label's rules", () => {
  assert.equal(labelOf({ type: "usd", usd: 0.11 }, 100), "11 credits/Run");
});
