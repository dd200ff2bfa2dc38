import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../fault.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";

test("a key is 1 to 255 visible ASCII characters in any spelling of the header's name, and absence is null", () => {
  assert.equal(readIdempotencyKey(["Host", "a"]), null);
  for (const key of ["k", "!~", "k".repeat(255)]) assert.equal(readIdempotencyKey(["IDEMPOTENCY-KEY", key]), key);
});

test("an empty, long, blank, foreign or repeated key is refused", () => {
  const wrong = [
    ["idempotency-key", ""],
    ["idempotency-key", "k".repeat(256)],
    ["idempotency-key", "a b"],
    ["idempotency-key", "é"],
    ["idempotency-key", "a", "Idempotency-Key", "a"],
  ];
  for (const rawHeaders of wrong) {
    assert.throws(
      () => readIdempotencyKey(rawHeaders),
      (thrown) => thrown instanceof Fault && thrown.code === "invalid_request",
    );
  }
});
