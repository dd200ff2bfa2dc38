// Identifies this process in a way that a later process on the same machine can check: boot, pid namespace, pid and start time.
// A process counts as gone only if all of that is known and matches; a paused process is not gone.
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { attempt } from "./retry.ts";

export interface ProcessFiles {
  // Null if it cannot be read.
  read(path: string): string | null;
  link(path: string): string | null;
  // Whether a process with this pid exists, readable or not.
  exists(pid: number): boolean;
}

const systemFiles: ProcessFiles = {
  read: (path) => attempt(() => readFileSync(path, "utf8"), null),
  link: (path) => attempt(() => readlinkSync(path), null),
  exists(pid) {
    try {
      return process.kill(pid, 0);
    } catch (thrown) {
      return !(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH");
    }
  },
};

// Null if the system does not provide it.
export function processIdentity(pid: number = process.pid, files: ProcessFiles = systemFiles): string | null {
  const machine = machineOf(files);
  const start = startOf(files.read(`/proc/${pid}/stat`));
  return machine === null || start === null ? null : `${machine} ${pid} ${start}`;
}

// True only for a process of this machine and namespace, since the last boot, that has ended.
export function isProcessGone(identity: string, files: ProcessFiles = systemFiles): boolean {
  const machine = machineOf(files);
  if (machine === null || !identity.startsWith(`${machine} `)) return false;
  const pid = Number(identity.slice(machine.length).trim().split(" ")[0]);
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  // Other users' entries may be hidden from us: a process whose entry we cannot read is gone only if its pid is free.
  if (files.read(`/proc/${pid}/stat`) === null) return !files.exists(pid);
  return processIdentity(pid, files) !== identity;
}

// Whether there is a process with this pid, perhaps one of another user.
export function isPidInUse(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}

// Names the files that this process sees: those of one boot and one mount namespace. Two processes with the same mark find the
// same files under the same paths, unless one of them has another root folder. Null if the system does not provide it.
export function machineMark(files: ProcessFiles = systemFiles): string | null {
  const boot = bootOf(files);
  const namespace = files.link("/proc/self/ns/mnt");
  // A hash, because it leaves the machine.
  return boot && namespace ? createHash("sha256").update(`${boot} ${namespace}`).digest("hex") : null;
}

const bootOf = (files: ProcessFiles) => files.read("/proc/sys/kernel/random/boot_id")?.trim();

function machineOf(files: ProcessFiles): string | null {
  const boot = bootOf(files);
  const namespace = files.link("/proc/self/ns/pid");
  return boot && namespace ? `${boot} ${namespace}` : null;
}

// The 22nd field. The name before it can contain anything and ends with the last bracket. A process that has ended but was not
// reaped yet is still listed, as Z or X.
function startOf(stat: string | null): string | null {
  if (stat === null) return null;
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return state === "Z" || state === "X" ? null : (fields[18] ?? null);
}
