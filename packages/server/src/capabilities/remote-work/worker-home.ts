// What a worker keeps between starts: its id, so that it can continue its jobs. No other user may read it, and two workers
// never share a home, because both would continue the same jobs.
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../foundation/clock.ts";
import { newId, parseId } from "../../foundation/ids.ts";
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { isPidInUse } from "../../foundation/process-identity.ts";
import { attempt } from "../../foundation/retry.ts";
import type { WorkerId } from "../jobs/index.ts";

export interface WorkerHome {
  readonly workerId: WorkerId;
  // For outputs waiting to be sent. Emptied at every start.
  readonly spoolDirectory: string;
  release(): void;
}

// Throws an error with a readable message if another process uses this home.
export function openWorkerHome(directory: string): WorkerHome {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const release = takeLock(join(directory, "worker.lock"), directory);
  const spoolDirectory = join(directory, "spool");
  rmSync(spoolDirectory, { recursive: true, force: true });
  mkdirSync(spoolDirectory, { mode: 0o700 });
  return { workerId: readOrMakeId(join(directory, "worker.json")), spoolDirectory, release };
}

function readOrMakeId(path: string): WorkerId {
  const known = readId(path);
  if (known !== null) return known;
  const workerId = newId<"worker">();
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ worker_id: workerId })}\n`, { mode: 0o600 });
  renameSync(draft, path);
  return workerId;
}

function readId(path: string): WorkerId | null {
  const stored = jsonOrUndefined(attempt(() => readFileSync(path, "utf8"), ""));
  const id = isRecord(stored) ? stored["worker_id"] : null;
  return typeof id === "string" ? parseId<"worker">(id) : null;
}

function takeLock(path: string, directory: string): () => void {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const file = openSync(path, "wx", 0o600);
      writeFileSync(file, String(process.pid));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const found = readLock(path);
    // Released since we tried.
    if (found === null) continue;
    const holder = Number(found.text.trim() || "0");
    if (holder > 0 ? holder !== process.pid && isPidInUse(holder) : found.isFresh) {
      const who = holder > 0 ? `process ${holder}` : "starting just now";
      throw new Error(`Another worker (${who}) uses ${directory}. Give this one its own --home.`);
    }
    removeUnchanged(path, found.text);
  }
  throw new Error(`Could not lock ${directory}.`);
}

// A process that creates a lock immediately writes its process id into it. A lock that stays empty belongs to a process that
// was killed.
const emptyMsMax = 5_000;

function readLock(path: string): { readonly text: string; readonly isFresh: boolean } | null {
  try {
    const text = readFileSync(path, "utf8");
    return { text, isFresh: systemClock.now().getTime() - statSync(path).mtimeMs < emptyMsMax };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

// Removes a lock left by a killed process. If another process has taken it over since we looked, we put theirs back.
function removeUnchanged(path: string, text: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readFileSync(aside, "utf8") === text) rmSync(aside, { force: true });
  else renameSync(aside, path);
}
