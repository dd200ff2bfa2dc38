import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { ServerUser } from "./server-user.ts";
import { ensureSocketDirectory, removeSocketDirectory, socketDirectory, socketFile } from "./socket-directory.ts";

const me = process.getuid?.() ?? 0;
const user = (uid: number): ServerUser => ({ spawn: {}, spawnInitdb: {}, uid, other: false });

let home: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-sockets-"));
});
after(() => rm(home, { recursive: true, force: true }));

test("the socket lies in the data folder, which is no part of any temporary folder", () => {
  assert.equal(socketDirectory("/var/lib/atelier/postgres"), "/var/lib/atelier/postgres");
});

test("the socket's path stays short however deep the home is, and each home has its own", () => {
  const deep = `/${"deep/".repeat(100)}postgres`;
  assert.ok(socketFile(socketDirectory(deep), 5432).length <= 103);
  assert.ok(socketFile(socketDirectory(deep, `/${"t".repeat(90)}`), 5432).length <= 103);
  assert.equal(socketDirectory(deep), socketDirectory(deep));
  assert.notEqual(socketDirectory(deep), socketDirectory(`${deep}2`));
  // Exact to the byte, and counted in bytes.
  const longest = `/${"d".repeat(103 - "/.s.PGSQL.5432".length - 1)}`;
  assert.equal(socketDirectory(longest), longest);
  assert.notEqual(socketDirectory(`${longest}d`), `${longest}d`);
  assert.notEqual(socketDirectory(longest.replace("d", "ä")), longest.replace("d", "ä"));
});

test("the folder is closed to others, also one that was open", async () => {
  const folder = join(home, "open");
  await mkdir(folder);
  await chmod(folder, 0o777);
  await ensureSocketDirectory(folder, user(me));
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

test("a folder that somebody else made, or a link, is refused", async () => {
  const folder = join(home, "theirs");
  await mkdir(folder);
  await assert.rejects(ensureSocketDirectory(folder, user(me + 1)), /created by another user/);
  const link = join(home, "link");
  await symlink(folder, link);
  await assert.rejects(ensureSocketDirectory(link, user(me)), /created by another user/);
});

test("a folder that another process removes meanwhile is made again", async () => {
  const folder = join(home, "coming-and-going");
  for (let round = 0; round < 500; round++) {
    const made = ensureSocketDirectory(folder, user(me));
    // At a different point of its steps each time.
    for (let turns = round % 10; turns > 0; turns--) await setImmediate();
    await Promise.all([made, removeSocketDirectory(folder)]);
  }
  await assert.rejects(ensureSocketDirectory(join(home, "missing", "folder"), user(me)), /ENOENT/);
});
