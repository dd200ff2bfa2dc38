import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mayInstall } from "./install-node.ts";
import { compareNumbers, highest, latestOf } from "./settle-latest.ts";

const numbered = (...versions: string[]) => versions.map((version) => ({ version }));

test("the highest number wins, not the longest text nor the last that came", () => {
  assert.equal(highest(numbered("1.9.0", "1.10.0", "1.2.0"))?.version, "1.10.0");
  assert.equal(highest(numbered("2.0.0-rc.1", "2.0.0", "2.0.0-rc.2"))?.version, "2.0.0");
  assert.equal(highest(numbered("1.0.0-alpha.10", "1.0.0-alpha.9"))?.version, "1.0.0-alpha.10");
  assert.equal(highest([]), null);
});

test("a pre-release is what an install takes by default only where there is nothing else", () => {
  assert.equal(latestOf(numbered("1.4.0", "2.0.0-rc.1", "1.10.0"))?.version, "1.10.0");
  assert.equal(latestOf(numbered("2.0.0-rc.1", "2.0.0-rc.2"))?.version, "2.0.0-rc.2");
  assert.equal(latestOf(numbered("2.0.0-rc.1", "2.0.0"))?.version, "2.0.0");
  assert.equal(latestOf([]), null);
});

test("the order of the numbers does not matter", () => {
  const number = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((parts) => parts.join("."));
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 20 }), (versions) => {
      const sorted = [...versions].sort(compareNumbers);
      assert.equal(highest(numbered(...versions))?.version, sorted.at(-1));
      assert.equal(highest(numbered(...versions.reverse()))?.version, sorted.at(-1));
    }),
  );
});

test("pending and flagged are installed only where the operator allows it, banned and deleted never", () => {
  const states = ["Active", "Pending", "Flagged", "Banned", "Deleted"] as const;
  const allowed = (installable: string[]) =>
    states.filter((state) => mayInstall(`NodeVersionStatus${state}`, installable));
  assert.deepEqual(allowed([]), ["Active"]);
  assert.deepEqual(allowed(["pending"]), ["Active", "Pending"]);
  assert.deepEqual(allowed(["pending", "flagged"]), ["Active", "Pending", "Flagged"]);
});
