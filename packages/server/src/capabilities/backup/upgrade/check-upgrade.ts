// `atelier upgrade --check`: what the next start would change, and whether there is a way back. Changes nothing.

import { join, resolve } from "node:path";
import { pendingMigrations, readMigrations, tableSizes } from "../../../foundation/database/index.ts";
import { migrationsDirectory } from "../../../foundation/database/opening/migrations-directory.ts";
import type { Storage } from "../../../foundation/database/opening/open-storage.ts";
import { sizeText } from "../../../foundation/home/size-text.ts";
import type { CommandReport } from "../../../foundation/looks/command-report.ts";
import { listFirstBackups, type Room, roomFor } from "../first-backups.ts";
import { inShort, type MigrationEffect, migrationEffect } from "./migration-effects.ts";
import type { PrepareConfig } from "./prepare-schema.ts";

type CheckConfig = Pick<PrepareConfig, "home" | "backupBeforeMigration">;

export async function checkUpgrade(storage: Storage, config: CheckConfig, program: string): Promise<CommandReport> {
  const { version, latest, pending } = await pendingMigrations(storage.database, migrationsDirectory);
  const sizes = await tableSizes(storage.database);
  const files = await readMigrations(migrationsDirectory);
  const effects = files.slice(latest - pending.length).map((file) => migrationEffect(file, sizes));
  const folder = join(resolve(config.home), "backups");
  const room = await roomFor(storage.database, folder);
  const willBackUp = storage.isEmbedded && config.backupBeforeMigration && version > 0 && pending.length > 0;
  const isShort = willBackUp && room.freeBytes < room.neededBytes;
  const seconds = effects.reduce((sum, each) => sum + each.seconds, 0);
  const [back] = await listFirstBackups(folder);
  const data = {
    program,
    version,
    latest,
    pending: effects.map((each) => ({
      migration: fileOf(each),
      brings: each.brings,
      seconds: Math.round(each.seconds * 100) / 100,
      needs_stop: each.needsStop,
    })),
    seconds: Math.ceil(seconds),
    backup: { will_be_made: willBackUp, needs_bytes: room.neededBytes, free_bytes: room.freeBytes },
    way_back:
      back === undefined ? null : { name: back.name, version: back.version, made_at: back.createdAt.toISOString() },
  };
  if (pending.length === 0)
    return {
      data,
      text: `Nothing to do: the database is at version ${version}, like this program (${program}).`,
    };
  const text = [
    `The database is at version ${version}, this program (${program}) at ${latest}. ${pending.length} migrations are pending:`,
    ...effects.map((each) => `  ${fileOf(each)}  ${inShort(each.brings)}`),
    `Time: about ${timeText(seconds)}, by the sizes of the tables.`,
    stopText(storage, effects),
    backupText(storage, config, { willBackUp, room, folder }),
  ].join("\n");
  return isShort
    ? { data, text, exitCode: 12, problem: "There is no room for the backup: the start would stop." }
    : { data, text };
}

const fileOf = ({ number, name }: MigrationEffect) => `${String(number).padStart(4, "0")}_${name}`;

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return `${Math.ceil(seconds / 60)} min`;
}

function stopText({ isEmbedded }: Storage, effects: readonly MigrationEffect[]): string {
  if (isEmbedded) return "Stop: yes. Stop the server, replace the program, start it; it migrates before it answers.";
  const stops = effects.filter((each) => each.needsStop).map(fileOf);
  if (stops.length === 0)
    return "Stop: no. Run atelier migrate while the older version serves, then replace the processes one by one.";
  return `Stop: yes, because of ${stops.join(", ")}. Stop all processes, run atelier migrate, start the new version.`;
}

interface Outlook {
  readonly willBackUp: boolean;
  readonly room: Room;
  readonly folder: string;
}

function backupText({ isEmbedded }: Storage, config: CheckConfig, { willBackUp, room, folder }: Outlook): string {
  const free = `${sizeText(room.freeBytes)} are free`;
  if (willBackUp)
    return `Backup: made before the first migration, in ${folder}; it may need ${sizeText(room.neededBytes)}, ${free}. Way back: atelier upgrade --back.`;
  if (!isEmbedded) return "Backup: none by itself with DATABASE_URL. Make one first: atelier backup <folder>.";
  return config.backupBeforeMigration
    ? "Backup: none, because there is nothing to lose."
    : "Backup: none, because ATELIER_BACKUP_BEFORE_MIGRATION is off.";
}
