// Brings the database to this program's version before anything reads a table. The embedded database is backed up and migrated.
// The operator's is migrated only if configured so; otherwise pending migrations stop the start.
import { join, resolve } from "node:path";
import { systemClock } from "../../../foundation/clock.ts";
import { pendingMigrations } from "../../../foundation/database/index.ts";
import { migrationsDirectory } from "../../../foundation/database/opening/migrations-directory.ts";
import type { Storage } from "../../../foundation/database/opening/open-storage.ts";
import { reachProblem } from "../../../foundation/database/opening/reach-problem.ts";
import { throughRecovery } from "../../../foundation/database/recovery.ts";
import type { Log } from "../../../foundation/log.ts";
import { UsageProblem } from "../../../foundation/settings.ts";
import { backUpFirst } from "../first-backups.ts";
import { refusedAsUsage } from "../refused-as-usage.ts";

export interface PrepareConfig {
  readonly migrate: string;
  readonly home: string;
  readonly backupBeforeMigration: boolean;
}

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
  await refusedAsUsage(() => backUpFirst({ connection: storage.connection, folder, log }, state, systemClock.now()));
}
