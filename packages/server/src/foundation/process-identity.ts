// Which process this is, in words that a later process on the same machine can check: boot, process namespace, number and
// start. Only where all of it is known and equal is a process that is not there gone for certain; a paused one is there.
import { readFileSync, readlinkSync } from "node:fs";

export interface ProcessFiles {
  // Null: cannot be read.
  read(path: string): string | null;
  link(path: string): string | null;
  // Whether there is a process of this number, readable or not.
  exists(pid: number): boolean;
}

const systemFiles: ProcessFiles = {
  read: (path) => attempt(() => readFileSync(path, "utf8")),
  link: (path) => attempt(() => readlinkSync(path)),
  exists(pid) {
    try {
      return process.kill(pid, 0);
    } catch (thrown) {
      return !(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH");
    }
  },
};

// Null where the system does not tell.
export function processIdentity(pid: number = process.pid, files: ProcessFiles = systemFiles): string | null {
  const machine = machineOf(files);
  const start = startOf(files.read(`/proc/${pid}/stat`));
  return machine === null || start === null ? null : `${machine} ${pid} ${start}`;
}

// True only for a process of this machine and namespace, since its last boot, that has ended.
export function isProcessGone(identity: string, files: ProcessFiles = systemFiles): boolean {
  const machine = machineOf(files);
  if (machine === null || !identity.startsWith(`${machine} `)) return false;
  const pid = Number(identity.slice(machine.length).trim().split(" ")[0]);
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  // Entries of others may be hidden from us: what cannot be read is gone only when its number is free.
  if (files.read(`/proc/${pid}/stat`) === null) return !files.exists(pid);
  return processIdentity(pid, files) !== identity;
}

function machineOf(files: ProcessFiles): string | null {
  const boot = files.read("/proc/sys/kernel/random/boot_id")?.trim();
  const namespace = files.link("/proc/self/ns/pid");
  return boot && namespace ? `${boot} ${namespace}` : null;
}

// The 22nd field; the name before it may hold anything, and ends with the last bracket. One that has ended and was not
// collected yet is still listed, as Z or X.
function startOf(stat: string | null): string | null {
  if (stat === null) return null;
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return state === "Z" || state === "X" ? null : (fields[18] ?? null);
}

function attempt<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
