// `npm start` until the `ready` line, with an empty home (initdb, migrations, seed) and with one that was used before; and how
// much memory the server holds when idle.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Finding, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { atelier, root, startUntilReady, tempFolder } from "./processes.ts";

export async function benchStart(rounds: number): Promise<Finding[]> {
  requireInstalled();
  const first: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) {
    using home = tempFolder("start");
    first.push(await secondsToReady(home.path));
    warm.push(await secondsToReady(home.path));
  }
  // Not reported: what npm starts outlives it, and would count as another's.
  const { medianOf } = reportWith(null);
  return [
    medianOf("npm start to ready, first start", first, "s", atMost(10)),
    medianOf("npm start to ready, warm", warm, "s", atMost(5)),
  ];
}

// With a different lock file `npm start` would install first, and we would measure that.
function requireInstalled(): void {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const stamp = join(root, "node_modules/.atelier-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8").endsWith(lock)) return;
  throw new Error("The installed packages do not match the lock file. Run `npm start` once, then measure.");
}

async function secondsToReady(home: string): Promise<number> {
  const env = { ATELIER_HOME: home, ATELIER_PORT: "0" };
  const started = await startUntilReady(["npm", "start", "--silent"], { env });
  await started.stop();
  await untilGone(join(home, "postgres/postmaster.pid"));
  return started.readyMs / 1000;
}

// Not pinned to a core, as `npm start` runs it; three starts, because the collector decides differently each time.
export async function benchRest(idleSeconds: number): Promise<Finding[]> {
  using home = tempFolder("rest");
  const rounds: number[] = [];
  await (await atelier(home.path, false)).stop();
  const cpu = watchCpu();
  for (let round = 0; round < 3; round++) {
    await using server = await atelier(home.path, false);
    await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000));
    rounds.push(residentMegabytes(server.pid));
  }
  const { medianOf } = reportWith(cpu.foreignShare());
  return [medianOf(`resident memory, ${idleSeconds} s idle, without PostgreSQL`, rounds, "MB", atMost(180))];
}

export function residentMegabytes(pid: number): number {
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN);
  return (kilobytes * 1024) / 1e6;
}

// The most that a process holds while something is done, and what it held before.
export async function residentWhile<T>(pid: number, everyMs: number, work: () => Promise<T>) {
  const before = residentMegabytes(pid);
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid));
  }, everyMs);
  const result = await work().finally(() => clearInterval(watch));
  return { added: peak - before, result };
}

// npm ends before what it started; the next start must not attach to a database that is just stopping.
async function untilGone(file: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    try {
      readFileSync(file);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
