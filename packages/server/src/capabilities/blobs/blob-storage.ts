// The port to the storage of bytes. It knows hashes and bytes but no references: rows in the database decide whether a
// blob may be written or must go, before these functions are called. Every storage passes blob-storage.behaviour.ts.
import type { OpenedBytes } from "./opened-bytes.ts";
import type { DirectRead } from "./s3/s3-presign.ts";

export interface ByteRange {
  readonly start: number;
  // Inclusive.
  readonly end: number;
}

export interface StoredBlob {
  readonly hash: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

export interface PublishOptions {
  readonly size: number;
  // The bytes stored under the hash are known to be damaged and must not be trusted.
  readonly replace: boolean;
  // Others have uploaded these bytes before, so checking for them may save sending them.
  readonly isLikelyThere: boolean;
}

// Bytes being received, at a temporary path that no other upload sees.
export interface Staging {
  // The caller may reuse the buffer once it resolves. One call at a time.
  write(bytes: Uint8Array): Promise<void>;
  // All bytes have been written, and this is their hash.
  seal(hash: string): Promise<void>;
  // Puts the bytes under the hash they were sealed with, whole or not at all. Once it resolves, a power cut does not lose
  // them. Safe to repeat.
  publish(hash: string, options: PublishOptions): Promise<void>;
  // Removes the temporary bytes; published bytes stay. Safe to repeat.
  discard(): Promise<void>;
}

export interface SweepOptions {
  // Anything started before this moment is left over from a dead process.
  readonly before: Date;
  readonly dryRun: boolean;
  // True if there is a live blob with this hash.
  isWanted(hash: string): Promise<boolean>;
}

export interface SweepReport {
  readonly removed: number;
  // Bytes of live blobs that a collector had moved away and never put back.
  readonly restored: number;
}

export interface BlobStorage {
  stage(): Promise<Staging>;
  // Null if nothing is stored under the hash.
  open(hash: string, range?: ByteRange): Promise<OpenedBytes | null>;
  stat(hash: string): Promise<StoredBlob | null>;
  // Destroys the bytes if `confirm` still agrees at the last moment. If the storage can, it moves them out of reach
  // before asking, so that a collector that slept past its time destroys nothing new. True if the bytes to be removed are
  // gone.
  remove(hash: string, confirm: () => Promise<boolean>): Promise<boolean>;
  // In hash order.
  list(): AsyncIterable<StoredBlob>;
  sweepStaging(options: SweepOptions): Promise<SweepReport>;
  // A message for people if the storage is full or has no room for `bytes` more, else null. Checked before every upload.
  spaceProblem(bytes?: number): Promise<string | null>;
  // A message if the storage does not answer, else null.
  reachProblem(): Promise<string | null>;
  // A message if its answers show a clock far from ours, else null.
  clockProblem(): string | null;
  // Where the bytes under this hash are as a file of this machine, if they are there. Null if the storage has no files here.
  readonly fileOf: ((hash: string) => string) | null;
  // Returns an address at the storage itself. Null if it has none, or none may be given out.
  readonly directUrl: ((hash: string, read: DirectRead) => Promise<string>) | null;
}
