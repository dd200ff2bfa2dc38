// A private folder of this process for temporary files of running graphs. A killed process leaves its folder behind; the next
// start on the same home removes it.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isPidInUse } from "../process-identity.ts";

export interface ScratchFolder {
  readonly path: string;
  remove(): void;
}

export function openScratchFolder(parent: string): ScratchFolder {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) {
    const pid = Number(/^(\d+)-\w+$/.exec(name)?.[1] ?? process.pid);
    if (!isPidInUse(pid)) discard(join(parent, name));
  }
  const path = mkdtempSync(join(parent, `${process.pid}-`));
  return { path, remove: () => discard(path) };
}

const discard = (path: string) => rmSync(path, { recursive: true, force: true });
