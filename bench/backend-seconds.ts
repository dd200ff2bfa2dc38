// CPU time that each process of one database (`bench_<name>`) has used so far, in seconds.
import { readdirSync, readFileSync } from "node:fs";

export function backendSeconds(name: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(` bench_${name} `)) continue;
      found.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ", 1)[0]) / 1e9);
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

// Of all of them.
export const allBackendSeconds = (name: string) =>
  backendSeconds(name)
    .values()
    .reduce((sum, used) => sum + used, 0);
