// The backups that a server makes of itself, and where they go.
import { join, resolve } from "node:path";
import {
  type BackupDepot,
  type BackupKeeping,
  type BackupSchedule,
  createBackupKeeping,
  folderDepot,
  objectDepot,
  workFolderOf,
} from "../../capabilities/backup/index.ts";
import { backupBlobs, openBlobs, openS3Objects, parseBlobAddress } from "../../capabilities/blobs/index.ts";
import type { Config } from "../../config.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { migrationsDirectory, type Storage } from "../build/open/open-storage.ts";
import { allInvariants } from "../invariants.ts";

export type BackupConfig = Pick<
  Config,
  "home" | "blobs" | "blobsKeyId" | "blobsSecret" | "backupKeyId" | "backupSecret"
>;

export interface BackupPlan {
  // Null: only when asked.
  readonly everySeconds: number | null;
  readonly keep: number;
  // A folder or an s3:// address. Null: the data folder.
  readonly to: string | null;
}

export const planOf = (config: Pick<Config, "backupEvery" | "backupKeep" | "backupTo">): BackupPlan => ({
  everySeconds: config.backupEvery,
  keep: config.backupKeep,
  to: config.backupTo,
});

// Null without a schedule.
export function scheduleOf(
  config: Pick<Config, "home" | "backupEvery" | "backupKeep" | "backupTo">,
): BackupSchedule | null {
  if (config.backupEvery === null) return null;
  return { everySeconds: config.backupEvery, keep: config.backupKeep, location: depotName(config, config.backupTo) };
}

export function depotName({ home }: Pick<Config, "home">, to: string | null): string {
  if (to === null) return join(resolve(home), "backups");
  return isObjectAddress(to) ? to.replace(/\?.*$/, "").replace(/\/+$/, "") : resolve(to.replace(/^file:/, ""));
}

export const isObjectAddress = (to: string): boolean => to.startsWith("s3://");

export async function openDepot(config: BackupConfig, to: string | null): Promise<BackupDepot> {
  const location = depotName(config, to);
  if (to === null || !isObjectAddress(to)) return folderDepot(location);
  const parsed = parseBlobAddress(to);
  if ("problem" in parsed) throw new UsageProblem([`ATELIER_BACKUP_TO (--to) ${parsed.problem}`]);
  if (parsed.address.kind !== "s3") throw new UsageProblem(["ATELIER_BACKUP_TO (--to) must be a folder or s3://…"]);
  const keyId = config.backupKeyId ?? config.blobsKeyId;
  const secret = config.backupSecret ?? config.blobsSecret;
  const credentials = keyId && secret ? { accessKeyId: keyId.reveal(), secretAccessKey: secret.reveal() } : undefined;
  const store = await openS3Objects(parsed.address.s3, credentials);
  const { checkBlob } = backupBlobs(await openBlobs(config));
  return objectDepot({ store, location, workFolder: workFolderOf(resolve(config.home)), checkBlob });
}

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
