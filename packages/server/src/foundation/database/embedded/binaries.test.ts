import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readyNative } from "./binaries.ts";
import type { ServerUser } from "./server-user.ts";

const stranger: ServerUser = { spawn: { uid: 65_528, gid: 65_528 }, spawnInitdb: {}, uid: 65_528, other: true };
const ourselves: ServerUser = { spawn: {}, spawnInitdb: {}, uid: process.getuid?.(), other: false };

let home: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-binaries-"));
  await chmod(home, 0o755);
});
after(() => rm(home, { recursive: true, force: true }));

async function installed(name: string, mode: number) {
  const folder = join(home, name);
  await mkdir(join(folder, "native/bin"), { recursive: true });
  await mkdir(join(folder, "native/lib"));
  await writeFile(join(folder, "native/bin/postgres"), "program");
  await writeFile(join(folder, "native/lib/libx.so.1.2"), "library");
  const links = [{ source: "native/lib/libx.so.1.2", target: "native/lib/libx.so.1" }];
  await writeFile(join(folder, "native/pg-symlinks.json"), JSON.stringify(links));
  await chmod(folder, mode);
  return { folder, version: "18.4.0" };
}

test("links that the installation left out are made where it lies", async () => {
  const found = await installed("open", 0o755);
  for (let turn = 0; turn < 2; turn++) {
    const native = await readyNative(found, ourselves, join(home, "data"));
    assert.equal(native, join(found.folder, "native"));
    assert.equal(await readlink(join(native, "lib/libx.so.1")), "libx.so.1.2");
  }
});

test("an installation that the server's user cannot reach is copied to where it can, once and whole", async () => {
  const found = await installed("closed", 0o700);
  const copies = await Promise.all([1, 2, 3].map(() => readyNative(found, stranger, join(home, "data"))));
  assert.deepEqual(new Set(copies), new Set([join(home, "postgres-18.4.0")]));
  assert.equal(await readFile(join(home, "postgres-18.4.0/lib/libx.so.1"), "utf8"), "library");
});
