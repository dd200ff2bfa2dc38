// The database of this process: the operator's (DATABASE_URL) or the embedded one in the data folder.

import { join, resolve } from "node:path";
import { systemClock } from "../../clock.ts";
import { requireOwnHome } from "../../home/home-owner.ts";
import type { Lifecycle } from "../../lifecycle.ts";
import type { Log } from "../../log.ts";
import { makeFolder } from "../../make-folder.ts";
import { type Secret, UsageProblem } from "../../settings.ts";
import { addressesOf, type ConnectionSettings } from "../connection.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../database.ts";
import { startEmbeddedPostgres } from "../embedded-postgres.ts";
import { type Queryable, type ReplicaReads, replicaReads, serverVersionOf } from "../index.ts";
import { migrate } from "../migrate.ts";
import { throughRecovery } from "../recovery.ts";
import { migrationsDirectory } from "./migrations-directory.ts";
import { databaseLocation } from "./reach-problem.ts";

export interface Storage {
  readonly database: Database;
  // For lists and figures: an up-to-date standby if there is one, else the database.
  readonly lists: Queryable;
  // Null if there is none.
  readonly replica: ReplicaReads | null;
  // Further connections to the same database, for statements with their own planner settings. Closed with the process.
  open(name: string, options: Pick<DatabaseOptions, "poolSize" | "readers" | "settings">): Database;
  // A direct connection to PostgreSQL, even if others go through a pooler: for work that lasts longer than a transaction.
  readonly connection: string | ConnectionSettings;
  readonly isEmbedded: boolean;
  // For people: host, port and name of the operator's database, and nothing else from its URL.
  readonly location: string;
  isAnswering(): Promise<boolean>;
  // Applies pending migrations and returns their numbers.
  migrate(): Promise<readonly number[]>;
}

export interface StorageSettings {
  readonly home: string;
  readonly databaseUrl: Secret | null;
  readonly databaseDirectUrl: Secret | null;
  readonly databaseReplicaUrl: Secret | null;
  readonly databasePooler: string;
  readonly databasePoolSize: number;
}

export interface StorageDeps {
  readonly config: StorageSettings;
  readonly life: Lifecycle;
  readonly log: Log;
}

export async function openStorage(deps: StorageDeps): Promise<Storage> {
  const { config, life, log } = deps;
  requireOwnHome(config.home);
  const pooled = config.databaseUrl === null ? await startOwn(deps) : config.databaseUrl.reveal();
  const behindPooler = config.databaseUrl !== null && config.databasePooler === "transaction";
  const open: Storage["open"] = (name, options) => {
    const database = openDatabase({ connection: pooled, behindPooler, log, ...options });
    life.onStop(name, () => database.close());
    return database;
  };
  const database = open("database connections", { poolSize: config.databasePoolSize });
  const connection = config.databaseDirectUrl?.reveal() ?? pooled;
  const replica = openReplica(deps, database);
  return {
    database,
    lists: replica ?? database,
    replica,
    open,
    connection,
    isEmbedded: config.databaseUrl === null,
    location: databaseLocation(config),
    isAnswering: () =>
      serverVersionOf(database).then(
        () => true,
        () => false,
      ),
    migrate: () =>
      throughRecovery({ clock: systemClock, log }, async () => {
        const { applied } = await migrate({ connection, directory: migrationsDirectory, log });
        return applied;
      }),
  };
}

// Only a few connections, and callers never wait long for one: the primary answers instead.
function openReplica({ config, life, log }: StorageDeps, primary: Database): ReplicaReads | null {
  const url = config.databaseReplicaUrl?.reveal();
  if (url === undefined) return null;
  if (config.databaseUrl === null) throw new UsageProblem(["ATELIER_DATABASE_REPLICA_URL needs DATABASE_URL."]);
  if (addressesOf(url).length > 1)
    throw new UsageProblem([
      "ATELIER_DATABASE_REPLICA_URL must name one host: a standby, or a load balancer in front of standbys.",
    ]);
  const replica = openDatabase({
    connection: url,
    poolSize: 4,
    readers: 0,
    applicationName: "atelier lists",
    limits: { acquireMs: 300 },
    // Each statement sees what was replayed when it began, whatever the server's default is.
    settings: { default_transaction_isolation: "read\\ committed" },
    log,
  });
  const reads = replicaReads({ primary, replica, clock: systemClock, log });
  life.onStop("connections to the replica", () => reads.close());
  return reads;
}

async function startOwn({ config, life, log }: StorageDeps): Promise<ConnectionSettings> {
  const home = resolve(config.home);
  await makeFolder(home);
  const server = await startEmbeddedPostgres({ dataDir: join(home, "postgres"), log });
  life.onStop("embedded PostgreSQL", () => server.stop(), 30);
  return server.connection;
}
