import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isAccepted } from "../test/support/verdicts.ts";
import { BadgeVersion } from "./operators/badge-rows.ts";
import { BadgePrice, BadgeQuery } from "./price-badges.ts";

test("a price is exactly one of the four kinds, with amounts that are not negative", () => {
  const amount = fc.double({ noNaN: true, min: -100, max: 100 });
  fc.assert(
    fc.property(amount, amount, (left, right) => {
      const whole = left >= 0 && right >= 0;
      assert.equal(isAccepted(BadgePrice, { type: "usd", usd: left }), left >= 0);
      assert.equal(isAccepted(BadgePrice, { type: "range_usd", min_usd: left, max_usd: right }), whole);
      assert.equal(isAccepted(BadgePrice, { type: "list_usd", usd: [left, right] }), whole);
    }),
  );
  // A one-element wildcard collapses to a scalar in the expression language; clients show nothing for it.
  assert.equal(isAccepted(BadgePrice, { type: "list_usd", usd: 0.1 }), false);
  assert.equal(isAccepted(BadgePrice, { usd: 0.1 }), false);
});

test("a stored version is three plain numbers", () => {
  const part = fc.nat({ max: 10_000 });
  fc.assert(
    fc.property(part, part, part, (major, minor, patch) => {
      assert.equal(isAccepted(BadgeVersion, `${major}.${minor}.${patch}`), true);
    }),
  );
  for (const bad of ["1.2", "v1.2.3", "1.2.3-rc.1", "01.2.3", "1.2.3 ", "nightly", ""]) {
    assert.equal(isAccepted(BadgeVersion, bad), false, bad);
  }
});

// Spec, Price badges: an unparseable version counts as the latest, so the query takes any text except an empty one.
test("a client may call itself anything, but must say something", () => {
  for (const app_version of ["1.2.3", "nightly", "unknown", "v9"]) {
    assert.equal(isAccepted(BadgeQuery, { app_version, platform: "local" }), true);
  }
  assert.equal(isAccepted(BadgeQuery, { app_version: "", platform: "local" }), false);
  assert.equal(isAccepted(BadgeQuery, { platform: "local" }), false);
  assert.equal(isAccepted(BadgeQuery, { app_version: "1.2.3", platform: "moon" }), false);
});
