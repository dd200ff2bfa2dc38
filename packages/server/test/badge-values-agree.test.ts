// The client's rules for badges are the server's: clients draw what the check at write time accepts and shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { badgeContext, badgeLabel, readBadgeValue } from "@atelier/sdk/badges";
import { readBadgeResult } from "../src/capabilities/badge-proof/badge-result.ts";
import { labelOf } from "../src/capabilities/badge-proof/label.ts";
import { asClientsSee } from "../src/capabilities/badge-proof/widget-value.ts";

test("an expression gets its widgets exactly as the server's check passes them", () => {
  const values = [
    null,
    undefined,
    "",
    " High ",
    "5",
    " 2.5 ",
    "abc",
    "Infinity",
    7,
    Number.NaN,
    true,
    false,
    "TRUE",
    "no",
  ];
  for (const type of ["INT", "FLOAT", "BOOLEAN", "COMBO", "STRING", "IMAGE"])
    for (const value of values) {
      const dependsOn = { widgets: [{ name: "it", type }], inputs: [], input_groups: [] };
      const { it } = badgeContext(dependsOn, { widgets: { it: value } }).widgets;
      assert.deepEqual(it, asClientsSee(type, value), `${type} ${String(value)}`);
    }
});

test("a declared value is always present", () => {
  const dependsOn = { widgets: [{ name: "seconds", type: "INT" }], inputs: ["image"], input_groups: ["frames"] };
  assert.deepEqual(badgeContext(dependsOn), {
    widgets: { seconds: null },
    inputs: { image: { connected: false } },
    inputGroups: { frames: 0 },
  });
});

const results: readonly unknown[] = [
  { type: "usd", usd: 0.11 },
  { type: "usd", usd: 5 },
  { type: "usd", usd: 0.039, format: { suffix: "/Image (1K)", approximate: true } },
  { type: "usd", usd: 0.06, format: { note: "(beta)" } },
  { type: "usd", usd: 0.06, format: { suffix: "" } },
  { type: "range_usd", min_usd: 0.1, max_usd: 0.2 },
  { type: "range_usd", min_usd: 0.1, max_usd: 0.10001 },
  { type: "list_usd", usd: [1, 2, 3], format: { separator: " or " } },
  { type: "text", text: "Token-based" },
  undefined,
  5,
  { type: "usd" },
  { type: "usd", usd: "1" },
  { type: "usd", usd: -1 },
  { type: "usd", usd: Number.POSITIVE_INFINITY },
  { type: "range_usd", min_usd: 2, max_usd: 1 },
  { type: "list_usd", usd: 3 },
  { type: "list_usd", usd: [] },
  { type: "list_usd", usd: [1, "2"] },
  { type: "text", text: " " },
  { type: "gold", usd: 1 },
  { type: "usd", usd: 1, format: { colour: "red" } },
  { type: "usd", usd: 1, format: { separator: "," } },
  { type: "usd", usd: 1, format: { suffix: 1 } },
];

for (const result of results)
  test(`${JSON.stringify(result)} is shown or hidden alike, and in the same words`, () => {
    const [ours, server] = [readBadgeValue(result), readBadgeResult(result)];
    assert.equal(ours.value !== null, server.ok);
    if (ours.value === null || !server.ok) return;
    assert.equal(badgeLabel(ours.value, { creditsPerUsd: 211 }), labelOf(server.result, 211));
  });

test("with the currency option the same price is shown in dollars", () => {
  assert.equal(badgeLabel({ type: "usd", usd: 0.11 }, { currency: "USD" }), "$0.11/Run");
  assert.equal(badgeLabel({ type: "usd", usd: 0.0003 }, { currency: "USD" }), "$0.0003/Run");
});
