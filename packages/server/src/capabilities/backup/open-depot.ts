// Where backups go and when, as configured.
import { join, resolve } from "node:path";
import { type Secret, UsageProblem } from "../../foundation/settings.ts";
import { type BlobSettings, backupBlobs, openBlobs, openS3Objects, parseBlobAddress } from "../blobs/index.ts";
import type { BackupDepot } from "./backup-depot.ts";
import type { BackupSchedule } from "./backup-history.ts";
import { folderDepot } from "./folder-depot.ts";
import { workFolderOf } from "./keep-backups.ts";
import { objectDepot } from "./object-depot.ts";

export interface BackupConfig extends BlobSettings {
  readonly backupKeyId: Secret | null;
  readonly backupSecret: Secret | null;
}

export interface BackupSettings {
  readonly home: string;
  readonly backupEvery: number | null;
  readonly backupKeep: number;
  readonly backupTo: string | null;
}

export interface BackupPlan {
  // Null: only when asked.
  readonly everySeconds: number | null;
  readonly keep: number;
  // A folder or an s3:// address. Null: the data folder.
  readonly to: string | null;
}

export const planOf = (config: BackupSettings): BackupPlan => ({
  everySeconds: config.backupEvery,
  keep: config.backupKeep,
  to: config.backupTo,
});

// Null without a schedule.
export function scheduleOf(config: BackupSettings): BackupSchedule | null {
  if (config.backupEvery === null) return null;
  return { everySeconds: config.backupEvery, keep: config.backupKeep, location: depotName(config, config.backupTo) };
}

export function depotName({ home }: Pick<BackupSettings, "home">, to: string | null): string {
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
