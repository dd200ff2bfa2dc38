// Makes a consistent backup while everything keeps running: one read-only snapshot, each table by COPY into a compressed
// file, the blobs that the snapshot names, and last the manifest. It gets its final name when it is complete. The key
// ring is not included: it is kept separately, so that a backup alone opens nothing.
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  appliedMigrations,
  type ConnectionSettings,
  type DedicatedConnection,
  type Queryable,
  withConnection,
} from "../../foundation/database/index.ts";
import { type Log, silentLog } from "../../foundation/log.ts";
import { makeFolder } from "../../foundation/make-folder.ts";
import { BackupRefused } from "./backup-refused.ts";
import { copyOutStatement, listSequences, listTables, snapshotTime, type TableShape } from "./backup-store.ts";
import { type Blob, blobFile, packBlobList } from "./blob-list.ts";
import {
  type BlobsEntry,
  formatVersion,
  type Manifest,
  manifestName,
  sealManifest,
  type TableEntry,
} from "./manifest.ts";
import { packFile } from "./packed-file.ts";

export interface BlobSource {
  // Every blob that the snapshot needs, each once.
  blobsOf(tx: Queryable): AsyncIterable<Blob>;
  // Writes the blob's bytes into a new file.
  copyBlob(blob: Blob, file: string): Promise<void>;
}

export interface BackUpOptions {
  readonly connection: string | ConnectionSettings;
  // Must not exist yet, or be empty.
  readonly directory: string;
  readonly blobs?: BlobSource;
  // Seals the backup, so that tampering is noticed.
  readonly sealKey?: Uint8Array;
  readonly log?: Log;
}

export interface BackUpReport {
  readonly directory: string;
  readonly createdAt: string;
  readonly schemaVersion: number;
  readonly tables: number;
  readonly rows: number;
  readonly fileBytes: number;
  readonly blobs: number;
  // The total size of the blobs as stored in the folder.
  readonly blobBytes: number;
}

export async function backUp(options: BackUpOptions): Promise<BackUpReport> {
  const directory = resolve(options.directory);
  const present = await readdir(directory).catch(() => []);
  if (present.length > 0) throw new BackupRefused(`${directory} is not empty. A backup needs an empty folder.`);
  const making = `${directory}.partial-${randomBytes(4).toString("hex")}`;
  await makeFolder(join(making, "tables"));
  try {
    const copied = { bytes: 0 };
    const manifest = await withConnection({ connection: options.connection, applicationName: "atelier-backup" }, (db) =>
      db.inTransaction("snapshot", () => writeAll(db, making, options, copied)),
    );
    await writeFile(join(making, manifestName), sealManifest(manifest, options.sealKey), { mode: 0o600, flush: true });
    await rename(making, directory);
    await syncFolder(dirname(directory));
    return { ...report(directory, manifest), blobBytes: copied.bytes };
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
}

interface Copied {
  bytes: number;
}

async function writeAll(
  db: DedicatedConnection,
  making: string,
  options: BackUpOptions,
  copied: Copied,
): Promise<Manifest> {
  const createdAt = await snapshotTime(db);
  const migrations = await appliedMigrations(db);
  if (migrations.length === 0)
    throw new BackupRefused("The database has never been migrated; there is nothing to back up.");
  const tables: TableEntry[] = [];
  for (const table of await listTables(db)) {
    const entry = await writeTable(db, making, table);
    tables.push(entry);
    (options.log ?? silentLog).debug({ table: entry.name, rows: entry.rows }, "table saved");
  }
  const sequences = await listSequences(db);
  const blobs = options.blobs ? await writeBlobs(db, making, options.blobs, copied) : null;
  return {
    format: formatVersion,
    created_at: createdAt.toISOString(),
    schema_version: migrations.length,
    migrations: [...migrations],
    tables,
    sequences,
    blobs,
  };
}

async function writeTable(db: DedicatedConnection, making: string, table: TableShape): Promise<TableEntry> {
  const copy = db.copyOut(copyOutStatement(table));
  const fact = await packFile(making, `tables/${table.name}.copy.zst`, copy.stream);
  return { name: table.name, columns: [...table.columns], rows: copy.rows(), ...fact };
}

async function writeBlobs(db: Queryable, making: string, source: BlobSource, sum: Copied): Promise<BlobsEntry> {
  async function* copied(): AsyncIterable<Blob> {
    for await (const blob of source.blobsOf(db)) {
      const file = join(making, blobFile(blob));
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await source.copyBlob(blob, file);
      sum.bytes += blob.size;
      yield blob;
    }
  }
  return packBlobList(making, copied());
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function report(directory: string, manifest: Manifest): Omit<BackUpReport, "blobBytes"> {
  return {
    directory,
    createdAt: manifest.created_at,
    schemaVersion: manifest.schema_version,
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
    fileBytes: manifest.tables.reduce((sum, table) => sum + table.file_bytes, 0),
    blobs: manifest.blobs?.count ?? 0,
  };
}
