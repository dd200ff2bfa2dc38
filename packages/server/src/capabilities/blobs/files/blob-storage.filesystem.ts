// Blobs as files: tmp/<uuid> while they arrive, blobs/ab/<hash> once complete, both on one file system so that a rename
// moves no bytes. The order makes an answer true even after a power cut: write, fsync the file, rename, fsync the folder;
// only then may a caller commit. File names come from hashes and our own ids, never from a caller.
import { constants } from "node:fs";
import { join, resolve } from "node:path";
import { newId } from "../../../foundation/ids.ts";
import { isBlobHash } from "../blob-hash.ts";
import type { BlobStorage, ByteRange, StoredBlob } from "../blob-storage.ts";
import { type OpenedBytes, openedBytes } from "../opened-bytes.ts";
import { isErrno } from "../storage-fault.ts";
import { blockPool } from "./block-pool.ts";
import { type FileCalls, nodeFiles } from "./file-calls.ts";
import { durableFolders } from "./file-folders.ts";
import { type FileSite, folderOf, linkIfAbsent, nullIfAbsent, unlinkIfThere } from "./file-site.ts";
import { fileSource } from "./file-source.ts";
import { stageFile } from "./file-staging.ts";
import { sweepFiles } from "./file-sweep.ts";
import { type SharedBlocks, sharedBlocks } from "./shared-blocks.ts";

export interface FileBlobStorageOptions {
  // Created if missing, readable by us only.
  readonly directory: string;
  // Below either limit nothing more is stored, because the database and the system need room to keep running.
  readonly reserve?: { readonly bytes: number; readonly share: number };
  readonly files?: FileCalls;
}

const defaultReserve = { bytes: 1024 ** 3, share: 0.05 };
// Small enough for a block to stay in the processor's cache while it is read, hashed and sent.
const readBytes = 256 * 1024;
const smallReadBytes = 64 * 1024;

export function fileBlobStorage(options: FileBlobStorageOptions): BlobStorage {
  const files = options.files ?? nodeFiles;
  const blobs = join(options.directory, "blobs");
  const site: FileSite = {
    files,
    folders: durableFolders(files, options.directory),
    tmp: join(options.directory, "tmp"),
    fileOf: (hash) => join(options.directory, folderOf(hash), hash),
  };
  const blocks = {
    small: sharedBlocks(blockPool(smallReadBytes, 64), { blockBytes: smallReadBytes, keptMax: 64 }),
    large: sharedBlocks(blockPool(readBytes, 32), { blockBytes: readBytes, keptMax: 64 }),
  };
  return {
    stage: () => stageFile(site),
    open: (hash, range) => openFile(site, hash, range, blocks),
    stat: (hash) => statFile(site, hash),
    remove: (hash, confirm) => removeFile(site, hash, confirm),
    list: () => listFiles(site, blobs),
    sweepStaging: (sweep) => sweepFiles(site, sweep),
    spaceProblem: rememberRoom(() => spaceLeft(site, options.directory, options.reserve ?? defaultReserve)),
    reachProblem: () => reachProblem(site),
    clockProblem: () => null,
    fileOf: (hash) => resolve(site.fileOf(hash)),
    directUrl: null,
  };
}

async function openFile(
  site: FileSite,
  hash: string,
  range: ByteRange | undefined,
  blocks: { readonly small: SharedBlocks; readonly large: SharedBlocks },
): Promise<OpenedBytes | null> {
  const handle = await nullIfAbsent(site.files.open(site.fileOf(hash), "r"));
  if (handle === null) return null;
  try {
    const { size, ino, mtimeMs, ctimeMs } = await handle.stat();
    const wanted = range ?? { start: 0, end: size - 1 };
    const shared = wanted.end - wanted.start < smallReadBytes ? blocks.small : blocks.large;
    // No process can write to or replace a file without changing one of these.
    const mark = `${ino}/${size}/${mtimeMs}/${ctimeMs}`;
    return openedBytes(size, fileSource(handle, wanted, shared.open(mark)), { mark });
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

async function statFile(site: FileSite, hash: string): Promise<StoredBlob | null> {
  const found = await nullIfAbsent(site.files.stat(site.fileOf(hash)));
  return found && { hash, size: found.size, modifiedAt: found.mtime };
}

// First renames the file away, and only then asks whether it may go. Suppose a collector was paused so long that another
// finished its work, and now takes away a newer file: the answer is no, and it puts the file back.
async function removeFile(site: FileSite, hash: string, confirm: () => Promise<boolean>): Promise<boolean> {
  const { files, folders } = site;
  const target = site.fileOf(hash);
  const going = join(site.tmp, `${hash}.${newId()}.going`);
  await folders.ensure("tmp");
  try {
    await files.rename(target, going);
  } catch (thrown) {
    if (isErrno(thrown, "ENOENT")) return true;
    throw thrown;
  }
  let isConfirmed = false;
  try {
    isConfirmed = await confirm();
  } finally {
    if (!isConfirmed) await linkIfAbsent(files, going, target);
    await unlinkIfThere(files, going);
    await folders.sync(folderOf(hash));
  }
  return isConfirmed;
}

async function* listFiles(site: FileSite, blobs: string): AsyncIterable<StoredBlob> {
  for (const folder of await namesIn(site.files, blobs)) {
    for (const name of await namesIn(site.files, join(blobs, folder))) {
      if (!isBlobHash(name) || !name.startsWith(folder)) continue;
      const found = await statFile(site, name);
      if (found) yield found;
    }
  }
}

interface SpaceLeft {
  readonly free: number;
  readonly wanted: number;
}

async function spaceLeft(
  site: FileSite,
  directory: string,
  reserve: { readonly bytes: number; readonly share: number },
): Promise<SpaceLeft> {
  await site.folders.ensure("tmp");
  const { bavail, bsize, blocks } = await site.files.statfs(directory);
  return { free: bavail * bsize, wanted: Math.max(reserve.bytes, blocks * bsize * reserve.share) };
}

const mebibyte = 1024 ** 2;
const roomyBytes = 4 * 1024 ** 3;
const roomyMs = 250;

// If there is plenty of room now, there is still plenty a moment later, so many small uploads share one check.
function rememberRoom(look: () => Promise<SpaceLeft>): (bytes?: number) => Promise<string | null> {
  let roomyUntilMs = 0;
  return async (bytes = 0) => {
    if (bytes <= roomyBytes / 4 && performance.now() < roomyUntilMs) return null;
    const { free, wanted: reserved } = await look();
    const wanted = reserved + bytes;
    if (free - wanted >= roomyBytes) roomyUntilMs = performance.now() + roomyMs;
    if (free >= wanted) return null;
    return `The disk of the blob store has ${Math.floor(free / mebibyte)} MiB left; uploads need ${Math.ceil(wanted / mebibyte)} MiB free.`;
  };
}

async function reachProblem(site: FileSite): Promise<string | null> {
  try {
    // The path of something inside it, so that we also notice if it is no longer a folder.
    for (const folder of [join(site.tmp, ".."), site.tmp]) {
      await site.files.access(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
    }
    return null;
  } catch (thrown) {
    return isErrno(thrown, "ENOENT") ? null : "The blob folder cannot be read and written.";
  }
}

async function namesIn(files: FileCalls, folder: string): Promise<string[]> {
  try {
    return (await files.readdir(folder)).sort();
  } catch (thrown) {
    if (isErrno(thrown, "ENOENT") || isErrno(thrown, "ENOTDIR")) return [];
    throw thrown;
  }
}
