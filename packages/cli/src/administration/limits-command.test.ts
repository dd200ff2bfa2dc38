import assert from "node:assert/strict";
import { test } from "node:test";
import { readAmount } from "./limits-command.ts";

test("sizes are read as people write them, exactly or not at all", () => {
  const amounts = ["500", "500GB", "1.5TB", "100GiB", "64 kB", "2KiB", "0"].map(readAmount);
  assert.deepEqual(amounts, [500, 500e9, 1.5e12, 100 * 1024 ** 3, 64_000, 2_048, 0]);
  for (const wrong of ["", "-1", "1.5", "1e3", "5 apples", "9007199254740993", "0.0001kB", "10B"])
    assert.equal(readAmount(wrong), null, wrong);
});
