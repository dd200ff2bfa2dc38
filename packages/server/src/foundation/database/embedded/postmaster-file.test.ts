import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { isAlive, isServing, readPostmasterFile, removeStaleLocks } from "./postmaster-file.ts";

describe("the file that PostgreSQL keeps beside its data", () => {
  let home: string;
  let dataDir: string;
  before(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "atelier-postmaster-")));
  });
  after(() => rm(home, { recursive: true, force: true }));
  beforeEach(async () => {
    dataDir = await mkdtemp(join(home, "data-"));
  });

  const write = (pid: number, path = join(dataDir, "postmaster.pid")) =>
    writeFile(path, `${pid}\n${dataDir}\n1794719225\n5432\n/tmp/sockets\n\n  9978038  4\nready   \n`);

  test("the file gives the process and where it listens", async () => {
    await write(4321);
    const file = await readPostmasterFile(dataDir);
    assert.deepEqual([file?.pid, file?.dataDir, file?.port, file?.socketDir], [4321, dataDir, 5432, "/tmp/sockets"]);
  });

  test("a missing, truncated or garbage file gives nothing", async () => {
    assert.equal(await readPostmasterFile(dataDir), undefined);
    for (const text of ["", "12", "12\n/x\n", "abc\n/x\n1\n5432\n", "-5\n/x\n1\n5432\n/tmp\n"]) {
      await writeFile(join(dataDir, "postmaster.pid"), text);
      assert.equal(await readPostmasterFile(dataDir), undefined, text);
    }
  });

  test("a living process outside the data folder is not its server", {
    skip: process.platform !== "linux",
  }, async () => {
    await write(process.pid);
    const file = await readPostmasterFile(dataDir);
    assert.ok(file);
    assert.equal(await isServing(file, dataDir), false);
    assert.equal(await isServing(file, process.cwd()), true);
  });

  test("stale locks are removed, beside the data and beside the socket", {
    skip: process.platform !== "linux",
  }, async () => {
    const socketDir = join(dataDir, "sockets");
    await mkdir(socketDir);
    await write(process.pid);
    await write(process.pid, join(socketDir, ".s.PGSQL.5432.lock"));
    await removeStaleLocks(dataDir, socketDir);
    assert.equal(await readPostmasterFile(dataDir), undefined);
    assert.deepEqual(await readdir(socketDir), []);
  });

  test("this process is alive, and a number that nobody has is not", () => {
    assert.ok(isAlive(process.pid));
    assert.equal(isAlive(2 ** 30), false);
  });
});
