export { backUp } from "./back-up.ts";
export type { BackupDepot } from "./backup-depot.ts";
export { lookAtBackups } from "./backup-findings.ts";
export { type BackupHistory, backupHealth, readHistory, registerBackupMetrics } from "./backup-history.ts";
export type { BackupRecord } from "./backup-record.ts";
export { backupsOnRequest } from "./backups-on-request.ts";
export type { FirstBackup } from "./first-backups.ts";
export { folderDepot } from "./folder-depot.ts";
export { goBack, whatIsLost } from "./go-back.ts";
export { type BackupKeeping, createBackupKeeping, workFolderOf } from "./keep-backups.ts";
export { objectDepot } from "./object-depot.ts";
export {
  type BackupConfig,
  type BackupPlan,
  depotName,
  isObjectAddress,
  openDepot,
  planOf,
  scheduleOf,
} from "./open-depot.ts";
export { refusedAsUsage } from "./refused-as-usage.ts";
export { restore } from "./restore.ts";
export { changePostgres } from "./upgrade/change-postgres.ts";
export { checkUpgrade } from "./upgrade/check-upgrade.ts";
export { backUpBeforeChange, prepareSchema } from "./upgrade/prepare-schema.ts";
export { findWayBack, lossText } from "./upgrade/way-back.ts";
