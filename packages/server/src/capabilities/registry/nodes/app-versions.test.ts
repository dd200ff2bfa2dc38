import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { acceptsAppVersion, readAppVersion } from "./app-versions.ts";

test("ranges are read in either manner, and what cannot be read restricts nothing", () => {
  const cases: readonly [range: string, version: string, fits: boolean][] = [
    [">=1.2.0", "1.2.0", true],
    [">=1.2.0", "1.1.9", false],
    [">=0.3, <1.0", "0.9.9", true],
    [">=0.3,<1.0", "1.0.0", false],
    ["==1.4.2", "1.4.2", true],
    ["==1.4.2", "1.4.3", false],
    ["~=1.4.0", "1.4.9", true],
    ["~=1.4.0", "1.5.0", false],
    ["^2", "2.9.0", true],
    ["1.x || >=3", "2.0.0", false],
    ["the newest, please", "0.0.1", true],
    ["!=1.0.0", "1.0.0", true],
    ["", "9.9.9", true],
  ];
  for (const [range, version, fits] of cases)
    assert.equal(acceptsAppVersion(range, version), fits, `${range} ${version}`);
});

test("only three plain numbers are a version that leaves anything out", () => {
  assert.deepEqual(["1.2.3", "v1.2.3", "1.2", "nightly", "1.2.3-rc.1", ""].map(readAppVersion), [
    "1.2.3",
    "1.2.3",
    null,
    null,
    null,
    null,
  ]);
});

test("no text that a publisher can write breaks a list", () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (range) => void acceptsAppVersion(range, "1.2.3")));
});
