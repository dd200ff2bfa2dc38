import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAge } from "./review-versions.route.ts";

test("ages are read as numbers with a unit", () => {
  assert.deepEqual(["30m", "0s", "2h", "1d"].map(parseAge), [1800, 0, 7200, 86_400]);
  for (const text of ["", "30", "m", "-1m", "1.5h", "30 m"]) assert.equal(parseAge(text), null, text);
});
