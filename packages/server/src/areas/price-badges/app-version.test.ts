import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { compareVersions, parseAppVersion, parseBoundary, versionNumberMax, versionText } from "./app-version.ts";

describe("exactly major.minor.patch is a version", () => {
  const versions: readonly [string, readonly number[]][] = [
    ["1.2.3", [1, 2, 3]],
    ["0.0.0", [0, 0, 0]],
    ["01.002.3", [1, 2, 3]],
    ["999999999.0.1", [999999999, 0, 1]],
    ["1000000000.0.0", [1000000000, 0, 0]],
    [`${"9".repeat(5000)}.0.0`, [1000000000, 0, 0]],
    [`1.${"0".repeat(5000)}7.0`, [1, 7, 0]],
  ];
  for (const [text, version] of versions) {
    test(`${text.slice(0, 30)} is`, () => assert.deepEqual(parseAppVersion(text), version));
  }
});

describe("everything else is the latest", () => {
  const others = [
    "nightly",
    "v1.2.3",
    "1.2",
    "1.2.3.4",
    "1.2.3-beta",
    "1.2.3+1",
    "1.2.",
    ".1.2",
    "1..2",
    " 1.2.3",
    "1.2.3 ",
    "-1.2.3",
    "1e3.0.0",
    "1,2,3",
    "١.٢.٣",
    "1.2.3\u0000",
    "unknown",
    "",
  ];
  for (const text of others) test(JSON.stringify(text), () => assert.equal(parseAppVersion(text), "latest"));
});

test("versions of any length compare by their numbers", () => {
  const number = fc.oneof(fc.bigInt({ min: 0n, max: 10n }), fc.bigInt({ min: 0n, max: 10n ** 40n }));
  const boundary = fc.tuple(...[1, 2, 3].map(() => fc.integer({ min: 0, max: versionNumberMax })));
  fc.assert(
    fc.property(fc.tuple(number, number, number), boundary, (numbers, [major = 0, minor = 0, patch = 0]) => {
      const version = parseAppVersion(numbers.join("."));
      assert.ok(version !== "latest");
      const at = numbers.findIndex((one, index) => one !== BigInt([major, minor, patch][index] ?? 0));
      const right = at === -1 ? 0 : (numbers[at] ?? 0n) < BigInt([major, minor, patch][at] ?? 0) ? -1 : 1;
      assert.equal(Math.sign(compareVersions(version, [major, minor, patch])), right);
    }),
  );
});

test("a boundary has one spelling", () => {
  assert.deepEqual(parseBoundary("1.20.300"), [1, 20, 300]);
  for (const text of ["01.2.3", "1.2.3 ", "1.2", "nightly", "1000000000.0.0", ""])
    assert.equal(parseBoundary(text), null);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const version = parseBoundary(text);
      if (version) assert.equal(versionText(version), text);
    }),
  );
});
