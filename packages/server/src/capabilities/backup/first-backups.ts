// The backup that is made before migrations change an existing database, so that an upgrade has a way back. It leaves out the
// files, because migrations do not touch them. It needs room on the disk, and is refused before it begins if there is none.
import { existsSync } from "node:fs";
import { readdir, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type ConnectionSettings,
  type MigrationState,
  type Queryable,
  withConnection,
} from "../../foundation/database/index.ts";
import { sizeText } from "../../foundation/home/size-text.ts";
import { newId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { backUp } from "./back-up.ts";
import { BackupRefused } from "./backup-refused.ts";
import { databaseBytes } from "./backup-store.ts";
import { readManifest } from "./manifest.ts";

export interface FirstBackupDeps {
  readonly connection: string | ConnectionSettings;
  // <home>/backups.
  readonly folder: string;
  readonly log: Log;
}

export interface FirstBackup {
  readonly name: string;
  readonly directory: string;
  readonly createdAt: Date;
  // The version of the database in it.
  readonly version: number;
}

export interface Room {
  readonly neededBytes: number;
  readonly freeBytes: number;
}

const namePattern = /^before-\d{4}-[0-9a-f]{8}$/;
const keptMax = 3;
// A compressed copy of the rows takes less than half of the database, which has indexes too.
const spareBytes = 16 * 1024 ** 2;
const abandonedMs = 600_000;

export async function roomFor(db: Queryable, folder: string): Promise<Room> {
  const { bavail, bsize } = await statfs(nearest(folder));
  return { neededBytes: Math.ceil((await databaseBytes(db)) / 2) + spareBytes, freeBytes: bavail * bsize };
}

// A look creates nothing.
function nearest(folder: string): string {
  const parent = dirname(folder);
  return existsSync(folder) || parent === folder ? folder : nearest(parent);
}

export async function backUpFirst(
  { connection, folder, log }: FirstBackupDeps,
  { version, pending }: Pick<MigrationState, "version" | "pending">,
  now: Date,
): Promise<string> {
  const room = await withConnection({ connection, applicationName: "atelier-backup" }, (db) => roomFor(db, folder));
  if (room.freeBytes < room.neededBytes) throw new BackupRefused(noRoom(room, folder));
  await removeAbandoned(folder, now);
  const name = `before-${String(version + 1).padStart(4, "0")}-${newId().slice(0, 8)}`;
  const directory = join(folder, name);
  await backUp({ connection, directory, log });
  log.info({ directory, pending: pending.length }, "backed up the database before migrating it");
  await removeOldest(folder);
  return directory;
}

const noRoom = ({ neededBytes, freeBytes }: Room, folder: string) =>
  `There is no room for the backup before the migration: it may need ${sizeText(neededBytes)}, and ${sizeText(freeBytes)} are free at ${folder}. Nothing was changed. Free some space, or make a backup elsewhere (atelier backup <folder>) and start with ATELIER_BACKUP_BEFORE_MIGRATION=off.`;

// What a killed start left.
async function removeAbandoned(folder: string, now: Date): Promise<void> {
  for (const entry of await readdir(folder).catch(() => [])) {
    if (!namePattern.test(entry.split(".partial-")[0] ?? "") || !entry.includes(".partial-")) continue;
    const changed = (await stat(join(folder, entry)).catch(() => undefined))?.mtimeMs ?? now.getTime();
    if (now.getTime() - changed > abandonedMs) await rm(join(folder, entry), { recursive: true, force: true });
  }
}

async function removeOldest(folder: string): Promise<void> {
  for (const { directory } of (await listFirstBackups(folder)).slice(keptMax))
    await rm(directory, { recursive: true, force: true });
}

// Newest first.
export async function listFirstBackups(folder: string): Promise<readonly FirstBackup[]> {
  const found: FirstBackup[] = [];
  for (const name of (await readdir(folder).catch(() => [])).filter((entry) => namePattern.test(entry))) {
    const backup = await readFirstBackup(join(folder, name)).catch(() => null);
    if (backup !== null) found.push(backup);
  }
  return found.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

// Any backup of a database will do, also one that was made by hand.
export async function readFirstBackup(directory: string): Promise<FirstBackup> {
  const manifest = await readManifest(directory, undefined);
  const name = directory.split(/[\\/]/).at(-1) ?? "";
  return { name, directory, createdAt: new Date(manifest.created_at), version: manifest.schema_version };
}
