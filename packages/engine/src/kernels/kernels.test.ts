// The vector code against plain loops, on lengths that do not fill a vector and on numbers that are none.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromBytes, toBytes } from "../pictures/eight-bits.ts";
import { kernelWork } from "./kernels.ts";
import { RowTable } from "./row-table.ts";

const anyFloat = fc.float({ noDefaultInfinity: false, noNaN: false });

test("floats become bytes by × 255 in 32 bits, clipped and cut off, whatever they are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(anyFloat, fc.float({ min: -1, max: 2, noNaN: true })), { maxLength: 100 }),
      (values) => {
        const floats = Float32Array.from(values);
        const wanted = Array.from(floats, (value) => {
          const scaled = Math.fround(value * 255);
          return Number.isNaN(scaled) ? 0 : Math.trunc(Math.min(Math.max(scaled, 0), 255));
        });
        assert.deepEqual([...toBytes(floats)], wanted);
      },
    ),
  );
});

test("bytes become ÷ 255 in 32 bits, and long rows are done to their end", () => {
  const bytes = Uint8Array.from({ length: 40_003 }, (_, at) => (at * 7) % 256);
  const floats = new Float32Array(bytes.length);
  fromBytes(bytes, floats);
  assert.deepEqual(
    floats,
    Float32Array.from(bytes, (byte) => byte / 255),
  );
  assert.deepEqual(toBytes(floats), bytes);
});

test("a sum of rows is exact to 32 bits, stays within its bounds, and touches nothing else", () => {
  const row = fc.array(fc.float({ min: -2, max: 2, noNaN: true }), { minLength: 8, maxLength: 8 });
  const weighted = fc.record({ one: row, other: row, weight: fc.double({ min: -3, max: 3, noNaN: true }) });
  fc.assert(
    fc.property(fc.array(weighted, { minLength: 1, maxLength: 6 }), fc.boolean(), (rows, isBounded) => {
      const { kernels, buffer } = kernelWork(4096);
      new Uint8Array(buffer).fill(0x5a);
      const table = new RowTable(buffer, 2048, rows.length);
      for (const [index, { one, other, weight }] of rows.entries()) {
        const [at, beside] = [index * 64, index * 64 + 32];
        new Float32Array(buffer, at, 8).set(one);
        new Float32Array(buffer, beside, 8).set(other);
        table.set(index, at, beside, weight);
      }
      const [low, high] = isBounded ? [0, 1] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      kernels.sumOfPairs(1024, table.start, table.end, 32, low, high);
      const wanted = Array.from({ length: 8 }, (_, lane) => {
        const sum = rows.reduce(
          (total, { one, other, weight }) => total + weight * Math.fround((one[lane] ?? 0) + (other[lane] ?? 0)),
          0,
        );
        return Math.min(high, Math.max(low, Math.fround(sum)));
      });
      // Zero has two signs; a bound may have the other.
      assert.deepEqual(
        Array.from(new Float32Array(buffer, 1024, 8), (value) => value + 0),
        wanted.map((value) => value + 0),
      );
      assert.deepEqual(new Uint8Array(buffer, 1056, 32), new Uint8Array(32).fill(0x5a));
    }),
  );
});
