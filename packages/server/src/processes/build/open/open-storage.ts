// The database of this process: the operator's (DATABASE_URL) or the embedded one in the data folder.
// The embedded database is migrated at start. The operator's is migrated only if configured so; otherwise pending migrations
// stop the start.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BackupRefused, backUpFirst } from "../../../capabilities/backup/index.ts";
import type { Config } from "../../../config.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { addressesOf, type ConnectionSettings } from "../../../foundation/database/connection.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../../../foundation/database/database.ts";
import { isConnectionLoss } from "../../../foundation/database/database-errors.ts";
import { startEmbeddedPostgres } from "../../../foundation/database/embedded-postgres.ts";
import {
  errorCode,
  type Queryable,
  type ReplicaReads,
  replicaReads,
  serverVersionOf,
} from "../../../foundation/database/index.ts";
import { migrate, pendingMigrations } from "../../../foundation/database/migrate.ts";
import { throughRecovery } from "../../../foundation/database/recovery.ts";
import { AwayFault, Fault } from "../../../foundation/fault.ts";
import { requireOwnHome } from "../../../foundation/home/home-owner.ts";
import type { Lifecycle } from "../../../foundation/lifecycle.ts";
import type { Log } from "../../../foundation/log.ts";
import { makeFolder } from "../../../foundation/make-folder.ts";
import { UsageProblem } from "../../../foundation/settings.ts";

export const migrationsDirectory = fileURLToPath(new URL("../../../../migrations", import.meta.url));

export interface Storage {
  readonly database: Database;
  // For lists and figures: an up-to-date standby if there is one, else the database.
  readonly lists: Queryable;
  // Null if there is none.
  readonly replica: ReplicaReads | null;
  // Further connections to the same database, for statements with their own planner settings.
  open(options: Pick<DatabaseOptions, "poolSize" | "readers" | "settings">): Database;
  // A direct connection to PostgreSQL, even if others go through a pooler: for work that lasts longer than a transaction.
  readonly connection: string | ConnectionSettings;
  readonly isEmbedded: boolean;
  // For people: host, port and name of the operator's database, and nothing else from its URL.
  readonly location: string;
  isAnswering(): Promise<boolean>;
  // Applies pending migrations and returns their numbers.
  migrate(): Promise<readonly number[]>;
}

export interface StorageDeps {
  readonly config: Pick<
    Config,
    "home" | "databaseUrl" | "databaseDirectUrl" | "databaseReplicaUrl" | "databasePooler" | "databasePoolSize"
  >;
  readonly life: Lifecycle;
  readonly log: Log;
}

export async function openStorage(deps: StorageDeps): Promise<Storage> {
  const { config, life, log } = deps;
  requireOwnHome(config.home);
  const pooled = config.databaseUrl === null ? await startOwn(deps) : config.databaseUrl.reveal();
  const behindPooler = config.databaseUrl !== null && config.databasePooler === "transaction";
  const open: Storage["open"] = (options) => openDatabase({ connection: pooled, behindPooler, log, ...options });
  const database = open({ poolSize: config.databasePoolSize });
  const connection = config.databaseDirectUrl?.reveal() ?? pooled;
  life.onStop("database connections", () => database.close());
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

type PrepareConfig = Pick<Config, "migrate" | "home" | "backupBeforeMigration">;

// Runs in `serve` before anything reads a table. The embedded database is backed up before it is changed.
export async function prepareSchema(storage: Storage, deps: { config: PrepareConfig; log: Log }): Promise<void> {
  try {
    const waiting = { clock: systemClock, log: deps.log };
    if (!storage.isEmbedded && deps.config.migrate !== "auto")
      return await throughRecovery(waiting, () => requireCurrent(storage));
    if (storage.isEmbedded) await throughRecovery(waiting, () => backUpBeforeChange(storage, deps.config, deps.log));
    await storage.migrate();
  } catch (error) {
    throw reachProblem(storage, error);
  }
}

// "The database is not available" does not help at a start, so we say which one and why. Neither does "no such file", about the
// embedded one's socket. The driver's messages contain no password.
function reachProblem(storage: Pick<Storage, "isEmbedded" | "location">, error: unknown): unknown {
  const isOurs = error instanceof UsageProblem || (error instanceof Error && error.name === "MigrationRefused");
  if (isOurs || !(error instanceof Error) || (storage.isEmbedded && !isAway(error))) return error;
  const mend = storage.isEmbedded
    ? `See ${storage.location}.log, then start again.`
    : "Check DATABASE_URL, and that the database is running.";
  const words = `The database at ${storage.location} cannot be used: ${reasonOf(error)}. ${mend}`;
  return new Fault("service_unavailable", words, { cause: error });
}

const isAway = (error: Error) => error instanceof AwayFault || isConnectionLoss(error);

export function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  const words = cause.message.split("\n")[0] ?? "";
  const code = errorCode(cause);
  const both =
    code === undefined || words.includes(code) ? words || (code ?? "") : [words, code].filter(Boolean).join(", ");
  return both === "" ? cause.name : both;
}

export function databaseLocation(config: Pick<Config, "home" | "databaseUrl">): string {
  const address = config.databaseUrl?.reveal() ?? null;
  if (address === null) return join(resolve(config.home), "postgres");
  const urls = addressesOf(address).map((each) => URL.parse(each));
  const hosts = urls.map((url) => url && `${url.hostname || "its socket"}:${url.port || "5432"}`);
  return hosts.includes(null) ? "DATABASE_URL" : `${hosts.join(", ")}${urls[0]?.pathname}`;
}

async function requireCurrent(storage: Storage): Promise<void> {
  const { pending } = await pendingMigrations(storage.database, migrationsDirectory);
  if (pending.length === 0) return;
  throw new UsageProblem([
    `The database has ${pending.length} pending migration(s), starting with ${pending[0]?.name}. Run \`atelier migrate\`, or start with ATELIER_MIGRATE=auto.`,
  ]);
}

// Only if there is something to lose: the database was migrated before and is about to be migrated again.
export async function backUpBeforeChange(
  storage: Storage,
  { home, backupBeforeMigration }: PrepareConfig,
  log: Log,
): Promise<void> {
  const state = await pendingMigrations(storage.database, migrationsDirectory);
  if (state.version === 0 || state.pending.length === 0) return;
  if (!backupBeforeMigration) {
    log.warn({ pending: state.pending.length }, "migrating without a backup: ATELIER_BACKUP_BEFORE_MIGRATION is off");
    return;
  }
  const folder = join(resolve(home), "backups");
  await backUpFirst({ connection: storage.connection, folder, log }, state, systemClock.now()).catch(
    (error: unknown) => {
      throw error instanceof BackupRefused ? new UsageProblem([error.message]) : error;
    },
  );
}
