// The vector code against plain loops, on lengths that do not fill a vector and with NaN.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromBytes, toBytes } from "../pictures/colours/eight-bits.ts";
import { fusedByDoubles, fusedByProcessor } from "./assemble.ts";
import { make } from "./kernels.ts";

const anyFloat = fc.float({ noDefaultInfinity: false, noNaN: false });

test("any float becomes a byte by × 255 in 32 bits, clipped and truncated", () => {
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

test("bytes become ÷ 255 in 32 bits, and long rows are processed to their end", () => {
  const bytes = Uint8Array.from({ length: 40_003 }, (_, at) => (at * 7) % 256);
  const floats = new Float32Array(bytes.length);
  fromBytes(bytes, floats);
  assert.deepEqual(
    floats,
    Float32Array.from(bytes, (byte) => byte / 255),
  );
  assert.deepEqual(toBytes(floats), bytes);
});

const row = fc.array(fc.float({ min: -2, max: 2, noNaN: true }), { minLength: 12, maxLength: 12 });
const weight = fc.float({ min: -3, max: 3, noNaN: true });

// Fused with arbitrary precision: exact, then rounded once.
function fused(one: number, other: number, sum: number): number {
  return Math.fround(one * other + sum);
}

for (const [how, fuse] of [
  ["by the processor", fusedByProcessor],
  ["by way of 64 bits", fusedByDoubles],
] as const) {
  test(`a sum of rows, fused ${how}, rounds the second product and then once a product, and touches nothing else`, () => {
    const { kernels, memory } = make(fuse);
    fc.assert(
      fc.property(fc.array(fc.tuple(row, weight), { minLength: 4, maxLength: 4 }), (rows) => {
        const { buffer } = memory;
        new Uint8Array(buffer).fill(0x5a, 0, 4096);
        const table = new DataView(buffer, 2048);
        for (const [index, [values, share]] of rows.entries()) {
          new Float32Array(buffer, index * 64, 12).set(values);
          table.setInt32(index * 8, index * 64, true);
          table.setFloat32(index * 8 + 4, share, true);
        }
        kernels.rowsByFour(1024, 2048, 1024 + 48);
        const wanted = Array.from({ length: 12 }, (_, lane) => {
          const [one, two, three, four] = rows.map(([values, share]) => [values[lane] ?? 0, share] as const);
          if (!one || !two || !three || !four) return 0;
          const first = fused(...one, Math.fround(two[0] * two[1]));
          return fused(...four, fused(...three, first));
        });
        assert.deepEqual(
          Array.from(new Float32Array(buffer, 1024, 12), (value) => value + 0),
          wanted.map((value) => value + 0),
        );
        assert.deepEqual(new Uint8Array(buffer, 1072, 32), new Uint8Array(32).fill(0x5a));
      }),
    );
  });
}
