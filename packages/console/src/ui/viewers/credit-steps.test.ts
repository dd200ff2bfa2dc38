import assert from "node:assert/strict";
import { test } from "node:test";
import { stepOf } from "./credit-steps.ts";

test("a charge counts up in steps of its own precision, and never past its end", () => {
  assert.deepEqual(
    [0, 0.25, 0.5, 1].map((share) => stepOf("42.2", share)),
    ["0.0", "10.6", "21.1", "42.2"],
  );
  assert.equal(stepOf("7", 0.5), "4");
  assert.equal(stepOf("0.123456", 0.5), "0.06");
});
