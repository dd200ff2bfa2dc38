// A weight that is arriving: a file beside the final one, filled piece by piece in any order. Each piece is checked before it
// is written. After a kill, the pieces that are there are found by hashing them again, so there is no state that could be
// wrong. The file gets its name only when all of it has the right hash.
import { constants } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import type { Hasher } from "../../environments/index.ts";
import { FillProblem } from "../fill-problem.ts";
import { hasBit, isPiece, lengthOf, type Pieces, setBit } from "./pieces.ts";

export interface PieceFile {
  readonly pieces: Pieces;
  readonly missing: number;
  has(piece: number): boolean;
  // One bit for each piece that is there, the first in the lowest bit of the first byte; then as many for pieces that are on
  // their way from the server.
  bits(): Buffer;
  // These pieces are on their way from the server, or no longer.
  expect(first: number, count: number, isComing: boolean): void;
  // False if the bytes are not this piece; then nothing is written.
  put(piece: number, bytes: Uint8Array): Promise<boolean>;
  read(piece: number): Promise<Buffer>;
  // Checks the whole and gives it its name.
  finish(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface PieceFileDeps {
  readonly blake3: () => Promise<Hasher>;
  readonly signal?: AbortSignal;
  onFound?(bytes: number): void;
}

export async function openPieceFile(path: string, pieces: Pieces, deps: PieceFileDeps): Promise<PieceFile> {
  // Not through a link.
  const { O_RDWR, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const handle = await open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o644);
  const file = await pieceFileOn(handle, path, pieces, deps);
  try {
    const { size } = await handle.stat();
    if (size > pieces.bytes) await handle.truncate(pieces.bytes);
    for (let piece = 0; piece < pieces.count && endOf(pieces, piece) <= size; piece += 1) {
      deps.signal?.throwIfAborted();
      if (await file.find(piece)) deps.onFound?.(lengthOf(pieces, piece));
    }
    return file;
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

const endOf = (pieces: Pieces, piece: number) => piece * pieces.pieceBytes + lengthOf(pieces, piece);

async function pieceFileOn(
  handle: FileHandle,
  path: string,
  pieces: Pieces,
  deps: PieceFileDeps,
): Promise<PieceFile & { find(piece: number): Promise<boolean> }> {
  const had = Buffer.alloc(Math.ceil(pieces.count / 8));
  const coming = Buffer.alloc(had.length);
  let missing = pieces.count;
  const has = (piece: number) => hasBit(had, piece);
  const mark = (piece: number) => {
    if (!has(piece)) missing -= 1;
    setBit(had, piece, true);
  };
  const read = async (piece: number) => {
    const bytes = Buffer.allocUnsafe(lengthOf(pieces, piece));
    await readWhole(handle, bytes, piece * pieces.pieceBytes);
    return bytes;
  };
  const hashOf = async (bytes: Uint8Array) => {
    const hasher = await deps.blake3();
    hasher.update(bytes);
    return hasher.digest();
  };
  const whole = hashInOrder(await deps.blake3(), { count: pieces.count, has, read });

  return {
    pieces,
    // Whether an earlier run has left this piece.
    async find(piece) {
      const isFound = isPiece(pieces, piece, await hashOf(await read(piece)));
      if (isFound) mark(piece);
      return isFound;
    },
    get missing() {
      return missing;
    },
    has,
    bits: () => Buffer.concat([had, coming]),
    expect(first, count, isComing) {
      for (let piece = first; piece < first + count; piece += 1) setBit(coming, piece, isComing);
    },
    async put(piece, bytes) {
      if (bytes.length !== lengthOf(pieces, piece) || !isPiece(pieces, piece, await hashOf(bytes))) return false;
      if (has(piece)) return true;
      // Before it is written: the next piece may come meanwhile.
      whole.pass(piece, bytes);
      await writeWhole(handle, bytes, piece * pieces.pieceBytes);
      mark(piece);
      whole.goOn();
      return true;
    },
    read,
    async finish(target) {
      if ((await whole.digest()) !== pieces.blake3)
        throw new FillProblem("The pieces do not make up the weight that the lock names: the server's list is wrong.");
      await handle.datasync();
      await rename(path, target);
    },
    close: () => handle.close(),
  };
}

interface HereAndBack {
  readonly count: number;
  has(piece: number): boolean;
  read(piece: number): Promise<Uint8Array>;
}

// Hashes the whole while pieces arrive in any order. One that passes at its turn is hashed at once; those that came before their
// turn are read back.
function hashInOrder(whole: Hasher, { count, has, read }: HereAndBack) {
  let next = 0;
  let reading: Promise<void> | null = null;
  const isHere = () => next < count && has(next);
  const readBack = async () => {
    try {
      for (; isHere(); next += 1) whole.update(await read(next));
    } finally {
      reading = null;
    }
  };
  const readOn = async () => {
    if (!isHere()) return;
    reading ??= readBack();
    await reading;
  };
  return {
    // While a piece is read back, its turn is taken.
    pass(piece: number, bytes: Uint8Array): void {
      if (piece !== next || reading !== null) return;
      whole.update(bytes);
      next += 1;
    },
    goOn: () => void readOn().catch(() => undefined),
    // Null if pieces are missing.
    async digest(): Promise<string | null> {
      await readOn();
      return next < count ? null : whole.digest();
    },
  };
}

async function readWhole(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, at + done);
    if (bytesRead === 0) throw new FillProblem("A file was shortened while it was read.");
    done += bytesRead;
  }
}

async function writeWhole(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}
