// A weight: a model file that operators keep for workers. Its bytes are in the blob store under their BLAKE3 hash.
import type { Id } from "../../foundation/ids.ts";

export type WeightId = Id<"weight">;

export type WeightState = "arriving" | "ready" | "failed";

export interface Weight {
  readonly id: WeightId;
  // Below the application's models folder.
  readonly path: string;
  readonly blake3: string;
  readonly bytes: number;
  // Null until the bytes have arrived.
  readonly sha256: string | null;
  readonly state: WeightState;
  readonly bytesReceived: number;
  readonly problem: string | null;
  readonly url: string | null;
  // Blobs that make it up, in order. Empty once it is ready.
  readonly parts: readonly string[];
  readonly licence: string | null;
  readonly note: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

// Large enough that the hashes of a hundred gigabytes take three megabytes, small enough that wrong bytes cost little.
export const pieceBytes = 1024 * 1024;

export const kindOf = (path: string) => path.slice(0, path.indexOf("/"));
