export { backUp } from "./back-up.ts";
export type { BackupDepot } from "./backup-depot.ts";
export { lookAtBackups } from "./backup-findings.ts";
export {
  type BackupHealth,
  type BackupHistory,
  type BackupHistoryDeps,
  type BackupSchedule,
  backupHealth,
  readHistory,
  registerBackupMetrics,
} from "./backup-history.ts";
export { backupProblem } from "./backup-problem.ts";
export type { BackupRecord } from "./backup-record.ts";
export { BackupRefused } from "./backup-refused.ts";
export {
  backUpFirst,
  type FirstBackup,
  listFirstBackups,
  type Room,
  readFirstBackup,
  roomFor,
} from "./first-backups.ts";
export { folderDepot } from "./folder-depot.ts";
export { goBack, type LostRows, whatIsLost } from "./go-back.ts";
export { type BackupKeeping, createBackupKeeping, workFolderOf } from "./keep-backups.ts";
export { objectDepot } from "./object-depot.ts";
export { restore } from "./restore.ts";
export { withScratch } from "./scratch-database.ts";
