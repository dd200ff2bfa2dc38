import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { handClock } from "../../hand-clock.fixture.ts";
import { socketAccess } from "./access.ts";
import { watchForSocket } from "./out-of-reach.ts";

const onLinux = { skip: process.platform !== "linux" && "only Linux shows where a process is" };
const user = { spawn: {}, spawnInitdb: {}, uid: process.getuid?.(), other: false };

describe("a socket out of reach", () => {
  let home: string;
  let dataDir: string;
  let sockets: string;
  let server: ChildProcess | undefined;
  before(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "atelier-reach-")));
  });
  after(() => rm(home, { recursive: true, force: true }));
  beforeEach(async () => {
    dataDir = await mkdtemp(join(home, "data-"));
    sockets = await mkdtemp(join(home, "sockets-"));
  });
  afterEach(() => void server?.kill("SIGKILL"));

  // Has the data folder as its working directory, as PostgreSQL does.
  async function serve(command: string, ...words: string[]): Promise<void> {
    server = spawn(command, words, { cwd: dataDir, stdio: "ignore" });
    await writeFile(join(dataDir, "postmaster.pid"), `${server.pid}\n${dataDir}\n1\n5432\n${sockets}\n`);
  }

  const site = () => ({ dataDir, access: socketAccess({ dataDir, database: "atelier", user }) });

  test("a socket that is gone is waited for ten seconds, and then named", onLinux, async () => {
    await serve("sleep", "600");
    const clock = handClock();
    const socket = watchForSocket(clock);
    await socket.requireInReach(site());
    await clock.advance(9_999);
    await socket.requireInReach(site());
    await writeFile(join(sockets, ".s.PGSQL.5432"), "");
    await socket.requireInReach(site());
    await rm(join(sockets, ".s.PGSQL.5432"));
    await clock.advance(1);
    await socket.requireInReach(site());
    await clock.advance(10_000);
    await assert.rejects(
      socket.requireInReach(site()),
      new RegExp(`process ${server?.pid}, whose socket ${sockets}/.* is gone`),
    );
  });

  const namespaces = spawnSync("unshare", ["-rm", "true"]).status === 0;

  test("a socket in a service's private temporary folder is reported at once, with that cause", {
    skip: !namespaces && "no mount namespaces here",
  }, async () => {
    const inside = join(sockets, "tmp");
    await mkdir(inside);
    sockets = inside;
    await serve(
      "unshare",
      "-rm",
      "sh",
      "-c",
      `mount -t tmpfs none ${inside} && : > ${inside}/.s.PGSQL.5432 && exec sleep 600`,
    );
    while (!existsSync(`/proc/${server?.pid}/root${inside}/.s.PGSQL.5432`)) await sleep(5);
    await assert.rejects(
      watchForSocket(handClock()).requireInReach(site()),
      /mount namespace of its own.*PrivateTmp=yes.*restart/s,
    );
  });

  test("where the data folder's file system holds no sockets, the temporary folder does", async () => {
    const { access } = site();
    assert.equal((await access.listen(undefined)).folder, dataDir);
    access.takeWords('FATAL:  lock file "postmaster.pid" already exists');
    assert.equal((await access.listen(undefined)).folder, dataDir);
    access.takeWords(`LOG:  could not bind Unix address "${dataDir}/.s.PGSQL.5432": Operation not permitted`);
    const { folder, settings } = await access.listen(undefined);
    assert.match(folder ?? "", /atelier-[0-9a-f]{16}$/);
    assert.equal(settings["unix_socket_directories"], `"${folder}"`);
    await access.cleanUp({ host: folder ?? "", port: 5432, user: "atelier", database: "atelier" });
    assert.equal(existsSync(folder ?? ""), false);
  });
});
