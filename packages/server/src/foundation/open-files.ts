// How many files and connections this process can have open (`ulimit -n`, after Node has raised it as far as allowed). Null if
// it cannot be determined.
import { readFileSync } from "node:fs";
import { attempt } from "./retry.ts";

export function openFilesMax(): number | null {
  const limits = attempt(() => readFileSync("/proc/self/limits", "utf8"), null);
  return limits === null ? fromReport() : readOpenFilesMax(limits);
}

export function readOpenFilesMax(limits: string): number | null {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? null : Number(soft);
}

// For systems without /proc: Node's report has it.
function fromReport(): number | null {
  const report: unknown = process.report.getReport();
  const soft = ["userLimits", "open_files", "soft"].reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
    report,
  );
  return typeof soft === "number" && soft > 0 ? soft : null;
}
