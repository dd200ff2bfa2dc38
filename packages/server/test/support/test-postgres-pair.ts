// Two real PostgreSQL servers of which the second follows the first, synchronously: what was acknowledged is on both. From the
// system's packages, since ours bring no pg_basebackup.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "./free-port.ts";

const bin = "/usr/lib/postgresql/15/bin";
export const hasPostgresPair = existsSync(join(bin, "pg_basebackup"));

export interface PostgresPair {
  // Both, the first one first.
  readonly url: string;
  readonly firstUrl: string;
  readonly secondUrl: string;
  // As a machine that loses its power.
  killFirst(): Promise<void>;
  // The second one writes from here on.
  promoteSecond(): Promise<void>;
  close(): Promise<void>;
}

export async function postgresPair(): Promise<PostgresPair> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-pair-"));
  const owner = ownerOfServers();
  const run = (program: string, ...words: readonly string[]) =>
    execFileSync(join(bin, program), words, { ...owner, cwd: folder, stdio: "ignore" });
  chmodSync(folder, 0o755);
  if ("uid" in owner && owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  const [firstPort, secondPort] = [await freePort(), await freePort()];
  run("initdb", "-D", first, "-U", "atelier", "-A", "trust", "--no-sync");
  appendFileSync(join(first, "postgresql.conf"), settings.join("\n"));
  const start = (data: string, port: number): ChildProcess =>
    spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), "-k", "", "-h", "127.0.0.1"], {
      ...owner,
      stdio: "ignore",
    });
  const running = [start(first, firstPort)];
  await answering(firstPort);
  await onceAt(firstPort, "create database atelier");
  run("pg_basebackup", "-D", second, "-h", "127.0.0.1", "-p", String(firstPort), "-U", "atelier", "-R", "-X", "stream");
  running.push(start(second, secondPort));
  await answering(secondPort);
  await onceAt(firstPort, "alter system set synchronous_standby_names = '*'");
  await onceAt(firstPort, "select pg_reload_conf()");
  const urlOf = (port: number) => `postgres://atelier@127.0.0.1:${port}/atelier`;
  return {
    url: `postgres://atelier@127.0.0.1:${firstPort},127.0.0.1:${secondPort}/atelier?target_session_attrs=read-write`,
    firstUrl: urlOf(firstPort),
    secondUrl: urlOf(secondPort),
    killFirst: () => ended(running[0]),
    async promoteSecond() {
      await onceAt(secondPort, "alter system set synchronous_standby_names = ''");
      await onceAt(secondPort, "select pg_promote()");
      await onceAt(secondPort, "select pg_reload_conf()");
    },
    async close() {
      for (const child of running) await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const settings = [
  "max_connections = 200",
  "wal_level = replica",
  "hot_standby = on",
  "shared_buffers = 64MB",
  "full_page_writes = off",
  "",
];

// PostgreSQL does not run as root.
function ownerOfServers(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

async function onceAt(port: number, text: string): Promise<void> {
  const client = new Client({ host: "127.0.0.1", port, user: "atelier", database: "postgres" });
  client.on("error", () => {});
  await client.connect();
  await client.query(text).finally(() => client.end());
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await onceAt(port, "select 1");
    } catch (error) {
      if (tries > 600) throw error;
      await sleep(50);
    }
  }
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  // Its children see it and leave; killing it hard would leave them for a moment.
  child.kill("SIGQUIT");
  await gone;
}
