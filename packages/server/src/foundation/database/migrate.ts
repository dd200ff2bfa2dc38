// Forward-only migrations. Each file runs in its own transaction, together with the row that records it. Only one process
// migrates at a time; a second connection holds the lock for the whole run. An applied migration must never change afterwards.
// A database that is ahead of the program is left alone: an older program would not know what it writes into.
import { type Log, silentLog } from "../log.ts";
import type { ConnectionOptions } from "./connection.ts";
import { errorCode } from "./database-errors.ts";
import { type DedicatedConnection, withConnection } from "./dedicated-connection.ts";
import { digits, type Migration, MigrationRefused, readMigrations, splitStatements } from "./migration-files.ts";
import {
  type AppliedMigration,
  appliedMigrations,
  ensureMigrationsTable,
  lockMigrations,
  recordMigration,
} from "./migrations-store.ts";
import type { Queryable } from "./queryable.ts";

export interface MigrateOptions extends ConnectionOptions {
  readonly directory: string;
  // Stops after this number. Used to restore a backup of an older version.
  readonly upTo?: number;
  readonly log?: Log;
}

export interface MigrateReport {
  // The numbers that this call applied.
  readonly applied: readonly number[];
  readonly version: number;
}

export interface MigrationState {
  readonly version: number;
  readonly latest: number;
  readonly pending: readonly { readonly number: number; readonly name: string }[];
}

// Throws MigrationRefused if the database and the files do not belong together.
export async function pendingMigrations(db: Queryable, directory: string): Promise<MigrationState> {
  const files = await readMigrations(directory);
  const applied = await appliedMigrations(db);
  checkHistory(files, applied);
  const pending = files.slice(applied.length).map(({ number, name }) => ({ number, name }));
  return { version: applied.length, latest: files.length, pending };
}

export async function migrate(options: MigrateOptions): Promise<MigrateReport> {
  const files = await readMigrations(options.directory);
  const wanted = files.filter((file) => file.number <= (options.upTo ?? Number.POSITIVE_INFINITY));
  return withConnection({ ...options, limits: waitForOthers }, (guard) =>
    guard.inTransaction("read write", async () => {
      await lockMigrations(guard);
      return withConnection({ ...options, limits: waitForTables }, (worker) =>
        applyMissing(worker, files, wanted, options.log ?? silentLog),
      );
    }),
  );
}

async function applyMissing(
  worker: DedicatedConnection,
  files: readonly Migration[],
  wanted: readonly Migration[],
  log: Log,
): Promise<MigrateReport> {
  await ensureMigrationsTable(worker);
  const before = await appliedMigrations(worker);
  checkHistory(files, before);
  const applied: number[] = [];
  for (const migration of wanted.slice(before.length)) {
    if (!(await applyUnlessRecorded(worker, migration))) continue;
    applied.push(migration.number);
    log.debug({ migration: `${digits(migration.number)}_${migration.name}` }, "migration applied");
  }
  // One line, however many there were: at a first start other messages matter more.
  const [first, last] = [applied.at(0), applied.at(-1)];
  if (first !== undefined && last !== undefined)
    log.info({ from: digits(first), to: digits(last), count: applied.length }, "migrations applied");
  return { applied, version: Math.max(before.length, wanted.length) };
}

// The commit of a killed process may arrive after we took the lock. A migration that it recorded is neither ours to apply nor a
// failure.
async function applyUnlessRecorded(worker: DedicatedConnection, migration: Migration): Promise<boolean> {
  try {
    await apply(worker, migration);
    return true;
  } catch (error) {
    const recorded = await appliedMigrations(worker).catch(() => []);
    if (recorded[migration.number - 1]?.sha256 === migration.sha256) return false;
    throw error;
  }
}

async function apply(worker: DedicatedConnection, migration: Migration): Promise<void> {
  try {
    if (migration.outsideTransaction) {
      for (const statement of splitStatements(migration.text)) await worker.script(statement);
      return await recordMigration(worker, migration);
    }
    await worker.inTransaction("read write", async () => {
      await worker.script(migration.text);
      await recordMigration(worker, migration);
    });
  } catch (error) {
    const why = error instanceof Error ? error.message || (errorCode(error) ?? error.name) : String(error);
    throw new MigrationRefused(`Migration ${digits(migration.number)}_${migration.name} failed: ${why}`, {
      cause: error,
    });
  }
}

function checkHistory(files: readonly Migration[], applied: readonly AppliedMigration[]): void {
  if (applied.length > files.length) {
    throw new MigrationRefused(
      `The database is at version ${digits(applied.length)}, but this program knows only ${digits(files.length)}. Run the newer program, or restore a backup made by this one.`,
    );
  }
  for (const [index, row] of applied.entries()) {
    const file = files[index];
    if (row.number !== index + 1 || !file) {
      throw new MigrationRefused(`The database has no record of migration ${digits(index + 1)}.`);
    }
    if (row.sha256 !== file.sha256) {
      throw new MigrationRefused(
        `Migration ${digits(row.number)}_${row.name} was changed after it was applied. Restore the file and put the change into a new migration.`,
      );
    }
  }
}

// Another process may be migrating for a while, so we wait long for the lock. A table that stays locked is in use by another
// session, and everything else would queue behind us, so we wait only briefly.
const waitForOthers = { lockMs: 300_000 };
const waitForTables = { lockMs: 5_000 };
