// Two real PostgreSQL servers in synchronous replication: what was acknowledged is on both. They come from the system's
// packages, since ours bring no pg_basebackup.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { endsWithUs } from "./ends-with-us.ts";
import { freePort } from "./free-port.ts";

const bin = "/usr/lib/postgresql/15/bin";
export const hasPostgresPair = existsSync(join(bin, "pg_basebackup"));

export interface PostgresPair {
  // Both servers in one address.
  readonly url: string;
  // The port of the primary, and of the standby.
  writing(): number;
  following(): number;
  // The primary dies like a machine that loses power, and the standby takes over.
  failOver(): Promise<void>;
  // The dead server follows again; from then on nothing is acknowledged that it does not have.
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

const settings = [
  "max_connections = 300",
  "wal_level = replica",
  "hot_standby = on",
  "shared_buffers = 64MB",
  "full_page_writes = off",
  "",
];

interface Node {
  readonly data: string;
  readonly port: number;
  child: ChildProcess | null;
}

export async function postgresPair(): Promise<PostgresPair> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-pair-"));
  const owner = ownerOfServers();
  chmodSync(folder, 0o755);
  if ("uid" in owner && owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const aNode = async (name: string): Promise<Node> => ({
    data: join(folder, name),
    port: await freePort(),
    child: null,
  });
  let [primary, standby] = [await aNode("one"), await aNode("other")];
  const run = promisify(execFile);
  const start = async (node: Node) => {
    const words = ["-D", node.data, "-p", String(node.port), "-k", "", "-h", "127.0.0.1"];
    node.child = endsWithUs(spawn(join(bin, "postgres"), words, { ...owner, stdio: "ignore" }), "SIGQUIT");
    await answering(node.port);
  };
  const follow = async () => {
    rmSync(standby.data, { recursive: true, force: true });
    const from = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "atelier"];
    const how = ["-D", standby.data, "-R", "-X", "stream", "-c", "fast", "--no-sync"];
    await run(join(bin, "pg_basebackup"), [...from, ...how], { ...owner, cwd: folder });
    await start(standby);
    await sayAt(primary.port, "alter system set synchronous_standby_names = '*'");
    await sayAt(primary.port, "select pg_reload_conf()");
  };
  const initdb = ["-D", primary.data, "-U", "atelier", "-A", "trust", "--no-sync"];
  execFileSync(join(bin, "initdb"), initdb, { ...owner, cwd: folder, stdio: "ignore" });
  appendFileSync(join(primary.data, "postgresql.conf"), settings.join("\n"));
  await start(primary);
  await sayAt(primary.port, "create database atelier");
  await follow();
  const ports = [primary.port, standby.port].map((port) => `127.0.0.1:${port}`);
  return {
    url: `postgres://atelier@${ports.join(",")}/atelier?target_session_attrs=read-write`,
    writing: () => primary.port,
    following: () => standby.port,
    async failOver() {
      await ended(primary.child);
      await sayAt(standby.port, "alter system set synchronous_standby_names = ''");
      await sayAt(standby.port, "select pg_promote()");
      await sayAt(standby.port, "select pg_reload_conf()");
      [primary, standby] = [standby, primary];
    },
    rebuild: follow,
    async close() {
      for (const { child } of [standby, primary]) await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// PostgreSQL does not run as root.
function ownerOfServers(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

export async function sayAt(port: number, text: string): Promise<void> {
  const client = new Client({ host: "127.0.0.1", port, user: "atelier", database: "postgres" });
  client.on("error", () => {});
  await client.connect();
  await client.query(text).finally(() => client.end());
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await sayAt(port, "select 1");
    } catch (error) {
      if (tries > 1_200) throw error;
      await sleep(50);
    }
  }
}

async function ended(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  // Ends it immediately without flushing to disk, like a crash; its children end with it.
  child.kill("SIGQUIT");
  await gone;
}
