// Copies a weight whose server keeps it on this very machine. Nothing that the server says is trusted: the file is opened only
// if it is a plain file of the right size, and each piece is checked as if it had come over the network.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { PieceFile } from "./piece-file.ts";
import { lengthOf } from "./pieces.ts";

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

// In order, so that the whole is hashed on the way. The next piece is read while this one is checked and written.
async function copyPieces(source: FileHandle, file: PieceFile, { signal, onBytes }: CopyDeps): Promise<void> {
  const { pieces } = file;
  const missing = Array.from({ length: pieces.count }, (_, piece) => piece).filter((piece) => !file.has(piece));
  const buffers = [Buffer.allocUnsafe(pieces.pieceBytes), Buffer.allocUnsafe(pieces.pieceBytes)] as const;
  // Null at the end, and if the file cannot be read on.
  const read = async (turn: number): Promise<Buffer | null> => {
    const piece = missing[turn];
    if (piece === undefined) return null;
    const buffer = buffers[turn % 2 === 0 ? 0 : 1].subarray(0, lengthOf(pieces, piece));
    const found = await source.read(buffer, 0, buffer.length, piece * pieces.pieceBytes).catch(() => null);
    return found?.bytesRead === buffer.length ? buffer : null;
  };
  let coming = read(0);
  for (const [turn, piece] of missing.entries()) {
    signal.throwIfAborted();
    const bytes = await coming;
    if (bytes === null) return;
    coming = read(turn + 1);
    if (await file.put(piece, bytes)) onBytes(bytes.length);
  }
}
