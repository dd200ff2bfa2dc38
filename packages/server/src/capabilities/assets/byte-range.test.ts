import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readRange } from "./byte-range.ts";

test("one range is cut to the bytes there are", () => {
  assert.deepEqual(readRange("bytes=0-0", 10), { start: 0, end: 0 });
  assert.deepEqual(readRange("bytes=5-", 10), { start: 5, end: 9 });
  assert.deepEqual(readRange("bytes=5-99", 10), { start: 5, end: 9 });
  assert.deepEqual(readRange("bytes=-3", 10), { start: 7, end: 9 });
  assert.deepEqual(readRange("bytes=-99", 10), { start: 0, end: 9 });
  assert.deepEqual(readRange(`bytes=5-${"9".repeat(30)}`, 10), { start: 5, end: 9 });
  assert.deepEqual(readRange(`bytes=-${"9".repeat(400)}`, 10), { start: 0, end: 9 });
});

test("a range beyond the bytes cannot be satisfied, and an empty file has no range", () => {
  for (const [header, size] of [
    ["bytes=10-", 10],
    ["bytes=10-20", 10],
    ["bytes=-0", 10],
    ["bytes=0-", 0],
    ["bytes=-1", 0],
    [`bytes=${"9".repeat(30)}-`, 10],
    [`bytes=${"9".repeat(400)}-${"9".repeat(400)}`, 10],
  ] as const) {
    assert.equal(readRange(header, size), "unsatisfiable", header);
  }
});

test("anything but exactly one range is ignored", () => {
  const others = [undefined, "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=3-1", "items=0-1", "bytes=0-1,2-3"];
  for (const header of [...others, "bytes=0x1-2", "bytes=-1-2", "bytes=1.5-2"]) {
    assert.equal(readRange(header, 10), "whole", String(header));
  }
  assert.equal(readRange(`bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-${at}`).join(",")}`, 5000), "whole");
});

test("a range lies within the bytes, always", () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.option(fc.nat(2000)), fc.option(fc.nat(2000)), (size, first, last) => {
      const range = readRange(`bytes=${first ?? ""}-${last ?? ""}`, size);
      if (typeof range === "string") return;
      assert.ok(0 <= range.start && range.start <= range.end && range.end < size);
    }),
  );
});
