// How many files and connections this process may have open at once (`ulimit -n`, as it stands after Node has raised it
// as far as it may). Null where it cannot be found out.
import { readFileSync } from "node:fs";

export function openFilesMax(): number | null {
  try {
    return readOpenFilesMax(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return fromReport();
  }
}

export function readOpenFilesMax(limits: string): number | null {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? null : Number(soft);
}

// Systems without /proc: Node's own report knows.
function fromReport(): number | null {
  const report: unknown = process.report.getReport();
  const soft = ["userLimits", "open_files", "soft"].reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
    report,
  );
  return typeof soft === "number" && soft > 0 ? soft : null;
}
