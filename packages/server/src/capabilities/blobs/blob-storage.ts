// The port to wherever the bytes lie. It knows hashes and bytes and nothing of references: whether a blob may be
// written or must go is decided by rows in the database before these functions are called. Every storage passes
// blob-storage.behaviour.ts.
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
  // What lies under the hash already is known to be damaged: it must not be trusted.
  readonly replace: boolean;
  // Others have uploaded these bytes before, so that looking for them may save sending them.
  readonly isLikelyThere: boolean;
}

// Bytes on their way in, at a path of their own that no other upload sees.
export interface Staging {
  // The buffer is the caller's again when it resolves. One call at a time.
  write(bytes: Uint8Array): Promise<void>;
  // All bytes were given, and this is their hash.
  seal(hash: string): Promise<void>;
  // Puts the bytes under the hash they were sealed with, whole or not at all. When it resolves a power cut does not lose them. May be
  // repeated.
  publish(hash: string, options: PublishOptions): Promise<void>;
  // Leaves nothing at their temporary path. After publish the published bytes stay. May be repeated.
  discard(): Promise<void>;
}

export interface SweepOptions {
  // Whatever was begun before this moment is left over from a process that died.
  readonly before: Date;
  readonly dryRun: boolean;
  // Whether a live blob goes by this hash.
  isWanted(hash: string): Promise<boolean>;
}

export interface SweepReport {
  readonly removed: number;
  // Bytes of a live blob that a collector had taken out of reach and did not come back to.
  readonly restored: number;
}

export interface BlobStorage {
  stage(): Promise<Staging>;
  // Null when nothing lies under the hash.
  open(hash: string, range?: ByteRange): Promise<OpenedBytes | null>;
  stat(hash: string): Promise<StoredBlob | null>;
  // Destroys the bytes if `confirm` still says so at the last moment before they are beyond return; where the storage
  // can, they are out of reach by then, so a collector that slept through its time destroys nothing new. True when
  // nothing of what was to go lies under the hash any more.
  remove(hash: string, confirm: () => Promise<boolean>): Promise<boolean>;
  // In the order of the hashes.
  list(): AsyncIterable<StoredBlob>;
  sweepStaging(options: SweepOptions): Promise<SweepReport>;
  // A sentence for people when nothing more, or not so much more, should be stored, else null. Asked before every upload.
  spaceProblem(bytes?: number): Promise<string | null>;
  // A sentence when the storage does not answer, else null.
  reachProblem(): Promise<string | null>;
  // A sentence when its clock is far from ours, as far as its answers told, else null.
  clockProblem(): string | null;
  // An address at the storage itself; null where there are none, or none shall be given out.
  readonly directUrl: ((hash: string, read: DirectRead) => Promise<string>) | null;
}
