// A fresh, migrated database for one test, copied from a template and dropped when it is closed. The template is migrated
// once per state of the migrations folder. What killed test processes left behind is swept by the next one.
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { type ConnectionSettings, connectionUrl } from "../../src/foundation/database/connection.ts";
import { errorCode } from "../../src/foundation/database/database-errors.ts";
import { type Database, migrate, openDatabase, type Queryable } from "../../src/foundation/database/index.ts";
import { readMigrations } from "../../src/foundation/database/migration-files.ts";
import { queryableOn } from "../../src/foundation/database/wire-query.ts";
import { adminAddress } from "./test-postgres-server.ts";
import {
  copyDatabase,
  createDatabase,
  databaseNames,
  dropDatabase,
  lockTemplates,
  renameDatabase,
  unlockTemplates,
} from "./test-postgres-store.ts";

export const migrationsDirectory = join(import.meta.dirname, "../../migrations");

export interface TestDatabase extends Database {
  readonly url: string;
}

export interface TestDatabaseOptions {
  // A server other than the shared one.
  readonly adminUrl?: string;
  // A folder other than the server's own migrations.
  readonly migrations?: string;
}

// The name contains the machine and the process, so that leftovers of dead processes can be recognised.
const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 6);
const databasePrefix = `atelier_test_${machine}_`;
const templatePrefix = "atelier_template_";
let count = 0;
const swept = new Set<string>();
const templates = new Map<string, Promise<string>>();

export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const address = options.adminUrl ?? (await adminAddress());
  const directory = options.migrations ?? migrationsDirectory;
  const name = `${databasePrefix}${process.pid}_${count++}_${Date.now().toString(36)}`;
  await sweepOnce(address);
  const template = await templateOnce(address, directory);
  await withAdmin(address, (admin) => whenAlone(() => copyDatabase(admin, name, template)));
  const url = patient(urlOf(address, name));
  const database = openDatabase({ connection: url, applicationName: "atelier-test", poolSize: 10 });
  let closed: Promise<void> | undefined;
  return {
    ...database,
    url,
    close() {
      closed ??= database.close().then(() => withAdmin(address, (admin) => whenAlone(() => dropDatabase(admin, name))));
      return closed;
    },
  };
}

function templateOnce(address: string | ConnectionSettings, directory: string): Promise<string> {
  const key = `${urlOf(address, "")} ${directory}`;
  let template = templates.get(key);
  if (!template) {
    template = ensureTemplate(address, directory);
    templates.set(key, template);
    template.catch(() => templates.delete(key));
  }
  return template;
}

// A template gets its name once it is complete, so one with that name is ready to use.
async function ensureTemplate(address: string | ConnectionSettings, directory: string): Promise<string> {
  const hash = createHash("sha256");
  for (const migration of await readMigrations(directory)) hash.update(`${migration.number} ${migration.sha256}\n`);
  const name = `${templatePrefix}${hash.digest("hex").slice(0, 16)}`;
  return withAdmin(address, async (admin) => {
    await lockTemplates(admin);
    try {
      if ((await databaseNames(admin, name)).includes(name)) return name;
      const making = `${name}_making`;
      await dropDatabase(admin, making);
      await createDatabase(admin, making);
      await migrate({ connection: urlOf(address, making), directory });
      await whenAlone(() => renameDatabase(admin, making, name));
      await dropOldTemplates(admin);
      return name;
    } finally {
      await unlockTemplates(admin);
    }
  });
}

// The migrations folder goes through many states during development; only the latest few are worth their disk space.
const templatesKept = 12;

async function dropOldTemplates(admin: Queryable): Promise<void> {
  const names = await databaseNames(admin, templatePrefix);
  for (const name of names.slice(0, -templatesKept)) await dropDatabase(admin, name);
}

async function sweepOnce(address: string | ConnectionSettings): Promise<void> {
  const key = urlOf(address, "");
  if (swept.has(key)) return;
  swept.add(key);
  await withAdmin(address, async (admin) => {
    for (const name of await databaseNames(admin, databasePrefix)) {
      const pid = Number(name.slice(databasePrefix.length).split("_", 1)[0]);
      if (!isRunning(pid)) await dropDatabase(admin, name);
    }
  });
}

const triesMax = 12;

// PostgreSQL waits five seconds for a database's connections to end before it refuses to copy, rename or drop it. On a
// busy machine they may take longer.
async function whenAlone(run: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (thrown) {
      if (errorCode(thrown) !== "55006" || tries === triesMax) throw thrown;
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function withAdmin<T>(address: string | ConnectionSettings, run: (admin: Queryable) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: urlOf(address, ""), application_name: "atelier-test-admin" });
  client.on("error", () => {});
  await client.connect();
  try {
    return await run(queryableOn(client, false));
  } finally {
    await client.end();
  }
}

// A busy machine makes everything slower, and no test is about that, so waits for PostgreSQL get a minute.
function patient(address: string): string {
  const url = new URL(address);
  url.searchParams.set("connect_timeout", "60");
  for (const limit of ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"])
    url.searchParams.set(limit, "60000");
  return url.href;
}

// The same server, another database; an empty name keeps the current one.
function urlOf(address: string | ConnectionSettings, database: string): string {
  const url = new URL(typeof address === "string" ? address : connectionUrl(address));
  if (database) url.pathname = `/${database}`;
  return url.href;
}
