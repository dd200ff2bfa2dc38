export { type BackUpOptions, type BackUpReport, type BlobSource, backUp } from "./back-up.ts";
export { BackupRefused } from "./backup-refused.ts";
export type { Blob } from "./blob-list.ts";
export type { Manifest } from "./manifest.ts";
export {
  type BlobTarget,
  type Invariant,
  type RestoreOptions,
  type RestoreReport,
  restore,
} from "./restore.ts";
