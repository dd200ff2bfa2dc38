// The database of this process: the operator's (DATABASE_URL) or the embedded one under the data folder.
// The embedded database is migrated at start; the operator's only when told so, else pending migrations stop the start.
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "../config.ts";
import type { ConnectionSettings } from "../foundation/database/connection.ts";
import { type Database, openDatabase } from "../foundation/database/database.ts";
import { startEmbeddedPostgres } from "../foundation/database/embedded-postgres.ts";
import { migrate, pendingMigrations } from "../foundation/database/migrate.ts";
import type { Lifecycle } from "../foundation/lifecycle.ts";
import type { Log } from "../foundation/log.ts";
import { UsageProblem } from "./command.ts";

export const migrationsDirectory = fileURLToPath(new URL("../../migrations", import.meta.url));

export interface Storage {
  readonly database: Database;
  readonly connection: string | ConnectionSettings;
  readonly isEmbedded: boolean;
  // Applies what is missing; returns the numbers that were applied.
  migrate(): Promise<readonly number[]>;
}

export interface StorageDeps {
  readonly config: Pick<Config, "home" | "databaseUrl" | "databasePoolSize">;
  readonly life: Lifecycle;
  readonly log: Log;
}

export async function openStorage(deps: StorageDeps): Promise<Storage> {
  const { config, life, log } = deps;
  const connection = config.databaseUrl === null ? await startOwn(deps) : config.databaseUrl.reveal();
  const database = openDatabase({ connection, poolSize: config.databasePoolSize, log });
  life.onStop("database connections", () => database.close());
  return {
    database,
    connection,
    isEmbedded: config.databaseUrl === null,
    migrate: async () => (await migrate({ connection, directory: migrationsDirectory, log })).applied,
  };
}

async function startOwn({ config, life, log }: StorageDeps): Promise<ConnectionSettings> {
  const home = resolve(config.home);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const server = await startEmbeddedPostgres({ dataDir: join(home, "postgres"), log });
  life.onStop("embedded PostgreSQL", () => server.stop(), 30);
  return server.connection;
}

// What `serve` does before anything reads a table.
export async function prepareSchema(storage: Storage, config: Pick<Config, "migrate">): Promise<void> {
  if (storage.isEmbedded || config.migrate === "auto") {
    await storage.migrate();
    return;
  }
  const { pending } = await pendingMigrations(storage.database, migrationsDirectory);
  if (pending.length > 0) {
    throw new UsageProblem([
      `The database lacks ${pending.length} migration(s), from ${pending[0]?.name} on. Run \`atelier migrate\`, or start with ATELIER_MIGRATE=auto.`,
    ]);
  }
}
