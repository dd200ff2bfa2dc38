// The running proxy of a home, as recorded when it was ready: process, URL and time. A killed process leaves its note behind,
// and its pid may belong to another process by now. So the note also records when that process started, and only both together
// identify the proxy.
import { execFile } from "node:child_process";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { jsonOrUndefined } from "../json/foreign-json.ts";
import { isRecord } from "../json/json-record.ts";

export interface ProxyState {
  readonly pid: number;
  readonly url: string;
  // The process's start time as the system reports it.
  readonly began: string;
  readonly startedAt: string;
}

const fileOf = (home: string) => join(home, "proxy.json");

export async function writeProxyState(home: string, running: Pick<ProxyState, "url" | "startedAt">): Promise<void> {
  const state: ProxyState = { pid: process.pid, began: (await startTime(process.pid)) ?? "", ...running };
  const { startedAt, ...rest } = state;
  const fresh = `${fileOf(home)}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify({ ...rest, started_at: startedAt })}\n`, { mode: 0o600 });
  await rename(fresh, fileOf(home));
}

// Removes only our own note.
export async function removeProxyState(home: string): Promise<void> {
  if ((await readNote(home))?.pid === process.pid) await rm(fileOf(home), { force: true });
}

// Null if none is running here.
export async function findRunningProxy(home: string): Promise<ProxyState | null> {
  const note = await readNote(home);
  if (note === null) return null;
  return (await isStillRunning(note)) ? note : null;
}

// A process that has ended keeps its pid until its parent reaps it, which in a container may never happen.
export async function isStillRunning({ pid, began }: ProxyState): Promise<boolean> {
  return (await startTime(pid)) === began;
}

async function readNote(home: string): Promise<ProxyState | null> {
  const text = await readFile(fileOf(home), "utf8").catch(() => null);
  const note = text === null ? null : jsonOrUndefined(text);
  if (!isRecord(note)) return null;
  const { pid, url, began, started_at: startedAt } = note;
  const isWhole = Number.isInteger(pid) && Number(pid) > 1 && typeof url === "string" && typeof began === "string";
  return isWhole ? { pid: Number(pid), url, began, startedAt: String(startedAt) } : null;
}

// Null if there is no such process.
async function startTime(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (line !== null) return beginIn(line, await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""));
  const listed = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], {
    env: { PATH: "/usr/bin:/bin" },
  }).catch(() => null);
  return listed === null || listed.stdout.trim() === "" ? null : listed.stdout.trim();
}

// Fields 3 and 22 of a line whose second field can contain spaces and parentheses: the process's state, and its start in ticks
// since boot.
function beginIn(line: string, system: string): string | null {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? null : `${fields[19] ?? ""} ${system.trim()}`;
}
