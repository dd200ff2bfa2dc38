// A mistake is undone: with PostgreSQL's own base backup and archive of its log, a database is brought back to the moment before
// it. The commands are those of docs/BACKUP.md, "To any moment", with the tools of PostgreSQL 15, on loopback.
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { migrate, openDatabase, sql } from "../packages/server/src/foundation/database/index.ts";
import { newId } from "../packages/server/src/foundation/ids.ts";
import { allInvariants } from "../packages/server/src/processes/invariants.ts";
import { endsWithUs } from "../packages/server/test/support/ends-with-us.ts";
import { freePort } from "../packages/server/test/support/free-port.ts";
import { migrationsDirectory } from "../packages/server/test/support/test-database.ts";
import { sayAt } from "../packages/server/test/support/test-postgres-pair.ts";

const bin = "/usr/lib/postgresql/15/bin";
if (!existsSync(join(bin, "pg_basebackup"))) {
  process.stderr.write("PostgreSQL 15 is not installed: apt-get install -y postgresql-15\n");
  process.exit(1);
}
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), "atelier-pitr-"));
const isRoot = process.getuid?.() === 0;
const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
const owner = isRoot ? { uid: idOf("-u"), gid: idOf("-g") } : {};
chmodSync(folder, 0o755);
const [data, restored, base, archive] = ["data", "restored", "base", "archive"].map((name) => join(folder, name));
assert.ok(data && restored && base && archive);
mkdirSync(archive);
if (owner.uid !== undefined) for (const path of [folder, archive]) chownSync(path, owner.uid, owner.gid);
const run = (program: string, words: readonly string[]) =>
  execFileSync(join(bin, program), words, { ...owner, cwd: folder, stdio: ["ignore", "ignore", "inherit"] });

async function start(directory: string, port: number): Promise<ChildProcess> {
  const words = ["-D", directory, "-p", String(port), "-k", "", "-h", "127.0.0.1"];
  const child = endsWithUs(spawn(join(bin, "postgres"), words, { ...owner, stdio: "ignore" }), "SIGQUIT");
  for (let tries = 0; ; tries++) {
    try {
      await sayAt(port, "select 1");
      return child;
    } catch (error) {
      if (tries > 1_200) throw error;
      await sleep(100);
    }
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGINT");
  await gone;
}

const people = async (port: number) => {
  const database = openDatabase({ connection: `postgres://atelier@127.0.0.1:${port}/atelier` });
  try {
    const rows = await database.query<{ name: string }>(sql`select name from workspaces order by name`);
    const broken: string[] = [];
    for (const { name, statement } of allInvariants)
      if ((await database.query(statement)).length > 0) broken.push(name);
    return { names: rows.map(({ name }) => name), broken };
  } finally {
    await database.close();
  }
};

const servers: ChildProcess[] = [];
try {
  const port = await freePort();
  run("initdb", ["-D", data, "-U", "atelier", "-A", "trust"]);
  appendFileSync(
    join(data, "postgresql.conf"),
    `wal_level = replica\narchive_mode = on\narchive_timeout = 60\narchive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'\n`,
  );
  servers.push(await start(data, port));
  await sayAt(port, "create database atelier");
  const connection = `postgres://atelier@127.0.0.1:${port}/atelier`;
  await migrate({ connection, directory: migrationsDirectory });
  const database = openDatabase({ connection });
  const found = async (name: string) => {
    await database.execute(sql`insert into workspaces (id, name, created_at) values (${newId()}, ${name}, now())`);
  };
  await found("before the base backup");
  run("pg_basebackup", [
    "-h",
    "127.0.0.1",
    "-p",
    String(port),
    "-U",
    "atelier",
    "-D",
    base,
    "-X",
    "stream",
    "-c",
    "fast",
  ]);
  run("pg_verifybackup", [base]);
  say("ok   base backup made and verified");
  await found("after the base backup");
  await sleep(1_500);
  const [moment] = await database.query<{ at: string }>(sql`select now()::text as at`);
  assert.ok(moment);
  await sleep(1_500);
  await database.execute(sql`delete from workspaces`);
  await found("after the mistake");
  await database.query(sql`select pg_switch_wal()`);
  await database.close();
  await stop(servers[0] as ChildProcess);
  say(`ok   the mistake: every workspace was deleted after ${moment.at}`);

  execFileSync("cp", ["-a", base, restored]);
  appendFileSync(
    join(restored, "postgresql.conf"),
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment.at}'\nrecovery_target_action = 'promote'\narchive_mode = off\n`,
  );
  execFileSync("touch", [join(restored, "recovery.signal")]);
  if (owner.uid !== undefined) chownSync(join(restored, "recovery.signal"), owner.uid, owner.gid);
  const other = await freePort();
  servers.push(await start(restored, other));
  const { names, broken } = await people(other);
  assert.deepEqual(names, ["after the base backup", "before the base backup"]);
  assert.deepEqual(broken, []);
  say(`ok   at ${moment.at} again: both workspaces are there, ${allInvariants.length} invariants hold`);
} finally {
  for (const child of servers) if (child.exitCode === null) await stop(child);
  rmSync(folder, { recursive: true, force: true });
}
