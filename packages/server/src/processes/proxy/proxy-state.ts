// The proxy that runs on a home, as it wrote it down when it was ready: process, address and when. A process that was
// killed leaves its note behind, and its number may be another process's by now; so the note also says when that process
// began, and only both together are the proxy.
import { execFile } from "node:child_process";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export interface ProxyState {
  readonly pid: number;
  readonly url: string;
  // As the system tells when the process began.
  readonly began: string;
  readonly startedAt: string;
}

const fileOf = (home: string) => join(home, "proxy.json");

export async function writeProxyState(home: string, running: Pick<ProxyState, "url" | "startedAt">): Promise<void> {
  const state: ProxyState = { pid: process.pid, began: (await beginOf(process.pid)) ?? "", ...running };
  const { startedAt, ...rest } = state;
  const fresh = `${fileOf(home)}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify({ ...rest, started_at: startedAt })}\n`, { mode: 0o600 });
  await rename(fresh, fileOf(home));
}

// Only one's own.
export async function removeProxyState(home: string): Promise<void> {
  if ((await readNote(home))?.pid === process.pid) await rm(fileOf(home), { force: true });
}

// Null: none runs here.
export async function findRunningProxy(home: string): Promise<ProxyState | null> {
  const note = await readNote(home);
  if (note === null) return null;
  return (await isStillRunning(note)) ? note : null;
}

// A process that has ended still has its number until its parent asks for it, which in a container may be never.
export async function isStillRunning({ pid, began }: ProxyState): Promise<boolean> {
  return (await beginOf(pid)) === began;
}

async function readNote(home: string): Promise<ProxyState | null> {
  const text = await readFile(fileOf(home), "utf8").catch(() => null);
  if (text === null) return null;
  try {
    const note: unknown = JSON.parse(text);
    if (typeof note !== "object" || note === null) return null;
    const { pid, url, began, started_at: startedAt }: Readonly<Record<string, unknown>> = { ...note };
    const isWhole = Number.isInteger(pid) && Number(pid) > 1 && typeof url === "string" && typeof began === "string";
    return isWhole ? { pid: Number(pid), url, began, startedAt: String(startedAt) } : null;
  } catch {
    return null;
  }
}

// Null: there is no such process.
async function beginOf(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (line !== null) return beginIn(line, await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""));
  const told = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], {
    env: { PATH: "/usr/bin:/bin" },
  }).catch(() => null);
  return told === null || told.stdout.trim() === "" ? null : told.stdout.trim();
}

// Fields 3 and 22 of a line whose second field may hold blanks and parentheses: its state and the ticks since the system
// began.
function beginIn(line: string, system: string): string | null {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? null : `${fields[19] ?? ""} ${system.trim()}`;
}
