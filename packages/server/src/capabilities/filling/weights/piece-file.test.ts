import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { createBLAKE3 } from "hash-wasm";
import { openPieceFile } from "./piece-file.ts";
import { lengthOf, type Pieces } from "./pieces.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-pieces-"));
after(() => rmSync(folder, { recursive: true }));

const blake3 = async () => (await createBLAKE3()).init();
const pieceBytes = 1024;

async function hashOf(bytes: Uint8Array): Promise<string> {
  const hasher = await blake3();
  hasher.update(bytes);
  return hasher.digest();
}

const pieceOf = (bytes: Buffer, piece: number) => bytes.subarray(piece * pieceBytes, (piece + 1) * pieceBytes);

async function piecesOf(bytes: Buffer, whole = bytes): Promise<Pieces> {
  const count = Math.ceil(bytes.length / pieceBytes);
  const hashes = await Promise.all(
    Array.from({ length: count }, async (_, piece) => Buffer.from(await hashOf(pieceOf(bytes, piece)), "hex")),
  );
  return {
    blake3: await hashOf(whole),
    sha256: "",
    bytes: bytes.length,
    pieceBytes,
    hashes: Buffer.concat(hashes),
    count,
  };
}

let names = 0;

test("pieces that come in any order, at once and twice make the whole file, whose hash is checked", async () => {
  const arrivals = fc.integer({ min: 1, max: 40 }).chain((count) =>
    fc.record({
      size: fc.integer({ min: (count - 1) * pieceBytes + 1, max: count * pieceBytes }),
      order: fc.shuffledSubarray([...Array(count).keys(), ...Array(count).keys()], {
        minLength: 2 * count,
        maxLength: 2 * count,
      }),
      atOnce: fc.integer({ min: 1, max: 8 }),
      keptFromBefore: fc.integer({ min: 0, max: count }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ size, order, atOnce, keptFromBefore }) => {
      const bytes = randomBytes(size);
      const path = join(folder, String(names++));
      const pieces = await piecesOf(bytes);
      const earlier = await openPieceFile(path, pieces, { blake3 });
      for (const piece of order.slice(0, keptFromBefore)) await earlier.put(piece, pieceOf(bytes, piece));
      await earlier.close();
      const file = await openPieceFile(path, pieces, { blake3 });
      const queue = [...order];
      const fetcher = async () => {
        // As a fetcher does it: the memory of a piece is used again for the next.
        const memory = Buffer.alloc(pieceBytes);
        for (let piece = queue.shift(); piece !== undefined; piece = queue.shift()) {
          const part = memory.subarray(0, lengthOf(pieces, piece));
          pieceOf(bytes, piece).copy(part);
          assert.equal(await file.put(piece, part), true);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, fetcher));
      assert.equal(file.missing, 0);
      await file.finish(`${path}.whole`);
      await file.close();
      assert.ok(readFileSync(`${path}.whole`).equals(bytes));
    }),
    { numRuns: 60 },
  );
});

test("a list of pieces that is not of this whole gives no file its name", async () => {
  const bytes = randomBytes(5 * pieceBytes + 7);
  const path = join(folder, "wrong");
  const file = await openPieceFile(path, await piecesOf(bytes, randomBytes(10)), { blake3 });
  for (let piece = 0; piece < 6; piece += 1) assert.equal(await file.put(piece, pieceOf(bytes, piece)), true);
  assert.equal(await file.put(0, randomBytes(pieceBytes)), false);
  await assert.rejects(file.finish(`${path}.whole`), /do not make up the weight/);
  await file.close();
});
