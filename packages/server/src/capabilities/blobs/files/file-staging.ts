// A blob being received as a file: tmp/<uuid>, flushed, then renamed to its final name, replacing any file there: the
// bytes in hand are known to be right, those on disk only used to be. The steps are the same whether a file exists or
// not, so that timing does not tell one workspace what another has. The file stays open until the end, so that its bytes
// can be put back if a collector removes them in between (because the pin expired).
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../../../foundation/ids.ts";
import type { PublishOptions, Staging } from "../blob-storage.ts";
import { isErrno, storageFault } from "../storage-fault.ts";
import { type FileSite, folderOf, nullIfAbsent, unlinkIfThere } from "./file-site.ts";

const copyBytes = 1024 * 1024;

export async function stageFile(site: FileSite): Promise<Staging> {
  const { files, folders } = site;
  const path = join(site.tmp, newId());
  const handle = await faulty(async () => {
    await folders.ensure("tmp");
    return files.open(path, "wx+", 0o600);
  });
  let [isOpen, isPublished] = [true, false];
  return {
    write: (bytes) => faulty(() => writeAll(handle, bytes)),
    // Meanwhile creates the folder for the final name.
    seal: (hash) =>
      faulty(async () => {
        const settled = await Promise.allSettled([handle.sync(), folders.ensure(folderOf(hash))]);
        for (const outcome of settled) if (outcome.status === "rejected") throw outcome.reason;
      }),
    publish: (hash, options) =>
      faulty(async () => {
        await publishFile(site, { path, handle }, hash, options);
        isPublished = true;
      }),
    async discard() {
      if (isOpen) {
        isOpen = false;
        await handle.close();
      }
      if (!isPublished) await unlinkIfThere(files, path);
    },
  };
}

// An almost full disk writes a part and refuses the rest.
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
}

interface StagedFile {
  readonly path: string;
  readonly handle: FileHandle;
}

async function publishFile(site: FileSite, staged: StagedFile, hash: string, options: PublishOptions): Promise<void> {
  const target = site.fileOf(hash);
  try {
    await site.files.rename(staged.path, target);
  } catch (thrown) {
    // We have renamed it before, so it may still be there.
    if (!isErrno(thrown, "ENOENT")) throw thrown;
    const found = await nullIfAbsent(site.files.stat(target));
    if (found?.size !== options.size) await replaceFile(site, staged.handle, target);
  }
  await site.folders.sync(folderOf(hash));
}

async function replaceFile({ files, tmp }: FileSite, from: FileHandle, target: string): Promise<void> {
  const path = join(tmp, newId());
  const handle = await files.open(path, "wx", 0o600);
  try {
    const block = Buffer.allocUnsafe(copyBytes);
    for (let at = 0; ; ) {
      const { bytesRead } = await from.read(block, 0, block.length, at);
      if (bytesRead === 0) break;
      await writeAll(handle, block.subarray(0, bytesRead));
      at += bytesRead;
    }
    await handle.sync();
    await files.rename(path, target);
  } finally {
    await handle.close();
    await unlinkIfThere(files, path);
  }
}

async function faulty<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    throw storageFault(thrown);
  }
}
