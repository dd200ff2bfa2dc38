// A real pgbouncer in front of the tests' PostgreSQL, one connection per transaction, if the machine has one. It refuses
// what most poolers refuse: startup parameters and statements prepared by name.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "pg-connection-string";
import { endsWithUs } from "./ends-with-us.ts";
import { freePort } from "./free-port.ts";
import { isListening } from "./is-listening.ts";

const program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => existsSync(path));
export const hasPgbouncer = program !== undefined;

export interface TestPooler {
  // The same database behind the pooler.
  readonly url: string;
  kill(): Promise<void>;
}

export async function testPooler(databaseUrl: string, connections: number): Promise<TestPooler> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "atelier-pgbouncer-"));
  chmodSync(folder, 0o755);
  const { host, port: postgresPort, user, database, password } = parse(databaseUrl);
  const target = { host: host ?? "", port: postgresPort ?? "5432", dbname: database ?? "", user, password };
  const words = Object.entries(target).flatMap(([name, value]) => (value ? [`${name}=${value}`] : []));
  const settings = [
    "[databases]",
    `${database} = ${words.join(" ")}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${connections}`,
    "max_client_conn = 500",
    "query_wait_timeout = 20",
  ];
  writeFileSync(join(folder, "pgbouncer.ini"), `${settings.join("\n")}\n`, { mode: 0o644 });
  // pgbouncer refuses to run as root. It runs as the owner of PostgreSQL's socket, who must be able to reach its folder.
  const socketFolder = process.getuid?.() === 0 && host?.startsWith("/") ? host : null;
  if (socketFolder !== null) chmodSync(dirname(socketFolder), 0o711);
  const owner = socketFolder === null ? {} : ownerOf(socketFolder);
  const child = endsWithUs(spawn(program ?? "", [join(folder, "pgbouncer.ini")], { stdio: "ignore", ...owner }));
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (tries > 1_000 || child.exitCode !== null) throw new Error(`pgbouncer did not start (${child.exitCode})`);
    await sleep(20);
  }
  return {
    url: `postgres://${user}@127.0.0.1:${port}/${database}`,
    async kill() {
      const gone = once(child, "exit");
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await gone;
      }
      rmSync(folder, { recursive: true });
    },
  };
}

function ownerOf(path: string): { uid: number; gid: number } {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}
