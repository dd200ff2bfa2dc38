import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampler } from "./sampling.ts";
import { newTraceId } from "./trace-context.ts";

const parent = (isSampled: boolean) => ({ traceId: newTraceId(), spanId: "00f067aa0ba902b7", isSampled });

test("always and never ignore the parent, and only parent-based samplers follow it", () => {
  const id = newTraceId();
  for (const given of [null, parent(true), parent(false)]) {
    assert.equal(createSampler("always_on", 0)(id, given), true);
    assert.equal(createSampler("always_off", 1)(id, given), false);
  }
  assert.equal(createSampler("parentbased_always_off", 1)(id, parent(true)), true);
  assert.equal(createSampler("parentbased_always_on", 1)(id, parent(false)), false);
  assert.deepEqual(
    [createSampler("parentbased_always_on", 1)(id, null), createSampler("parentbased_always_off", 1)(id, null)],
    [true, false],
  );
});

test("a ratio takes its share, the same ids for all who use it, and 0 and 1 are none and all", () => {
  const quarter = createSampler("parentbased_traceidratio", 0.25);
  // Spread evenly over the 56 random bits.
  const ids = Array.from(
    { length: 4_096 },
    (_, at) => `${"a".repeat(18)}${at.toString(16).padStart(3, "0")}${"7".repeat(11)}`,
  );
  assert.equal(ids.filter((id) => quarter(id, null)).length, 1_024);
  const half = createSampler("traceidratio", 0.5);
  assert.ok(ids.filter((id) => quarter(id, null)).every((id) => half(id, null)));
  assert.equal(ids.filter((id) => createSampler("traceidratio", 0)(id, null)).length, 0);
  assert.equal(ids.filter((id) => createSampler("traceidratio", 1)(id, null)).length, 4_096);
});
