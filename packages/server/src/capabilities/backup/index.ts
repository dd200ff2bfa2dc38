export { backUp } from "./back-up.ts";
export { BackupRefused } from "./backup-refused.ts";
export { restore } from "./restore.ts";
