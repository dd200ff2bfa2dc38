// Restores a backup into an empty database. Everything is checked before anything is written: the seal, every file's
// hash, that the backup fits this program's migrations, and that the database is empty. Then it creates the schema of the
// backup's version, loads all rows in one transaction, runs the migrations since, and checks the caller's invariants on
// the result.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  appliedMigrations,
  type ConnectionSettings,
  type DedicatedConnection,
  type Invariant,
  migrate,
  readMigrations,
  withConnection,
} from "../../foundation/database/index.ts";
import { type Log, silentLog } from "../../foundation/log.ts";
import type { BackUpReport } from "./back-up.ts";
import { BackupRefused } from "./backup-refused.ts";
import { analyse, countBroken, hasMigrations, listTables, tablesInUse } from "./backup-store.ts";
import { type Blob, blobFile, unpackBlobList } from "./blob-list.ts";
import { loadRows } from "./load-rows.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { checkFile } from "./packed-file.ts";

export interface BlobTarget {
  // Whether the file has the blob's bytes.
  checkBlob(blob: Blob, file: string): Promise<boolean>;
  // Stores the bytes; a blob that already exists stays.
  storeBlob(blob: Blob, file: string): Promise<void>;
}

export interface RestoreOptions {
  readonly connection: string | ConnectionSettings;
  readonly directory: string;
  // This program's migrations.
  readonly migrations: string;
  readonly blobs?: BlobTarget;
  readonly sealKey?: Uint8Array;
  readonly invariants?: readonly Invariant[];
  // For blobs that are kept elsewhere and not in the folder: whether they are there. Their bytes are not read.
  readonly hasBlob?: (blob: Blob) => Promise<boolean>;
  // Leaves the database at the backup's version, for the program that made it.
  readonly keepsVersion?: boolean;
  readonly log?: Log;
}

export interface RestoreReport extends Pick<BackUpReport, "createdAt" | "schemaVersion" | "tables" | "rows" | "blobs"> {
  // The one the database has now.
  readonly version: number;
  readonly invariants: readonly { readonly name: string; readonly broken: number }[];
}

export async function restore(options: RestoreOptions): Promise<RestoreReport> {
  const log = options.log ?? silentLog;
  const manifest = await checkBackup(options);
  const connection = { connection: options.connection, applicationName: "atelier-restore" };
  await withConnection(connection, (db) => checkTarget(db, manifest));
  await storeBlobs(options, manifest);
  await migrate({ ...connection, directory: options.migrations, upTo: manifest.schema_version, log });
  const rows = await withConnection(connection, (db) => loadRows(db, options.directory, manifest, log));
  const upTo = options.keepsVersion ? { upTo: manifest.schema_version } : {};
  const { version } = await migrate({ ...connection, directory: options.migrations, ...upTo, log });
  const invariants = await withConnection(connection, (db) => checkInvariants(db, options.invariants ?? []));
  return {
    createdAt: manifest.created_at,
    schemaVersion: manifest.schema_version,
    version,
    tables: manifest.tables.length,
    rows,
    blobs: manifest.blobs?.count ?? 0,
    invariants,
  };
}

// Reads the whole backup once and writes nothing.
async function checkBackup(
  options: Pick<RestoreOptions, "directory" | "migrations" | "blobs" | "sealKey" | "hasBlob">,
): Promise<Manifest> {
  const manifest = await readManifest(options.directory, options.sealKey);
  await checkMigrations(options.migrations, manifest);
  for (const table of manifest.tables) await checkFile(options.directory, table);
  if (!manifest.blobs) return manifest;
  await checkFile(options.directory, manifest.blobs);
  let found = 0;
  for await (const blob of unpackBlobList(options.directory, manifest.blobs)) {
    const whole = options.hasBlob ? await options.hasBlob(blob) : await isWhole(blob, options);
    if (!whole) throw new BackupRefused(`The backup is damaged: blob ${blob.hash} does not match its hash.`);
    found++;
  }
  if (found !== manifest.blobs.count) throw new BackupRefused("The backup's list of blobs is damaged.");
  return manifest;
}

async function isWhole(
  blob: Blob,
  { directory, blobs }: Pick<RestoreOptions, "directory" | "blobs">,
): Promise<boolean> {
  const file = join(directory, blobFile(blob));
  const size = (await stat(file).catch(() => undefined))?.size;
  return size === blob.size && ((await blobs?.checkBlob(blob, file)) ?? true);
}

async function checkMigrations(directory: string, manifest: Manifest): Promise<void> {
  const files = await readMigrations(directory);
  if (manifest.schema_version > files.length) {
    throw new BackupRefused(
      `The backup has schema version ${manifest.schema_version}, but this program only knows version ${files.length}. Restore it with a newer version of the program.`,
    );
  }
  for (const record of manifest.migrations) {
    const file = files[record.number - 1];
    if (file?.sha256 === record.sha256) continue;
    throw new BackupRefused(
      `Migration ${record.number} (${record.name}) differs from the one this backup was made with.`,
    );
  }
}

const notEmpty = (why: string): string =>
  `The database is not empty: ${why}. Restore into a new --home, or into an empty database.`;

const named = (tables: readonly string[]): string =>
  tables.length <= 3 ? tables.join(", ") : `${tables.slice(0, 3).join(", ")} and ${tables.length - 3} more`;

async function checkTarget(db: DedicatedConnection, manifest: Manifest): Promise<void> {
  if (!(await hasMigrations(db))) {
    const tables = await listTables(db);
    if (tables.length > 0) throw new BackupRefused(notEmpty(`it has a table ${tables[0]?.name}`));
    return;
  }
  const used = await tablesInUse(db);
  if (used.length > 0) throw new BackupRefused(notEmpty(`${named(used)} contain rows`));
  const { length: version } = await appliedMigrations(db);
  if (version > manifest.schema_version) {
    throw new BackupRefused(
      `The database is at version ${version}, but the backup is at ${manifest.schema_version}. Restore into a database that was never migrated.`,
    );
  }
}

// Runs before the rows that name them. If the restore fails, the blobs left over are garbage like any unreferenced blob.
async function storeBlobs(options: RestoreOptions, manifest: Manifest): Promise<void> {
  if (!manifest.blobs || manifest.blobs.count === 0) return;
  if (!options.blobs) throw new BackupRefused("The backup contains blobs, but no blob store was given.");
  for await (const blob of unpackBlobList(options.directory, manifest.blobs)) {
    await options.blobs.storeBlob(blob, join(options.directory, blobFile(blob)));
  }
}

async function checkInvariants(
  db: DedicatedConnection,
  invariants: readonly Invariant[],
): Promise<RestoreReport["invariants"]> {
  await analyse(db);
  const results: { name: string; broken: number }[] = [];
  for (const { name, statement } of invariants) results.push({ name, broken: await countBroken(db, statement) });
  return results;
}
