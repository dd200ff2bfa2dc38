// The way back from an upgrade: which backup it leads to, how long it is open, and what is lost on it.
import { join, resolve } from "node:path";
import { UsageProblem } from "../../../foundation/settings.ts";
import { type FirstBackup, listFirstBackups, readFirstBackup } from "../first-backups.ts";
import type { LostRows } from "../go-back.ts";

// Files that were deleted since are collected, so a backup from long ago would name files that are gone.
const windowDays = 7;

// The named backup, else the newest.
export async function findWayBack(folder: string, named: string | undefined, now: Date): Promise<FirstBackup> {
  const backup = await findBackup(folder, named);
  requireRecent(backup, now);
  return backup;
}

async function findBackup(folder: string, named: string | undefined): Promise<FirstBackup> {
  if (named !== undefined) return readFirstBackup(/[\\/]/.test(named) ? resolve(named) : join(folder, named));
  const [newest] = await listFirstBackups(folder);
  if (newest !== undefined) return newest;
  throw new UsageProblem([
    `There is no backup made before an upgrade in ${folder}. Name another one: atelier upgrade --back <folder>.`,
  ]);
}

function requireRecent({ createdAt, directory }: FirstBackup, now: Date): void {
  const days = Math.floor((now.getTime() - createdAt.getTime()) / 86_400_000);
  if (days < windowDays) return;
  throw new UsageProblem([
    `This backup is ${days} days old; going back is possible for ${windowDays} days. Restore it into a new data folder with the older program instead: atelier restore ${directory} --home <new home>.`,
  ]);
}

export function lossText({ name, version, createdAt }: FirstBackup, lost: readonly LostRows[]): string {
  const rows = lost.slice(0, 12).map(({ table, rows: count }) => `  ${table}: ${count} more than then`);
  return [
    `${name} has the database as of ${createdAt.toISOString()}, at version ${version}.`,
    "Going back loses everything that happened since: calls and charges, jobs, uploads, keys, changes of settings.",
    ...(rows.length === 0
      ? ["No table has more rows now than then; changed rows are lost all the same."]
      : ["Rows by table:", ...rows]),
    "Files that were deleted since may be gone for good. What is replaced is backed up first.",
  ].join("\n");
}
