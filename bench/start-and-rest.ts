// `npm start` until the `ready` line, with an empty home (initdb, migrations, seed) and with one that was used before; and how
// much memory the server holds when idle.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { atelier, root, startUntilReady } from "./processes.ts";

export async function benchStart(rounds: number): Promise<Finding[]> {
  requireInstalled();
  const first: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const home = mkdtempSync(join(tmpdir(), "atelier-bench-"));
    try {
      first.push(await secondsToReady(home));
      warm.push(await secondsToReady(home));
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }
  // Not reported: what npm starts outlives it, and would count as another's.
  const foreignCpu = null;
  return [
    {
      name: "npm start to ready, first start",
      value: median(first),
      unit: "s",
      limit: { kind: "at most", value: 10 },
      rounds: first,
      foreignCpu,
    },
    {
      name: "npm start to ready, warm",
      value: median(warm),
      unit: "s",
      limit: { kind: "at most", value: 5 },
      rounds: warm,
      foreignCpu,
    },
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
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-"));
  const rounds: number[] = [];
  try {
    await (await atelier(home, false)).stop();
    const cpu = watchCpu();
    for (let round = 0; round < 3; round++) {
      const server = await atelier(home, false);
      await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000));
      rounds.push(residentMegabytes(server.pid));
      await server.stop();
    }
    return [
      {
        name: `resident memory, ${idleSeconds} s idle, without PostgreSQL`,
        value: median(rounds),
        unit: "MB",
        limit: { kind: "at most", value: 180 },
        rounds,
        foreignCpu: cpu.foreignShare(),
      },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

export function residentMegabytes(pid: number): number {
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN);
  return (kilobytes * 1024) / 1e6;
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
