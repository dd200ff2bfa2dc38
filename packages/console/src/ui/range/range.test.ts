import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { rangeOf, ranges, rangeWords, readRange, rereadMs, zoomed } from "./range.ts";

const now = Date.parse("2026-11-17T10:07:33.250Z");
const minute = 60_000;

describe("the range in an address", () => {
  test("is a name, or two times in order", () => {
    assert.deepEqual(readRange({ range: "6h" }), { range: "6h" });
    assert.deepEqual(readRange({ range: "5h" }), {});
    assert.deepEqual(readRange({ from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", range: "6h" }), {
      from: "2026-01-01T00:00:00.000Z",
      to: "2026-01-02T00:00:00.000Z",
    });
  });

  test("falls back to the name if one time is missing, wrong or not before the other", () => {
    const to = "2026-01-02T00:00:00Z";
    for (const from of [undefined, "yesterday", to, "2026-01-03T00:00:00Z"])
      assert.deepEqual(readRange({ from, to, range: "1h" }), { range: "1h" });
  });

  test("every name has words", () => {
    for (const name of ranges) assert.ok(rangeWords[name].length > 0, name);
  });
});

describe("a moving range", () => {
  test("begins at a whole step, so that queries a moment apart are the same", () => {
    assert.equal(rangeOf({ range: "1h" }, "24h", now).from, "2026-11-17T09:07:00.000Z");
    assert.equal(rangeOf({}, "24h", now).from, "2026-11-16T10:00:00.000Z");
    assert.deepEqual(rangeOf({}, "7d", now), rangeOf({}, "7d", now + 5_000));
  });

  test("ends now, and covers its whole length and less than a step more", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ranges), fc.integer({ min: 4e9, max: 4e12 }), (name, at) => {
        const { from, to, lengthMs } = rangeOf({ range: name }, "24h", at);
        assert.equal(to, null);
        const more = at - Date.parse(from) - lengthMs;
        assert.ok(more >= 0 && more < 15 * minute, String(more));
      }),
    );
  });

  test("is reloaded less often the longer it is, and never once it is fixed", () => {
    const every = ranges.map((range) => rereadMs(rangeOf({ range }, "24h", now)));
    assert.deepEqual(every, [15_000, 15_000, 15_000, 15_000, 60_000, 300_000]);
    const fixed = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-02T00:00:00.000Z" };
    assert.deepEqual(rangeOf(fixed, "24h", now), { ...fixed, lengthMs: 1_440 * minute });
    assert.equal(rereadMs(rangeOf(fixed, "24h", now)), false);
  });
});

describe("a dragged range", () => {
  test("grows to whole minutes, and is never shorter than two", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 0, max: 1e9 }), (at, length) => {
        const { from, to } = zoomed(at, at + length);
        const [start, end] = [Date.parse(from), Date.parse(to)];
        assert.equal(start % minute, 0);
        assert.equal(end % minute, 0);
        assert.ok(end - start >= 2 * minute);
        assert.ok(start <= at && at - start < minute, "the start moves back by less than a minute");
        assert.ok(end >= at + length, "the end is not cut");
      }),
    );
  });

  test("is an address that parses to itself", () => {
    const dragged = zoomed(now, now + 3 * minute);
    assert.deepEqual(dragged, { from: "2026-11-17T10:07:00.000Z", to: "2026-11-17T10:11:00.000Z" });
    assert.deepEqual(readRange(dragged), dragged);
  });
});
