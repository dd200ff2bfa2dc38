// postmaster.pid in the data folder says which process serves it and where it listens. After a crash, a restart of the
// machine or a copy of the folder it may name a process that has nothing to do with us, so the name is checked before it
// is believed.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, readdir, readFile, readlink, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";

export interface PostmasterFile {
  readonly text: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly port: number;
  // Empty where it listens on TCP only.
  readonly socketDir: string;
}

export function readPostmasterFile(dataDir: string): Promise<PostmasterFile | undefined> {
  return readLockFile(postmasterPath(dataDir));
}

function postmasterPath(dataDir: string): string {
  return join(dataDir, "postmaster.pid");
}

// The lock beside the socket is written the same way.
async function readLockFile(path: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  const lines = text.split("\n").map((line) => line.trim());
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  // While it is being written the first lines may stand alone.
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return undefined;
  return { text, pid, dataDir: lines[1] ?? "", port, socketDir: lines[4] ?? "" };
}

// A server stands in its data folder for its whole life. Where that cannot be seen, the path it wrote must do.
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

// A process that has ended still has its number until its parent asks for it, which in a container may be never.
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  if (process.platform !== "linux") return true;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !status.slice(status.lastIndexOf(")")).startsWith(") Z");
  } catch {
    return false;
  }
}

// PostgreSQL overlooks a lock whose process is gone; one whose number was given to a stranger, or whose process no one
// has buried, it would obey for ever.
export async function removeStaleLocks(dataDir: string, socketDir: string | undefined): Promise<void> {
  const entries = socketDir === undefined ? [] : await readdir(socketDir).catch(() => []);
  const socketLocks = entries.filter((entry) => entry.endsWith(".lock")).map((entry) => join(socketDir ?? "", entry));
  for (const path of [postmasterPath(dataDir), ...socketLocks]) {
    const file = await readLockFile(path);
    if (file && !(await isServing(file, dataDir))) await removeUnchanged(path, file.text);
  }
}

// Should another process of ours have started a server since we looked, its lock is put back.
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
