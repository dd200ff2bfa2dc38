// A PostgreSQL of the system's packages on a loopback port, for clients that cannot reach the tests' own socket: another
// user, or another root.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { freePort } from "./free-port.ts";
import { until } from "./server-process.ts";

const bin = "/usr/lib/postgresql/15/bin";
export const hasTcpPostgres = existsSync(join(bin, "initdb"));

export interface TcpPostgres {
  readonly url: string;
  close(): Promise<void>;
}

export async function tcpPostgres(): Promise<TcpPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-tcp-"));
  const owner = ownerOfServers();
  chmodSync(folder, 0o755);
  if ("uid" in owner) chownSync(folder, Number(owner.uid), Number(owner.gid));
  const data = join(folder, "data");
  const words = ["-D", data, "-U", "atelier", "-A", "trust", "--no-sync"];
  execFileSync(join(bin, "initdb"), words, { ...owner, cwd: folder, stdio: "ignore" });
  const port = await freePort();
  const child = spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), "-k", "", "-h", "127.0.0.1", "-F"], {
    ...owner,
    cwd: folder,
    stdio: "ignore",
  });
  const made = async () => {
    const client = new Client({ host: "127.0.0.1", port, user: "atelier", database: "postgres" });
    client.on("error", () => {});
    await client.connect();
    await client.query("create database atelier").finally(() => client.end());
    return true;
  };
  await until("PostgreSQL answers", made);
  return {
    url: `postgres://atelier@127.0.0.1:${port}/atelier`,
    async close() {
      const gone = once(child, "exit");
      child.kill("SIGQUIT");
      await gone;
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
