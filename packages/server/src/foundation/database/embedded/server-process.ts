// Starts and stops the server process. It runs in its own process group, so that Ctrl-C in a terminal does not reach it before
// we have drained. It logs to a file, not to us, so it survives a kill -9 of our process.
import { type ChildProcess, spawn } from "node:child_process";
import { open, readFile, rename, stat } from "node:fs/promises";
import { systemClock } from "../../clock.ts";
import type { Binaries } from "./binaries.ts";
import type { DataLocation } from "./data-directory.ts";
import { databaseEnvironment } from "./database-environment.ts";
import { isAlive, readPostmasterFile } from "./postmaster-file.ts";
import type { ServerUser } from "./server-user.ts";

export interface StartOptions {
  readonly binaries: Binaries;
  readonly location: DataLocation;
  readonly user: ServerUser;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
}

export interface StartedServer {
  readonly pid: number | undefined;
  // Resolves with the server's output if it ends.
  readonly ended: Promise<string>;
}

const logBytesMax = 10 * 1024 * 1024;

// fsync stays on. The sizes suit a small machine; an installation that needs more uses an external PostgreSQL.
export const defaultSettings: Readonly<Record<string, string>> = {
  shared_buffers: "128MB",
  max_connections: "100",
  max_wal_size: "1GB",
  min_wal_size: "80MB",
  wal_compression: "on",
  checkpoint_timeout: "15min",
  log_checkpoints: "off",
  log_timezone: "UTC",
  timezone: "UTC",
};

export async function startServer(options: StartOptions): Promise<StartedServer> {
  await rotate(options.logFile);
  const output = await open(options.logFile, "a", 0o600);
  const from = (await output.stat()).size;
  const flags = ["-D", options.location.argument];
  for (const [name, value] of Object.entries(options.settings)) flags.push("-c", `${name}=${value}`);
  try {
    const child = spawn(options.binaries.postgres, flags, {
      cwd: options.location.cwd,
      ...options.user.spawn,
      env: databaseEnvironment,
      detached: true,
      windowsHide: true,
      stdio: ["ignore", output.fd, output.fd],
    });
    child.unref();
    return { pid: child.pid, ended: whenEnded(child).then((why) => lastWords(options.logFile, from, why)) };
  } finally {
    await output.close();
  }
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`ended with ${signal ?? code}`));
  });
}

async function lastWords(logFile: string, from: number, why: string): Promise<string> {
  const said = await readFile(logFile).catch(() => Buffer.alloc(0));
  return `${why}: ${said.subarray(from).toString("utf8").slice(-2_000).trim()}`;
}

async function rotate(logFile: string): Promise<void> {
  const found = await stat(logFile).catch(() => undefined);
  // Another of our processes may be starting at the same moment and have moved it already.
  if (found && found.size > logBytesMax) await rename(logFile, `${logFile}.1`).catch(unlessGone);
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

const stopSecondsMax = 30;

// Fast shutdown: open transactions are rolled back, and everything committed is on disk when the server exits.
export async function stopServer(dataDir: string, binaries: Binaries): Promise<void> {
  const file = await readPostmasterFile(dataDir);
  if (!file) return;
  if (process.platform === "win32")
    spawn(binaries.pgCtl, ["stop", "-D", dataDir, "-m", "fast", "-W"], { env: databaseEnvironment });
  else interrupt(file.pid);
  for (let waitedMs = 0; waitedMs < stopSecondsMax * 1000; waitedMs += 10) {
    if (!isAlive(file.pid)) return;
    await systemClock.sleep(10);
  }
  throw new Error(`The database in ${dataDir} (process ${file.pid}) did not stop within ${stopSecondsMax} s.`);
}

// It may have exited in the meantime.
function interrupt(pid: number): void {
  try {
    process.kill(pid, "SIGINT");
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}
