// The backups that a server makes of itself, and where they go.
import { resolve } from "node:path";
import {
  type BackupConfig,
  type BackupKeeping,
  type BackupPlan,
  createBackupKeeping,
  openDepot,
  planOf,
  workFolderOf,
} from "../../capabilities/backup/index.ts";
import { backupBlobs, openBlobs } from "../../capabilities/blobs/index.ts";
import type { Config } from "../../config.ts";
import type { Clock } from "../../foundation/clock.ts";
import { migrationsDirectory } from "../../foundation/database/opening/migrations-directory.ts";
import type { Storage } from "../../foundation/database/opening/open-storage.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import { allInvariants } from "../invariants.ts";

export interface BuildBackupsDeps {
  readonly config: BackupConfig;
  readonly storage: Pick<Storage, "database" | "connection">;
  readonly clock: Clock;
  readonly log: Log;
}

export async function buildBackups(deps: BuildBackupsDeps, plan: BackupPlan): Promise<BackupKeeping> {
  const { config, storage, clock, log } = deps;
  return createBackupKeeping({
    database: storage.database,
    connection: storage.connection,
    clock,
    log,
    depot: await openDepot(config, plan.to),
    everySeconds: plan.everySeconds,
    keep: plan.keep,
    blobs: backupBlobs(await openBlobs(config)),
    migrations: migrationsDirectory,
    invariants: allInvariants,
    workFolder: workFolderOf(resolve(config.home)),
  });
}

const lookEveryMs = 60_000;

export async function scheduleBackups(
  deps: BuildBackupsDeps & { readonly config: Config; readonly life: Lifecycle },
): Promise<void> {
  const plan = planOf(deps.config);
  if (plan.everySeconds === null) return;
  const keeping = await buildBackups(deps, plan);
  const round = (signal: AbortSignal) => keeping.round(signal);
  deps.life.repeat({ name: "backups: make the next one", role: "background", everyMs: lookEveryMs, round });
}
