export { backUp } from "./back-up.ts";
export { BackupRefused } from "./backup-refused.ts";
export { type Invariant, restore } from "./restore.ts";
