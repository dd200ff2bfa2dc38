// How much of the machine others used while we measured: all busy time of /proc/stat, less what our own processes and everything
// they started took. A ratio measured next to a compiler is worth little, and the report should show it.
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

export interface CpuWatch {
  // The share of the whole machine, 0 to 1, since the watch began; null without /proc.
  foreignShare(): number | null;
}

export function watchCpu(): CpuWatch {
  const began = look();
  return {
    foreignShare() {
      const now = look();
      if (!began || !now) return null;
      const all = now.total - began.total;
      const foreign = now.busy - began.busy - (now.own - began.own);
      return all <= 0 ? null : Math.min(1, Math.max(0, foreign / all));
    },
  };
}

interface Look {
  readonly total: number;
  readonly busy: number;
  readonly own: number;
}

function look(): Look | null {
  try {
    const times = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "").trim().split(/\s+/).slice(1, 9).map(Number);
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, hard = 0, soft = 0, steal = 0] = times;
    // Interrupts belong to no process: the network handling of our own transfers would look like another process's work.
    const busy = user + nice + system + steal;
    return { total: busy + hard + soft + idle + wait, busy, own: ownTicks() };
  } catch {
    return null;
  }
}

// For this process and all its descendants.
const ownTicks = () => treeTicks(process.pid);

// For a process and all its descendants, in seconds: for a server with several processes.
export const treeCpuSecondsOf = (pid: number): number => treeTicks(pid) / 100;

// The parent that waited for an ended child has its time.
function treeTicks(top: number): number {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (fields) processes.set(Number(name), fields);
  }
  const isOwn = (pid: number): boolean => {
    const found = processes.get(pid);
    return pid === top || (found !== undefined && found.parent > 1 && isOwn(found.parent));
  };
  return [...processes].reduce((sum, [pid, { ticks }]) => (isOwn(pid) ? sum + ticks : sum), 0);
}

function statOf(pid: string): { parent: number; ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [user, system, waitedUser, waitedSystem] = fields.slice(11, 15).map(Number);
    return { parent: Number(fields[1]), ticks: (user ?? 0) + (system ?? 0) + (waitedUser ?? 0) + (waitedSystem ?? 0) };
  } catch {
    return null;
  }
}

// CPU time a process has used so far, in seconds; the kernel counts in hundredths.
export function cpuSecondsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user = 0, system = 0] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) / 100;
}

export const cores = availableParallelism();
