import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTraceparent, newSpanId, newTraceId, readTraceparent } from "./trace-context.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

test("a traceparent is read and written as the W3C says", () => {
  const text = `00-${traceId}-${spanId}-01`;
  assert.deepEqual(readTraceparent(text), { traceId, spanId, isSampled: true });
  assert.equal(formatTraceparent({ traceId, spanId, isSampled: true }), text);
  assert.equal(readTraceparent(`00-${traceId}-${spanId}-00`)?.isSampled, false);
  // Other flags are ignored, and a later version may append fields.
  assert.equal(readTraceparent(`00-${traceId}-${spanId}-fe`)?.isSampled, false);
  assert.equal(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes-later`)?.traceId, traceId);
});

test("an invalid one counts as absent", () => {
  for (const wrong of [
    undefined,
    null,
    7,
    "",
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `cc-${traceId}-${spanId}-01.more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId}-${spanId}`,
    ` 00-${traceId}-${spanId}-01`,
    // Sent twice, and joined by Node.
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  ])
    assert.equal(readTraceparent(wrong), null, String(wrong));
});

test("new ids are of the right length and no two alike, across many fillings of the store", () => {
  const ids = new Set(Array.from({ length: 2_000 }, () => newTraceId()));
  const spans = new Set(Array.from({ length: 2_000 }, () => newSpanId()));
  assert.deepEqual([ids.size, spans.size], [2_000, 2_000]);
  assert.ok([...ids].every((id) => /^[0-9a-f]{32}$/.test(id)) && [...spans].every((id) => /^[0-9a-f]{16}$/.test(id)));
});
