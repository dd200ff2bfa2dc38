// Copies a weight whose server keeps it on this very machine. Nothing that the server says is trusted: the file is opened only
// if it is a plain file of the right size, and each piece is checked as if it had come over the network.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { PieceFile } from "./piece-file.ts";
import { lengthOf } from "./pieces.ts";

const lanesMax = 4;

export interface CopyDeps {
  readonly signal: AbortSignal;
  onBytes(bytes: number): void;
}

// What cannot be read or is wrong stays missing, so that it is fetched from elsewhere.
export async function copyHere(path: string, file: PieceFile, deps: CopyDeps): Promise<void> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const source = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (source === null) return;
  try {
    const facts = await source.stat();
    if (facts.isFile() && facts.size === file.pieces.bytes) await copyPieces(source, file, deps);
  } finally {
    await source.close();
  }
}

// One piece is read at a time and in order, so that the whole is hashed on the way. Former pieces are written meanwhile.
async function copyPieces(source: FileHandle, file: PieceFile, { signal, onBytes }: CopyDeps): Promise<void> {
  const { pieces } = file;
  const missing = Array.from({ length: pieces.count }, (_, piece) => piece).filter((piece) => !file.has(piece));
  let reading: Promise<unknown> = Promise.resolve();
  const lane = async () => {
    const memory = Buffer.allocUnsafe(pieces.pieceBytes);
    for (let piece = missing.shift(); piece !== undefined; piece = missing.shift()) {
      signal.throwIfAborted();
      const bytes = memory.subarray(0, lengthOf(pieces, piece));
      const position = piece * pieces.pieceBytes;
      const read = reading.then(() => source.read(bytes, 0, bytes.length, position)).catch(() => null);
      reading = read;
      // It cannot be read on.
      if ((await read)?.bytesRead !== bytes.length) missing.length = 0;
      else if (await file.put(piece, bytes)) onBytes(bytes.length);
    }
  };
  const lanes = Array.from({ length: lanesMax }, lane);
  await Promise.allSettled(lanes);
  await Promise.all(lanes);
}
