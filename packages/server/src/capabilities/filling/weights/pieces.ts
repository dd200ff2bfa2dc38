// The pieces of a weight: what each must hash to, as the server computed them from bytes whose BLAKE3 it had checked.
import { FillProblem } from "../fill-problem.ts";

export interface Pieces {
  readonly blake3: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly pieceBytes: number;
  readonly hashes: Buffer;
  readonly count: number;
}

export function readPieces(answer: unknown, wanted: { readonly blake3: string; readonly bytes: number }): Pieces {
  const said = typeof answer === "object" && answer !== null ? (answer as Record<string, unknown>) : {};
  const { sha256, bytes, piece_bytes: pieceBytes, pieces } = said;
  if (typeof sha256 !== "string" || typeof pieces !== "string" || typeof pieceBytes !== "number" || pieceBytes < 1)
    throw new FillProblem("The server did not describe the weight as expected. Update atelier on both sides.");
  if (bytes !== wanted.bytes)
    throw new FillProblem(`The server has ${bytes} bytes of it, the lock names ${wanted.bytes}.`);
  const hashes = Buffer.from(pieces, "base64");
  const count = Math.ceil(wanted.bytes / pieceBytes);
  if (hashes.length !== count * 32)
    throw new FillProblem("The server's list of pieces does not fit the weight's size.");
  return { ...wanted, sha256, pieceBytes, hashes, count };
}

export const lengthOf = ({ bytes, pieceBytes }: Pieces, piece: number) =>
  Math.min(pieceBytes, bytes - piece * pieceBytes);

export const isPiece = ({ hashes }: Pieces, piece: number, hash: string) =>
  hashes.toString("hex", piece * 32, piece * 32 + 32) === hash;

// One bit for each piece, the first in the lowest bit of the first byte.
export const hasBit = (bits: Buffer, piece: number) => ((bits[piece >> 3] ?? 0) & (1 << (piece & 7))) !== 0;

export function setBit(bits: Buffer, piece: number, to: boolean): void {
  const others = (bits[piece >> 3] ?? 0) & ~(1 << (piece & 7));
  bits[piece >> 3] = to ? others | (1 << (piece & 7)) : others;
}
