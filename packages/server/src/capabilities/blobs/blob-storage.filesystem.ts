// Blobs as files: tmp/<uuid> while they come in, blobs/ab/cd/<hash> once they are whole, both on one file system so that
// a link moves no bytes. The order is what makes an answer true after a power cut: write, fsync the file, link, fsync
// the folder; only then may a caller commit. Names come from hashes and ids of ours, never from a caller.
import { constants } from "node:fs";
import { join } from "node:path";
import { newId } from "../../foundation/ids.ts";
import { blobPath, isBlobHash } from "./blob-hash.ts";
import type { BlobStorage, ByteRange, Staging, StoredBlob } from "./blob-storage.ts";
import { type BlockPool, blockPool } from "./block-pool.ts";
import { type FileCalls, nodeFiles } from "./file-calls.ts";
import { durableFolders } from "./file-folders.ts";
import { type FileSite, folderOf, linkIfAbsent, nullIfAbsent, unlinkIfThere } from "./file-site.ts";
import { fileSource } from "./file-source.ts";
import { sweepFiles } from "./file-sweep.ts";
import { type OpenedBytes, openedBytes } from "./opened-bytes.ts";
import { isErrno, storageFault } from "./storage-fault.ts";

export interface FileBlobStorageOptions {
  // Made when it is not there, for our eyes only.
  readonly directory: string;
  // Below either, nothing more is stored: the database and the system need room to go on.
  readonly reserve?: { readonly bytes: number; readonly share: number };
  readonly files?: FileCalls;
}

const defaultReserve = { bytes: 1_000_000_000, share: 0.05 };
// Small enough that a block stays in the processor's cache between being read, hashed and sent.
const readBytes = 256 * 1024;
const smallReadBytes = 64 * 1024;

export function fileBlobStorage(options: FileBlobStorageOptions): BlobStorage {
  const files = options.files ?? nodeFiles;
  const blobs = join(options.directory, "blobs");
  const site: FileSite = {
    files,
    folders: durableFolders(files, options.directory),
    tmp: join(options.directory, "tmp"),
    fileOf: (hash) => join(blobs, blobPath(hash)),
  };
  const pools = { small: blockPool(smallReadBytes, 64), large: blockPool(readBytes, 32) };
  return {
    stage: () => stageFile(site),
    open: (hash, range) => openFile(site, hash, range, pools),
    stat: (hash) => statFile(site, hash),
    remove: (hash, confirm) => removeFile(site, hash, confirm),
    list: () => listFiles(site, blobs),
    sweepStaging: (sweep) => sweepFiles(site, sweep),
    spaceProblem: () => spaceProblem(site, options.directory, options.reserve ?? defaultReserve),
    reachProblem: () => reachProblem(site),
  };
}

async function stageFile(site: FileSite): Promise<Staging> {
  const { files, folders } = site;
  const path = join(site.tmp, newId());
  const handle = await faulty(async () => {
    await folders.ensure("tmp");
    return files.open(path, "wx", 0o600);
  });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await handle.close();
  };
  return {
    write: (bytes) =>
      faulty(async () => {
        // A disk that is almost full takes a part and refuses the rest.
        for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
      }),
    // The folder that will have their name is made meanwhile.
    seal: (hash) =>
      faulty(async () => {
        const settled = await Promise.allSettled([handle.sync().finally(close), folders.ensureAnew(folderOf(hash))]);
        for (const outcome of settled) if (outcome.status === "rejected") throw outcome.reason;
      }),
    publish: (hash) => faulty(() => publishFile(site, path, hash)),
    async discard() {
      await close();
      await unlinkIfThere(files, path);
    },
  };
}

// Linked and not moved, so that a publish whose pin ran out can be repeated. What lies there already is replaced: the
// bytes in hand are known to be right, those on the disk only to have been. The steps are the same whether something lies
// there or not, so that time does not tell one workspace what another has.
async function publishFile(site: FileSite, path: string, hash: string): Promise<void> {
  const { files, folders } = site;
  const beside = join(site.tmp, newId());
  try {
    await files.link(path, beside);
    await files.rename(beside, site.fileOf(hash));
  } finally {
    // A rename between two names of one file does nothing and leaves both.
    await unlinkIfThere(files, beside);
  }
  await folders.sync(folderOf(hash));
}

async function openFile(
  site: FileSite,
  hash: string,
  range: ByteRange | undefined,
  pools: { readonly small: BlockPool; readonly large: BlockPool },
): Promise<OpenedBytes | null> {
  const handle = await nullIfAbsent(site.files.open(site.fileOf(hash), "r"));
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    const wanted = range ?? { start: 0, end: size - 1 };
    const pool = wanted.end - wanted.start < smallReadBytes ? pools.small : pools.large;
    return openedBytes(size, fileSource(handle, wanted, pool));
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

async function statFile(site: FileSite, hash: string): Promise<StoredBlob | null> {
  const found = await nullIfAbsent(site.files.stat(site.fileOf(hash)));
  return found && { hash, size: found.size, modifiedAt: found.mtime };
}

// The file first leaves its name, which cannot be undone by surprise: only then is the question asked. A collector that
// was paused so long that another finished its work, and that takes a newer file away, is told no and puts it back.
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
  for (const first of await namesIn(site.files, blobs)) {
    for (const second of await namesIn(site.files, join(blobs, first))) {
      for (const name of await namesIn(site.files, join(blobs, first, second))) {
        if (!isBlobHash(name) || !name.startsWith(`${first}${second}`)) continue;
        const found = await statFile(site, name);
        if (found) yield found;
      }
    }
  }
}

async function spaceProblem(
  site: FileSite,
  directory: string,
  reserve: { readonly bytes: number; readonly share: number },
): Promise<string | null> {
  await site.folders.ensure("tmp");
  const { bavail, bsize, blocks } = await site.files.statfs(directory);
  const free = bavail * bsize;
  const wanted = Math.max(reserve.bytes, blocks * bsize * reserve.share);
  if (free >= wanted) return null;
  return `The disk of the blobs has ${Math.floor(free / 1e6)} MB left; uploads need ${Math.ceil(wanted / 1e6)} MB free.`;
}

async function reachProblem(site: FileSite): Promise<string | null> {
  try {
    await site.files.access(join(site.tmp, ".."), constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (thrown) {
    return isErrno(thrown, "ENOENT") ? null : "The folder of the blobs cannot be read and written.";
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

async function faulty<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    throw storageFault(thrown);
  }
}
