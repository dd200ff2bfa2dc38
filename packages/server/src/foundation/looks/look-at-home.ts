// Whether the data folder and its disk can be written.
import { existsSync } from "node:fs";
import { access, constants, open, rmdir, statfs, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sizeText } from "../home/size-text.ts";
import { newId } from "../ids.ts";
import { makeFolder } from "../make-folder.ts";
import { type Finding, problem, warning, well } from "./finding.ts";

export async function lookAtHome(config: { readonly home: string }): Promise<Finding[]> {
  const home = resolve(config.home);
  const isNew = !existsSync(home);
  try {
    await makeFolder(home);
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (isOf(error, "ENOSPC")) return [fullDisk(home, 0)];
    return [problem("home", `${home} is not writable`, "choose another with --home, or change its owner")];
  }
  const disk = await lookAtDisk(home);
  // We created it only to try; its user will create it again.
  if (isNew) await rmdir(home).catch(() => {});
  return [well("home", `${home} is writable`), disk];
}

// Free blocks are a promise; only bytes that were written and flushed prove it.
async function lookAtDisk(home: string): Promise<Finding> {
  const space = await statfs(home);
  const free = space.bavail * space.bsize;
  try {
    await writeSomething(join(home, `.doctor-${newId()}`));
  } catch (error) {
    if (isOf(error, "ENOSPC", "EDQUOT")) return fullDisk(home, free);
    return problem("disk", `cannot write to ${home} (${codeOf(error)})`, "check the disk, its mount and its quota");
  }
  return spaceFinding(home, space);
}

export function spaceFinding(
  home: string,
  { bavail, bsize, blocks }: { readonly bavail: number; readonly bsize: number; readonly blocks: number },
): Finding {
  const free = bavail * bsize;
  const message = `${sizeText(free)} free at ${home}`;
  if (free >= 1024 ** 3 && bavail >= blocks * 0.05) return well("disk", message);
  return warning("disk", message, "free some space; uploads are refused below 5 % or 1 GiB");
}

const fullDisk = (home: string, free: number): Finding =>
  problem(
    "disk",
    `The disk of ${home} is full (${sizeText(free)} free)`,
    "free some space: delete old backups in <home>/backups, then use atelier assets rm; or move the folder and set --home",
  );

async function writeSomething(path: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(Buffer.alloc(1024 ** 2, 1));
    await file.sync();
  } finally {
    await file.close();
    await unlink(path);
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
const isOf = (error: unknown, ...codes: string[]): boolean => codes.includes(codeOf(error));
