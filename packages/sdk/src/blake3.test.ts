import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { blake3 } from "hash-wasm";
import { Blake3, blake3OfBlob } from "./blake3.ts";

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => at % 251);

test("the hash is BLAKE3's for every length around blocks, chunks and batches", async () => {
  const edges = [
    0, 1, 63, 64, 65, 1023, 1024, 1025, 2048, 2049, 3072, 4096, 4097, 8193, 65_535, 65_536, 65_537, 131_073,
  ];
  for (const length of edges)
    assert.equal(new Blake3().update(bytesOf(length)).hex(), await blake3(bytesOf(length)), `${length} bytes`);
});

test("the hash does not depend on how the bytes are split", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(9000), { maxLength: 20 }), async (lengths) => {
      const pieces = lengths.map(bytesOf);
      const hasher = new Blake3();
      for (const piece of pieces) hasher.update(piece);
      assert.equal(hasher.hex(), await blake3(Buffer.concat(pieces)));
    }),
    { numRuns: 60 },
  );
});

test("a blob is hashed as it is read, and two at once do not disturb each other", async () => {
  const [one, two] = [bytesOf(300_000), bytesOf(200_001)];
  const hashes = await Promise.all([blake3OfBlob(new Blob([one])), blake3OfBlob(new Blob([two]))]);
  assert.deepEqual(hashes, [await blake3(one), await blake3(two)]);
});
