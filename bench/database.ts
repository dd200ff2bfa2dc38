// The embedded PostgreSQL of a suite and connections to it, ended with the suite.
import { join } from "node:path";
import {
  type ConnectionSettings,
  type Database,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  migrate,
  openDatabase,
  startEmbeddedPostgres,
} from "../packages/server/src/foundation/database/index.ts";
import { root } from "./processes.ts";

export async function postgresIn(
  home: string,
  ends: AsyncDisposableStack,
  more: Omit<EmbeddedPostgresOptions, "dataDir"> = {},
): Promise<EmbeddedPostgres> {
  return ends.adopt(await startEmbeddedPostgres({ dataDir: join(home, "postgres"), ...more }), (it) => it.stop());
}

export function openUntil(ends: AsyncDisposableStack, options: Parameters<typeof openDatabase>[0]): Database {
  return ends.adopt(openDatabase(options), (database) => database.close());
}

export async function migrateWhole(connection: string | ConnectionSettings): Promise<void> {
  await migrate({ connection, directory: join(root, "packages/server/migrations") });
}
