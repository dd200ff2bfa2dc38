// The embedded database under kill -9 of our processes and of itself. Each test has its own data folder.
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { ConnectionSettings } from "./connection.ts";
import { openDatabase } from "./database.ts";
import { prepareBinaries } from "./embedded/binaries.ts";
import { dataLocation } from "./embedded/data-directory.ts";
import { holderName } from "./embedded/holders-store.ts";
import { isAlive, readPostmasterFile } from "./embedded/postmaster-file.ts";
import { defaultSettings, startServer } from "./embedded/server-process.ts";
import { serverUser } from "./embedded/server-user.ts";
import { ensureSocketDirectory, temporarySocketDirectory } from "./embedded/socket-directory.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { sql } from "./sql.ts";

const holderScript = join(import.meta.dirname, "../../../test/support/test-postgres-holder.ts");

interface HolderProcess {
  readonly process: ChildProcess;
  readonly attached: boolean;
  readonly connection: ConnectionSettings;
  write(): Promise<object>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

const children = new Set<ChildProcess>();

async function startHolder(dataDir: string): Promise<HolderProcess> {
  const child = fork(holderScript, [dataDir], { execArgv: ["--conditions=atelier-source"] });
  children.add(child);
  child.once("exit", () => children.delete(child));
  const ready = await Promise.race([
    once(child, "message").then(([message]) => message),
    once(child, "exit").then(() => assert.fail("the process ended before it was ready")),
  ]);
  return {
    process: child,
    attached: ready.attached,
    connection: ready.connection,
    async write() {
      child.send("write");
      const [answer] = await once(child, "message");
      return answer;
    },
    async stop() {
      child.send("stop");
      await once(child, "exit");
    },
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function postmaster(dataDir: string): Promise<number> {
  return (await readPostmasterFile(dataDir))?.pid ?? assert.fail("no server runs");
}

async function untilTrue(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 6_000; tries++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail("the condition did not come true in time");
}

// PostgreSQL notices that a process is gone when it reads from its connection, which may take a moment on a busy machine.
async function untilHolders({ connection }: HolderProcess, count: number): Promise<void> {
  const database = openDatabase({ connection });
  const holders = sql`select pid from pg_stat_activity where application_name = ${holderName}`;
  await untilTrue(async () => (await database.query(holders)).length === count);
  await database.close();
}

const wrote = (answer: object) => "written" in answer;

describe("the embedded database, shared by processes", () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), "atelier-embedded-"));
  });
  after(async () => {
    for (const child of children) child.kill("SIGKILL");
    const left = await readPostmasterFile(dataDir());
    if (left && isAlive(left.pid)) process.kill(left.pid, "SIGQUIT");
    await rm(home, { recursive: true, force: true });
  });
  const dataDir = () => join(home, "postgres");

  test("is made and started once when processes start together; the last one out stops it", async () => {
    const holders = await Promise.all([startHolder(dataDir()), startHolder(dataDir()), startHolder(dataDir())]);
    assert.equal(holders.filter((holder) => !holder.attached).length, 1);
    const pid = await postmaster(dataDir());
    const [first, second, third] = holders;
    assert.ok(first && second && third);
    await first.stop();
    assert.ok(isAlive(pid));
    assert.ok(wrote(await second.write()));
    await Promise.all([second.stop(), third.stop()]);
    assert.ok(!isAlive(pid));
    const left = (await readdir(home)).filter((entry) => entry.includes(".new-"));
    assert.deepEqual(left, []);
  });

  test("leftovers of a killed start are removed by a later one, even if the database exists", async () => {
    const [old, coming] = [join(home, "postgres.new-old"), join(home, "postgres.new-coming")];
    for (const folder of [old, coming]) await mkdir(folder);
    await writeFile(join(old, "PG_VERSION"), "18");
    const before = new Date(Date.now() - 11 * 60_000);
    await utimes(old, before, before);
    const server = await startEmbeddedPostgres({ dataDir: dataDir(), settings: { fsync: "off" } });
    await server.stop();
    const left = (await readdir(home)).filter((entry) => entry.includes(".new-"));
    assert.deepEqual(left, ["postgres.new-coming"], "one that may be in the making is left alone");
    await rm(coming, { recursive: true });
  });

  test("a process that arrives while the last one leaves starts it again, even if the log is full", async () => {
    await truncate(`${dataDir()}.log`, 11 * 1024 * 1024);
    const comeAndGo = async (who: number) => {
      for (let round = 0; round < 8; round++) {
        const server = await startEmbeddedPostgres({ dataDir: dataDir(), settings: { fsync: "off" } });
        await new Promise((resolve) => setTimeout(resolve, (who * 13 + round * 7) % 40));
        await server.stop();
      }
    };
    await Promise.all([1, 2, 3].map(comeAndGo));
    assert.equal(await readPostmasterFile(dataDir()), undefined);
  });

  test("outlives a kill -9 of all our processes, and the next one attaches to it", async () => {
    const holder = await startHolder(dataDir());
    const pid = await postmaster(dataDir());
    assert.ok(wrote(await holder.write()));
    await holder.kill();
    assert.ok(isAlive(pid));
    const next = await startHolder(dataDir());
    assert.equal(next.attached, true);
    assert.equal(await postmaster(dataDir()), pid);
    assert.ok(wrote(await next.write()));
    await untilHolders(next, 1);
    await next.stop();
    assert.ok(!isAlive(pid));
  });

  test("a killed process does not keep the last one from stopping it", async () => {
    const [killed, last] = [await startHolder(dataDir()), await startHolder(dataDir())];
    const pid = await postmaster(dataDir());
    await killed.kill();
    await untilHolders(last, 1);
    await last.stop();
    assert.ok(!isAlive(pid));
  });

  test("is started again after a kill -9 of its own, and every process of ours goes on writing", async () => {
    const holders = [await startHolder(dataDir()), await startHolder(dataDir())];
    for (let round = 0; round < 2; round++) {
      const pid = await postmaster(dataDir());
      process.kill(pid, "SIGKILL");
      // A remaining backend may serve one more statement before it notices.
      await untilTrue(async () => ((await readPostmasterFile(dataDir()))?.pid ?? pid) !== pid);
      for (const holder of holders) await untilTrue(async () => wrote(await holder.write()));
      assert.notEqual(await postmaster(dataDir()), pid);
    }
    const pid = await postmaster(dataDir());
    await Promise.all(holders.map((holder) => holder.stop()));
    assert.ok(!isAlive(pid));
  });

  test("starts over the remains of a kill -9 of everything, and over a number that now is another process", async () => {
    const holder = await startHolder(dataDir());
    const pid = await postmaster(dataDir());
    await holder.kill();
    process.kill(pid, "SIGKILL");
    await untilTrue(() => !isAlive(pid));
    const path = join(dataDir(), "postmaster.pid");
    const lines = (await readFile(path, "utf8")).split("\n");
    // As after a reboot: the pid belongs to another process, in this case to this one.
    await writeFile(path, [process.pid, ...lines.slice(1)].join("\n"));
    const next = await startHolder(dataDir());
    assert.equal(next.attached, false);
    assert.ok(wrote(await next.write()));
    await next.stop();
  });
});

describe("the embedded database", () => {
  let home: string;
  let server: EmbeddedPostgres | undefined;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), "atelier-embedded-"));
  });
  after(async () => {
    await server?.stop();
    await rm(home, { recursive: true, force: true });
  });

  test("listens on a socket in a closed folder and on nothing else, keeps to UTF-8 and waits for the disk", async () => {
    // Deeply nested and, if we are root, closed to the user that the server runs as.
    const closed = join(home, "closed");
    const deep = join(closed, "d".repeat(60), "e".repeat(60));
    await mkdir(deep, { recursive: true });
    await chmod(closed, 0o700);
    server = await startEmbeddedPostgres({ dataDir: join(deep, "postgres") });
    assert.ok(server.connection.host.startsWith("/"));
    const database = openDatabase({ connection: server.connection });
    const [row] = await database.query(sql`
      select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
        current_setting('server_encoding') as encoding, current_setting('lc_collate', true) as collation,
        current_setting('unix_socket_permissions') as permissions, current_database() as database`);
    assert.deepEqual(row, {
      addresses: "",
      fsync: "on",
      encoding: "UTF8",
      collation: null,
      permissions: "0700",
      database: "atelier",
    });
    await database.close();
    await server.stop();
    await server.stop();
  });

  test("has its socket in the data folder, whatever signs its path holds", async () => {
    const dataDir = join(home, 'a, b "c" d', "postgres");
    server = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
    assert.equal(server.connection.host, dataDir);
    assert.deepEqual((await readdir(dataDir)).filter((entry) => entry.startsWith(".s.")).sort(), [
      ".s.PGSQL.5432",
      ".s.PGSQL.5432.lock",
    ]);
    await server.stop();
    assert.deepEqual(
      (await readdir(dataDir)).filter((entry) => entry.startsWith(".s.")),
      [],
    );
  });

  test("of an older version, with its socket in the temporary folder, is attached to and stopped as any other", async () => {
    const dataDir = join(home, 'a, b "c" d', "postgres");
    const user = serverUser();
    const sockets = temporarySocketDirectory(dataDir);
    await ensureSocketDirectory(sockets, user);
    await startServer({
      binaries: await prepareBinaries(user, dataDir),
      location: await dataLocation(user, dataDir),
      user,
      logFile: `${dataDir}.log`,
      settings: { ...defaultSettings, fsync: "off", listen_addresses: "", unix_socket_directories: sockets },
    });
    await untilTrue(async () => (await readPostmasterFile(dataDir))?.socketDir === sockets);
    const pid = await postmaster(dataDir);
    server = await startEmbeddedPostgres({ dataDir });
    assert.deepEqual([server.attached, server.connection.host], [true, sockets]);
    await server.stop();
    assert.deepEqual([isAlive(pid), existsSync(sockets)], [false, false]);
  });

  test("of another major version is refused with both versions named", async () => {
    const dataDir = join(home, "older");
    await mkdir(dataDir);
    await writeFile(join(dataDir, "PG_VERSION"), "14\n");
    await assert.rejects(
      startEmbeddedPostgres({ dataDir }),
      /made by PostgreSQL 14, this program brings PostgreSQL 18/,
    );
  });

  test("over TCP asks for the password", async () => {
    server = await startEmbeddedPostgres({ dataDir: join(home, "tcp"), transport: "tcp" });
    assert.equal(server.connection.host, "127.0.0.1");
    const database = openDatabase({ connection: server.connection });
    assert.deepEqual(await database.query(sql`select 1 as one`), [{ one: 1 }]);
    await database.close();
    const intruder = openDatabase({ connection: { ...server.connection, password: "guessed" } });
    await assert.rejects(intruder.query(sql`select 1`), /password authentication failed/);
    await intruder.close();
    await server.stop();
  });
});
