export {
  type ConnectionSettings,
  connectionUrl,
  onDatabase,
} from "./connection.ts";
export { type Database, openDatabase } from "./database.ts";
export { CommitUnknown, constraintOf, errorCode, isUniqueViolation, isUnstorable } from "./database-errors.ts";
export { type DedicatedConnection, withConnection } from "./dedicated-connection.ts";
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
export { type GroupCommit, groupCommit } from "./group-commit.ts";
export { createInvariantWatch, type Invariant } from "./invariant-watch.ts";
export { joinBytes } from "./joined-bytes.ts";
export { type MigrationState, migrate, pendingMigrations } from "./migrate.ts";
export { type Migration, readMigrations } from "./migration-files.ts";
export { appliedMigrations, tableSizes } from "./migrations-store.ts";
export { clockSkewMs, serverVersionOf } from "./ping-store.ts";
export type { Queryable } from "./queryable.ts";
export { type ReplicaReads, replicaReads } from "./replica.ts";
export { fromRow, type RowOf } from "./rows.ts";
export { identifier, joinSql, type Statement, sql, sqlText } from "./sql.ts";
