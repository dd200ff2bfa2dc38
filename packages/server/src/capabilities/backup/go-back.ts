// Goes back to a backup that was made before an upgrade: the database gets the rows and the version that it had then, so that
// the older program can run on it. The backup is restored beside the present database and takes its name in one transaction;
// what was there is backed up first. A process that is killed in between leaves the present database as it is.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  type ConnectionSettings,
  type Invariant,
  onDatabase,
  type Queryable,
  withConnection,
} from "../../foundation/database/index.ts";
import type { Log } from "../../foundation/log.ts";
import { backUp } from "./back-up.ts";
import { BackupRefused } from "./backup-refused.ts";
import { listTables } from "./backup-store.ts";
import { readManifest } from "./manifest.ts";
import { restore } from "./restore.ts";
import { withScratch } from "./scratch-database.ts";
import {
  countRows,
  createEmpty,
  currentName,
  dropDatabase,
  listLeft,
  renameDatabase,
  sessionsOf,
} from "./swap-store.ts";

export interface LostRows {
  readonly table: string;
  // Rows that the present database has beyond those of the backup.
  readonly rows: number;
}

export async function whatIsLost(db: Queryable, directory: string): Promise<readonly LostRows[]> {
  const { tables } = await readManifest(directory, undefined);
  const before = new Map(tables.map(({ name, rows }) => [name, rows]));
  const lost: LostRows[] = [];
  for (const { name } of await listTables(db)) {
    const rows = (await countRows(db, name)) - (before.get(name) ?? 0);
    if (rows > 0) lost.push({ table: name, rows });
  }
  return lost.toSorted((one, other) => other.rows - one.rows);
}

export interface GoBackOptions {
  readonly connection: string | ConnectionSettings;
  readonly directory: string;
  readonly migrations: string;
  readonly invariants: readonly Invariant[];
  // What was there is backed up here, in a new folder.
  readonly folder: string;
  readonly workFolder: string;
  readonly now: Date;
  readonly log: Log;
}

export interface WentBack {
  readonly version: number;
  readonly rows: number;
  // The backup of what was replaced.
  readonly replaced: string;
}

const applicationName = "atelier-go-back";

export async function goBack(options: GoBackOptions): Promise<WentBack> {
  const { connection, directory, migrations, log } = options;
  const name = await requireAlone(connection);
  await verifyFirst(options);
  const stamp = options.now.toISOString().replace(/[-:]/g, "").slice(0, 15);
  const replaced = join(options.folder, `replaced-${stamp}-${randomBytes(3).toString("hex")}`);
  await backUp({ connection, directory: replaced, log });
  const fresh = `${name.slice(0, 40)}_back_${randomBytes(4).toString("hex")}`;
  const old = `${fresh}_old`;
  const beside = { connection: onDatabase(connection, "postgres"), applicationName };
  await withConnection(beside, async (db) => {
    for (const left of await listLeft(db, name.slice(0, 40))) await dropDatabase(db, left);
    await createEmpty(db, fresh);
  });
  try {
    const target = onDatabase(connection, fresh);
    const report = await restore({ connection: target, directory, migrations, keepsVersion: true, log });
    await withConnection(beside, (db) =>
      db.inTransaction("read write", async () => {
        await renameDatabase(db, name, old);
        await renameDatabase(db, fresh, name);
      }),
    );
    await withConnection(beside, (db) => dropDatabase(db, old));
    return { version: report.version, rows: report.rows, replaced };
  } catch (error) {
    await withConnection(beside, (db) => dropDatabase(db, fresh)).catch(() => undefined);
    throw error;
  }
}

// The old schema cannot be asked this program's invariants, so a copy is migrated to it and asked.
async function verifyFirst({
  connection,
  directory,
  migrations,
  invariants,
  workFolder,
  log,
}: GoBackOptions): Promise<void> {
  const report = await withScratch({ connection, folder: workFolder, log }, (scratch) =>
    restore({ connection: scratch, directory, migrations, invariants, log }),
  );
  const broken = report.invariants.filter((each) => each.broken > 0).map((each) => each.name);
  if (broken.length > 0) throw new BackupRefused(`An invariant does not hold in this backup: ${broken.join(", ")}.`);
}

async function requireAlone(connection: GoBackOptions["connection"]): Promise<string> {
  return withConnection({ connection, applicationName }, async (db) => {
    const name = await currentName(db);
    const others = await sessionsOf(db, name);
    if (others.length === 0) return name;
    throw new BackupRefused(`Others use the database (${others.join(", ")}). Stop all servers and commands first.`);
  });
}
