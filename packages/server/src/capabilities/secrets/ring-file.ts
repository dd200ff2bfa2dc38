// The key ring's file: read only if no other user could have read or written it, and replaced in one step, so that a
// crash leaves the old ring or the new one. The checks are made on the opened file, not on its name, and apply to root
// too, whom the system would let read anything. A file that root provides for us to read, as orchestrators mount secrets,
// is also fine: its group may read it, and that group is ours.
import { randomBytes } from "node:crypto";
import { type FileHandle, link, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../../foundation/fault.ts";
import type { Ring } from "./ring.ts";
import { formatRing, parseRing, RingUnreadable } from "./ring-text.ts";

const fileBytesMax = 1024 * 1024;
const lockStaleMs = 30_000;

export interface FileFacts {
  readonly isFile: boolean;
  readonly mode: number;
  readonly uid: number;
  readonly size: number;
}

// Why a file cannot serve as key ring. Null if it can. `uid` is null if the system has no owners (Windows).
export function refusalOf(facts: FileFacts, uid: number | null): string | null {
  if (!facts.isFile) return "is not a file";
  if (facts.size > fileBytesMax) return `is larger than ${fileBytesMax} bytes`;
  if (uid === null) return null;
  const isLaidOut = facts.uid === 0 && uid !== 0;
  if (isLaidOut && (facts.mode & 0o037) === 0) return null;
  if (isLaidOut) return `is accessible to others (mode ${modeOf(facts)}); mount it with mode 0440 (defaultMode)`;
  if (facts.uid !== uid)
    return `belongs to user ${facts.uid}, but this process runs as user ${uid}; change its owner with chown`;
  if ((facts.mode & 0o077) !== 0)
    return `is accessible to other users (mode ${modeOf(facts)}); restrict it with chmod 600`;
  return null;
}

function modeOf({ mode }: FileFacts): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}

// Null if there is no file yet.
export async function readRingFile(path: string): Promise<Ring | null> {
  const file = await openIfThere(path);
  if (file === null) return null;
  try {
    const facts = await file.stat();
    const refusal = refusalOf({ ...facts, isFile: facts.isFile() }, process.getuid?.() ?? null);
    if (refusal !== null) refuse(path, refusal);
    return parseRing(await file.readFile("utf8"));
  } catch (thrown) {
    if (!(thrown instanceof RingUnreadable)) throw thrown;
    return refuse(path, `cannot be used: ${thrown.message}`);
  } finally {
    await file.close();
  }
}

// False if another process created the file first; then that one counts.
export async function createRingFile(path: string, ring: Ring): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = await writeDraft(path, ring);
  try {
    // A hard link fails if the name exists; a rename would silently replace the other ring.
    await link(draft, path);
    await syncFolder(dirname(path));
    return true;
  } catch (thrown) {
    if (readErrorCode(thrown) === "EEXIST") return false;
    throw thrown;
  } finally {
    await rm(draft, { force: true });
  }
}

// Reads, changes and replaces the ring under a lock against other processes.
export async function changeRingFile(path: string, change: (ring: Ring) => Ring, now: Date): Promise<Ring> {
  // A link to the file stays a link: the file behind it is replaced.
  const target = await realpath(path);
  const release = await lock(`${target}.lock`, now);
  try {
    const before = await readRingFile(target);
    if (before === null) return refuse(path, "does not exist");
    const after = change(before);
    if (after === before) return before;
    const draft = await writeDraft(target, after);
    await rename(draft, target);
    await syncFolder(dirname(target));
    return after;
  } finally {
    await release();
  }
}

// Changes whenever the file does. Null if there is none.
export async function readFileStamp(path: string): Promise<string | null> {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true });
    return `${ino}:${mtimeNs}:${size}`;
  } catch (thrown) {
    if (readErrorCode(thrown) === "ENOENT") return null;
    throw thrown;
  }
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (thrown) {
    if (readErrorCode(thrown) === "ENOENT") return null;
    return refuse(path, `cannot be opened (${readErrorCode(thrown)})`, thrown);
  }
}

async function writeDraft(path: string, ring: Ring): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString("hex")}.new`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(formatRing(ring));
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its rename is durable without.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

// A change takes milliseconds, so a lock that is half a minute old belongs to a process that died.
async function lock(path: string, now: Date): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = await open(path, "wx", 0o600);
      await file.close();
      return () => rm(path, { force: true });
    } catch (thrown) {
      if (readErrorCode(thrown) !== "EEXIST") throw thrown;
      const held = await stat(path).catch(() => null);
      // Released since we tried, so its current owner is alive.
      if (held === null) continue;
      if (now.getTime() - held.mtimeMs < lockStaleMs) break;
      await rm(path, { force: true });
    }
  }
  throw new Fault("conflict", `Another process is changing the key ring (${path} exists). Try again in a moment.`);
}

// For callers of a running server it is an outage; for the user of a command, something to fix (exit code 2).
function refuse(path: string, why: string, cause?: unknown): never {
  const fault = new Fault("service_unavailable", `The key ring ${path} ${why}.`, { cause });
  fault.name = "RingUnreadable";
  throw fault;
}

function readErrorCode(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
}
