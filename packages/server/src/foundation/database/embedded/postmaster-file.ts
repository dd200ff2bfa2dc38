// postmaster.pid in the data folder says which process serves it and where it listens. After a crash, a reboot or a copy of the
// folder it may name an unrelated process, so we verify the process before we trust the file.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, readdir, readFile, readlink, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isPidInUse } from "../../process-identity.ts";
import { attempt } from "../../retry.ts";

export interface PostmasterFile {
  readonly text: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly port: number;
  // Empty if it listens on TCP only.
  readonly socketDir: string;
}

export function readPostmasterFile(dataDir: string): Promise<PostmasterFile | undefined> {
  return readLockFile(postmasterPath(dataDir));
}

function postmasterPath(dataDir: string): string {
  return join(dataDir, "postmaster.pid");
}

// The lock file beside the socket has the same format.
async function readLockFile(path: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  const lines = text.split("\n").map((line) => line.trim());
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  // While the file is being written it may hold only its first lines.
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return undefined;
  return { text, pid, dataDir: lines[1] ?? "", port, socketDir: lines[4] ?? "" };
}

// A server keeps its data folder as its working directory. If we cannot see that, we trust the path in the file.
export async function isServing(file: PostmasterFile, dataDir: string): Promise<boolean> {
  if (!isAlive(file.pid)) return false;
  const real = await realpath(dataDir);
  if (process.platform === "linux") {
    try {
      return (await readlink(`/proc/${file.pid}/cwd`)) === real;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EACCES")) return false;
    }
  }
  return (await realpath(file.dataDir).catch(() => file.dataDir)) === real;
}

// A process that has ended keeps its pid until its parent reaps it, which in a container may never happen.
export function isAlive(pid: number): boolean {
  if (!isPidInUse(pid)) return false;
  if (process.platform !== "linux") return true;
  const status = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"), null);
  return status !== null && !status.slice(status.lastIndexOf(")")).startsWith(") Z");
}

// PostgreSQL ignores a lock whose process is gone. But if the pid was reused by another program, or the process is a zombie,
// PostgreSQL would respect the lock forever.
export async function removeStaleLocks(dataDir: string, socketDir: string | undefined): Promise<void> {
  const entries = socketDir === undefined ? [] : await readdir(socketDir).catch(() => []);
  const socketLocks = entries.filter((entry) => entry.endsWith(".lock")).map((entry) => join(socketDir ?? "", entry));
  for (const path of [postmasterPath(dataDir), ...socketLocks]) {
    const file = await readLockFile(path);
    if (file && !(await isServing(file, dataDir))) await removeUnchanged(path, file.text);
  }
}

// If another of our processes has started a server since we looked, its lock is put back.
async function removeUnchanged(path: string, text: string): Promise<void> {
  const aside = `${path}.stale-${randomBytes(6).toString("hex")}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, "utf8")) !== text) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}
