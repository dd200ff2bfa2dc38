import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { hotBlobs } from "./hot-blobs.ts";

const rowOf = (digit: string, size = 10, more: { writes?: number; isSuspect?: boolean } = {}) => ({
  hash: digit.repeat(64),
  size,
  writes: 1,
  isSuspect: false,
  ...more,
});

test("a blob is wanted at the second asking within a minute, and only if it is small", async () => {
  const clock = handClock();
  const hot = hotBlobs({ clock, blobBytesMax: 100 });
  const row = rowOf("a");
  assert.equal(hot.isWanted(row), false);
  assert.equal(hot.isWanted(row), true);
  await clock.advance(61_000);
  assert.equal(hot.isWanted(row), false);
  for (const size of [0, 101]) {
    hot.isWanted(rowOf("b", size));
    assert.equal(hot.isWanted(rowOf("b", size)), false);
  }
});

test("a row is believed for five seconds, then it must be read again", async () => {
  const clock = handClock();
  const hot = hotBlobs({ clock });
  const row = rowOf("a");
  const bytes = Buffer.alloc(10, 1);
  assert.equal(hot.fresh(row.hash), null);
  hot.offer(row, bytes);
  assert.equal(hot.fresh(row.hash)?.bytes, bytes);
  await clock.advance(4_999);
  assert.equal(hot.fresh(row.hash)?.bytes, bytes);
  await clock.advance(1);
  assert.equal(hot.fresh(row.hash), null);
  assert.equal(hot.renew(row)?.bytes, bytes);
  assert.equal(hot.fresh(row.hash)?.bytes, bytes);
});

test("suspected or rewritten blobs are no longer served from memory", async () => {
  for (const change of [{ isSuspect: true }, { writes: 2 }]) {
    const hot = hotBlobs({ clock: handClock() });
    hot.offer(rowOf("a"), Buffer.alloc(10));
    assert.equal(hot.renew(rowOf("a", 10, change)), null);
    assert.equal(hot.fresh("a".repeat(64)), null);
    assert.equal(hot.renew(rowOf("a")), null);
  }
});

test("memory has a bound: what was not used for longest goes first", async () => {
  const hot = hotBlobs({ clock: handClock(), bytesMax: 30 });
  for (const digit of ["a", "b", "c"]) hot.offer(rowOf(digit), Buffer.alloc(10));
  hot.renew(rowOf("a"));
  hot.offer(rowOf("d"), Buffer.alloc(10));
  assert.deepEqual(
    ["a", "b", "c", "d"].map((digit) => hot.fresh(digit.repeat(64)) !== null),
    [true, false, true, true],
  );
  // The same blob twice counts once.
  hot.offer(rowOf("d"), Buffer.alloc(10));
  assert.ok(hot.fresh("c".repeat(64)));
  hot.drop("d".repeat(64));
  assert.equal(hot.fresh("d".repeat(64)), null);
});
