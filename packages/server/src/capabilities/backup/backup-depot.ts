// Where scheduled backups are kept: a folder or an object store. Only what has a manifest counts as a backup, and the manifest
// is written last; `verified.json` beside it says that a restore succeeded. A place belongs to one installation: what a killed
// process left there is removed by the next one that holds the lock.
import { randomBytes } from "node:crypto";
import type { BlobSource } from "./back-up.ts";
import type { Blob } from "./blob-list.ts";

export interface KeptBackup {
  readonly name: string;
  readonly isVerified: boolean;
}

export interface Verification {
  readonly verified_at: string;
  readonly invariants: number;
}

export interface BackupDepot {
  // For people; contains no credentials.
  readonly location: string;
  // The local folder in which a backup of this name is made.
  folderFor(name: string): string;
  // Takes blobs that the place has already instead of copying them again. `isTrusted` is false after a failure, whose reason
  // may be a file that was damaged there.
  reuse(source: BlobSource, isTrusted: boolean): Promise<BlobSource>;
  // For blobs that are not in the local folder: whether the place has them. Null if all are in the folder.
  readonly hasBlob: ((blob: Blob) => Promise<boolean>) | null;
  // Stores what is in the local folder, with the proof that it can be restored, if there is one.
  keep(name: string, verification: Verification | null): Promise<void>;
  // Complete backups of the schedule, newest first.
  list(): Promise<readonly KeptBackup[]>;
  remove(name: string): Promise<void>;
  // Removes what killed processes left, and after a removal the bytes that no backup needs any more.
  tidy(): Promise<void>;
  // Makes a complete local copy of a backup.
  fetch(name: string, directory: string): Promise<void>;
}

export const verifiedName = "verified.json";

// A backup that a person made in the same folder has another name, and is never removed.
const namePattern = /^scheduled-\d{8}T\d{6}Z-[0-9a-f]{6}$/;
export const isScheduledName = (name: string): boolean => namePattern.test(name);

// Sorted by name they are sorted by time. The ending keeps two of one second apart.
export function scheduledName(at: Date): string {
  const stamp = at.toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");
  return `scheduled-${stamp}-${randomBytes(3).toString("hex")}`;
}
