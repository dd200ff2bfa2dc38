import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rangeOf } from "./view-file.ts";

test("ranges from the start, to the end and of the last bytes", () => {
  assert.deepEqual(rangeOf("bytes=0-3", 737), { start: 0, end: 3 });
  assert.deepEqual(rangeOf("bytes=700-", 737), { start: 700, end: 736 });
  assert.deepEqual(rangeOf("bytes=-7", 737), { start: 730, end: 736 });
  assert.deepEqual(rangeOf("bytes=730-9999", 737), { start: 730, end: 736 });
  assert.equal(rangeOf("bytes=737-", 737), "unsatisfiable");
  assert.equal(rangeOf("bytes=5-4", 737), "unsatisfiable");
});

test("anything but a single range means the whole file", () => {
  for (const header of [undefined, "", "bytes=", "bytes=-", "bytes=0-1,4-5", "items=0-1", "bytes=a-b"])
    assert.equal(rangeOf(header, 10), null);
});

test("a satisfiable range always lies inside the file", () => {
  const part = fc.option(fc.nat({ max: 200 }), { nil: null });
  fc.assert(
    fc.property(part, part, fc.nat({ max: 100 }), (first, last, size) => {
      const range = rangeOf(`bytes=${first ?? ""}-${last ?? ""}`, size);
      if (range === null || range === "unsatisfiable") return;
      assert.ok(range.start >= 0 && range.start <= range.end && range.end < size);
    }),
  );
});
