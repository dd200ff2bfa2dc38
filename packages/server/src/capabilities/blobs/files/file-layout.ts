// Stores of earlier versions have two levels of folders, blobs/ab/cd/<hash>. Opening one renames the files to
// blobs/ab/<hash> on the same disk, without moving bytes. It can be interrupted anywhere and repeated, even by two
// processes at once. If everything is already in place, it costs one look at each of 256 folders.
import { readdir, rename, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isBlobHash } from "../blob-hash.ts";
import { isErrno } from "../storage-fault.ts";
import { nodeFiles } from "./file-calls.ts";
import { syncPath } from "./file-folders.ts";

const folderPattern = /^[0-9a-f]{2}$/;

export async function flattenFolders(directory: string): Promise<number> {
  const blobs = join(directory, "blobs");
  let moved = 0;
  for (const first of await foldersIn(blobs)) {
    const folder = join(blobs, first);
    // On file systems that count a folder's links, two links mean that it has no subfolders.
    if ((await stat(folder)).nlink === 2) continue;
    for (const second of await foldersIn(folder)) moved += await flatten(folder, second);
  }
  return moved;
}

async function flatten(folder: string, second: string): Promise<number> {
  const old = join(folder, second);
  const prefix = `${folder.slice(-2)}${second}`;
  let moved = 0;
  for (const name of await namesIn(old)) {
    if (!isBlobHash(name) || !name.startsWith(prefix)) continue;
    if (await isDone(rename(join(old, name), join(folder, name)), "ENOENT")) moved++;
  }
  await syncPath(nodeFiles, folder);
  // Not empty, or removed by another process; both are harmless.
  await isDone(rmdir(old), "ENOENT", "ENOTEMPTY", "EEXIST");
  return moved;
}

const foldersIn = async (folder: string) => (await namesIn(folder)).filter((name) => folderPattern.test(name));

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (isErrno(thrown, "ENOENT") || isErrno(thrown, "ENOTDIR")) return [];
    throw thrown;
  }
}

async function isDone(step: Promise<void>, ...excused: readonly string[]): Promise<boolean> {
  try {
    await step;
    return true;
  } catch (thrown) {
    if (excused.some((code) => isErrno(thrown, code))) return false;
    throw thrown;
  }
}
