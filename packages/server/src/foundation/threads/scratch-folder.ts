// A private folder of this process for temporary files of running graphs. A killed process leaves its folder behind; the next
// start on the same home removes it.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

export interface ScratchFolder {
  readonly path: string;
  remove(): void;
}

export function openScratchFolder(parent: string): ScratchFolder {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) {
    const pid = Number(/^(\d+)-\w+$/.exec(name)?.[1] ?? process.pid);
    if (!isAlive(pid)) discard(join(parent, name));
  }
  const path = mkdtempSync(join(parent, `${process.pid}-`));
  return { path, remove: () => discard(path) };
}

const discard = (path: string) => rmSync(path, { recursive: true, force: true });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means the process exists but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
