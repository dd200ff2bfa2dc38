export {
  type ConnectionOptions,
  type ConnectionSettings,
  connectionUrl,
  onDatabase,
  type TimeLimits,
} from "./connection.ts";
export { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
export { CommitUnknown, constraintOf, errorCode, isUniqueViolation, isUnstorable } from "./database-errors.ts";
export { type DedicatedConnection, type TransactionKind, withConnection } from "./dedicated-connection.ts";
export {
  binariesIn,
  bundledMajor,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  majorOf,
  removeUnfinished,
  replaceDataDirectory,
  startEmbeddedPostgres,
} from "./embedded-postgres.ts";
export { type GroupCommit, type GroupCommitOptions, groupCommit } from "./group-commit.ts";
export { createInvariantWatch, type Invariant, type InvariantWatch } from "./invariant-watch.ts";
export { type JoinedBytes, joinBytes } from "./joined-bytes.ts";
export { type MigrateOptions, type MigrateReport, type MigrationState, migrate, pendingMigrations } from "./migrate.ts";
export { type Migration, MigrationRefused, readMigrations } from "./migration-files.ts";
export { type AppliedMigration, appliedMigrations, tableSizes } from "./migrations-store.ts";
export { clockSkewMs, serverVersionOf } from "./ping-store.ts";
export type { Queryable } from "./queryable.ts";
export { type ReplicaReads, replicaReads } from "./replica.ts";
export { fromRow, type RowOf } from "./rows.ts";
export { identifier, joinSql, type Statement, sql, sqlText } from "./sql.ts";
