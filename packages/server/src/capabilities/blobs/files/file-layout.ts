// Stores of earlier versions have two levels of folders, blobs/ab/cd/<hash>. Opening one brings its files to where they
// are looked for, blobs/ab/<hash>: new names on the same disk, no bytes move. It may be cut off anywhere and done twice,
// also by two processes at once; what is already in its place costs one look at each of 256 folders.
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
    // Where a folder counts its links, two of them say that it holds no other folder.
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
  // Not empty, or taken by another process: it does no harm.
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
