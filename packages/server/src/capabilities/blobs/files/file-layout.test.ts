import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openBlobStorage } from "../blob-address.ts";
import { flattenFolders } from "./file-layout.ts";

const hashes = [`abcd${"1".repeat(60)}`, `abcd${"2".repeat(60)}`, `ab00${"3".repeat(60)}`, `ff00${"4".repeat(60)}`];

async function anOldStore(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "atelier-layout-"));
  for (const hash of hashes) {
    const folder = join(directory, "blobs", hash.slice(0, 2), hash.slice(2, 4));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, hash), hash);
  }
  return directory;
}

test("a store of an earlier version has all its blobs once it is opened", async () => {
  const directory = await anOldStore();
  try {
    const storage = await openBlobStorage({ kind: "file", directory });
    for (const hash of hashes) assert.equal((await storage.stat(hash))?.size, 64);
    assert.equal((await Array.fromAsync(storage.list())).length, hashes.length);
    assert.deepEqual((await readdir(join(directory, "blobs/ab"))).sort(), hashes.slice(0, 3).sort());
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test("two that open it at once move each blob once, and a third finds nothing to do", async () => {
  const directory = await anOldStore();
  try {
    const [one = 0, two = 0] = await Promise.all([flattenFolders(directory), flattenFolders(directory)]);
    assert.equal(one + two, hashes.length);
    assert.equal(await flattenFolders(directory), 0);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test("files that are not our blobs stay where they are", async () => {
  const directory = await anOldStore();
  try {
    const stray = join(directory, "blobs/ab/cd/notes.txt");
    await writeFile(stray, "mine");
    await flattenFolders(directory);
    assert.deepEqual(await readdir(join(directory, "blobs/ab/cd")), ["notes.txt"]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
