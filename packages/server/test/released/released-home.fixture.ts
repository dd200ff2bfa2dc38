// A data folder as an older release left it: a dump of a database that the release itself filled (calls, jobs, uploads, a
// published node), with its key ring and its first key, put into a PostgreSQL at the version that it had then.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { restore } from "../../src/capabilities/backup/index.ts";
import {
  type ConnectionSettings,
  type EmbeddedPostgresOptions,
  identifier,
  openDatabase,
  type Queryable,
  sql,
  startEmbeddedPostgres,
} from "../../src/foundation/database/index.ts";
import { allInvariants } from "../../src/processes/invariants.ts";
import { migrationsDirectory } from "../support/test-database.ts";

export async function releasedHome(release: string, postgres: Partial<EmbeddedPostgresOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "atelier-released-"));
  // PostgreSQL, which root runs as another user, must be able to reach its data.
  chmodSync(folder, 0o755);
  const unpacked = join(folder, "unpacked");
  mkdirSync(unpacked);
  execFileSync("tar", ["-xzf", join(import.meta.dirname, `data-${release}.tar.gz`), "-C", unpacked]);
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o755 });
  copyFileSync(join(unpacked, "secrets.json"), join(home, "secrets.json"));
  chmodSync(join(home, "secrets.json"), 0o600);
  await withDatabase(home, postgres, ({ connection }) =>
    restore({ connection, directory: join(unpacked, "backup"), migrations: migrationsDirectory, keepsVersion: true }),
  );
  return {
    home,
    key: readFileSync(join(unpacked, "key.txt"), "utf8").trim(),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

// While nothing else runs on the data folder.
export async function withDatabase<T>(
  home: string,
  postgres: Partial<EmbeddedPostgresOptions>,
  run: (found: { readonly connection: ConnectionSettings; readonly database: Queryable }) => Promise<T>,
): Promise<T> {
  const server = await startEmbeddedPostgres({ dataDir: join(home, "postgres"), ...postgres });
  const database = openDatabase({ connection: server.connection });
  try {
    return await run({ connection: server.connection, database });
  } finally {
    await database.close();
    await server.stop();
  }
}

// What a start writes by itself (prices, generated badges) is not among them.
const counted = [
  ..."workspaces people members api_keys wallets calls usage jobs job_outputs job_graphs assets asset_holds".split(" "),
  ..."blobs blob_references publishers nodes node_versions".split(" "),
];

export interface Figures {
  readonly version: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly credits: string;
  // The invariants that this version of the database has the tables for, with the rows that break each.
  readonly invariants: Readonly<Record<string, number>>;
}

export async function figuresOf(database: Queryable): Promise<Figures> {
  const count = async (table: string) =>
    (await database.query<{ count: number }>(sql`select count(*)::int as count from ${identifier(table)}`))[0]?.count ??
    -1;
  const rows: Record<string, number> = {};
  for (const table of counted) rows[table] = await count(table);
  const invariants: Record<string, number> = {};
  for (const { name, statement } of allInvariants) {
    const broken = await database.query(statement).catch(() => null);
    if (broken !== null) invariants[name] = broken.length;
  }
  const [wallet] = await database.query<{ credits: string }>(
    sql`select coalesce(sum(available), 0)::text as credits from wallets`,
  );
  return { version: await count("schema_migrations"), rows, credits: wallet?.credits ?? "", invariants };
}
