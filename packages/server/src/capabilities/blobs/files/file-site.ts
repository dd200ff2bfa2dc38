// The paths of a blob storage's files, and three calls that treat "not there" as a normal answer.
import { join } from "node:path";
import { requireBlobHash } from "../blob-hash.ts";
import { isErrno } from "../storage-fault.ts";
import type { FileCalls } from "./file-calls.ts";
import type { Folders } from "./file-folders.ts";

export interface FileSite {
  readonly files: FileCalls;
  readonly folders: Folders;
  readonly tmp: string;
  fileOf(hash: string): string;
}

// Relative to the storage's directory. 256 folders: enough to keep each manageable at many millions of blobs, and few
// enough that soon all exist and no upload has to create one.
export function folderOf(hash: string): string {
  return join("blobs", requireBlobHash(hash).slice(0, 2));
}

export async function nullIfAbsent<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (thrown) {
    if (isErrno(thrown, "ENOENT")) return null;
    throw thrown;
  }
}

export async function unlinkIfThere(files: FileCalls, path: string): Promise<void> {
  await nullIfAbsent(files.unlink(path));
}

// Also succeeds if the source has disappeared, because then another process has dealt with the file.
export async function linkIfAbsent(files: FileCalls, from: string, to: string): Promise<void> {
  try {
    await nullIfAbsent(files.link(from, to));
  } catch (thrown) {
    if (!isErrno(thrown, "EEXIST")) throw thrown;
  }
}
