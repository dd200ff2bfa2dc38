// SHA-256 of a whole, and BLAKE3 of each of its pieces, while its bytes pass through in chunks of any size.
import { createHash } from "node:crypto";
import type { Hasher } from "../environments/index.ts";
import type { ReadWeight } from "./weight-store.ts";

export interface PieceHashes {
  add(chunk: Uint8Array): Promise<void>;
  // Must be the last call.
  end(): ReadWeight;
}

export async function pieceHashes(newHasher: () => Promise<Hasher>, pieceBytes: number): Promise<PieceHashes> {
  const whole = createHash("sha256");
  const pieces: Buffer[] = [];
  let current = await newHasher();
  let filled = 0;
  const finish = () => {
    pieces.push(Buffer.from(current.digest(), "hex"));
    filled = 0;
  };
  return {
    async add(chunk) {
      whole.update(chunk);
      for (let at = 0; at < chunk.length; ) {
        if (filled === pieceBytes) {
          finish();
          current = await newHasher();
        }
        const part = chunk.subarray(at, at + pieceBytes - filled);
        current.update(part);
        filled += part.length;
        at += part.length;
      }
    },
    end() {
      if (filled > 0) finish();
      return { sha256: whole.digest("hex"), pieces: Buffer.concat(pieces) };
    },
  };
}
