import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { copyHere } from "./copy-here.ts";
import type { PieceFile } from "./piece-file.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-copy-"));
after(() => rmSync(folder, { recursive: true }));

const pieceBytes = 1024;
const signal = new AbortController().signal;

// Takes what it is given unless the piece is refused; some pieces are there already.
function receiver(bytes: number, there: ReadonlySet<number>, refused: ReadonlySet<number>) {
  const count = Math.ceil(bytes / pieceBytes);
  const taken = new Map<number, Buffer>();
  const file: PieceFile = {
    pieces: { blake3: "", sha256: "", bytes, pieceBytes, hashes: Buffer.alloc(0), count },
    missing: count,
    has: (piece) => there.has(piece),
    bits: () => Buffer.alloc(0),
    expect: () => undefined,
    async put(piece, given) {
      await new Promise(setImmediate);
      if (refused.has(piece)) return false;
      taken.set(piece, Buffer.from(given));
      return true;
    },
    read: async () => Buffer.alloc(0),
    finish: async () => undefined,
    close: async () => undefined,
  };
  return { file, taken };
}

async function copied(path: string, bytes: number) {
  const { file, taken } = receiver(bytes, new Set(), new Set());
  await copyHere(path, file, { signal, onBytes: () => undefined });
  return taken.size;
}

test("every missing piece is handed over once, in order and with its own bytes", async () => {
  const path = join(folder, "source");
  const pieces = fc.uniqueArray(fc.integer({ min: 0, max: 20 }));
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 20_000 }),
      pieces,
      pieces,
      async (bytes, there, refused) => {
        writeFileSync(path, bytes);
        const { file, taken } = receiver(bytes.length, new Set(there), new Set(refused));
        let reported = 0;
        await copyHere(path, file, { signal, onBytes: (count) => (reported += count) });
        const wanted = [...Array(file.pieces.count).keys()].filter(
          (piece) => !there.includes(piece) && !refused.includes(piece),
        );
        assert.deepEqual([...taken.keys()], wanted);
        for (const [piece, got] of taken)
          assert.ok(got.equals(bytes.subarray(piece * pieceBytes, (piece + 1) * pieceBytes)), `piece ${piece}`);
        assert.equal(
          reported,
          [...taken.values()].reduce((sum, { length }) => sum + length, 0),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test("no file, another size, a folder, a link and a pipe are not read", async () => {
  const path = join(folder, "right");
  writeFileSync(path, Buffer.alloc(3000, 7));
  symlinkSync(path, join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  assert.equal(await copied(path, 3000), 3);
  for (const [name, bytes] of [
    ["missing", 3000],
    ["right", 2999],
    [".", 3000],
    ["link", 3000],
    ["pipe", 0],
  ] as const)
    assert.equal(await copied(join(folder, name), bytes), 0, name);
});

test("a file that gets shorter on the way leaves the rest missing", async () => {
  const path = join(folder, "shrinking");
  writeFileSync(path, Buffer.alloc(10 * pieceBytes, 7));
  const { file, taken } = receiver(10 * pieceBytes, new Set(), new Set());
  const put = file.put.bind(file);
  const shrinking = {
    ...file,
    put(piece: number, bytes: Uint8Array) {
      if (piece === 2) truncateSync(path, 3 * pieceBytes);
      return put(piece, bytes);
    },
  };
  await copyHere(path, shrinking, { signal, onBytes: () => undefined });
  assert.ok(taken.size >= 3 && taken.size < 10, `${taken.size} pieces`);
});
