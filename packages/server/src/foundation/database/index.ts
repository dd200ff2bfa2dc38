export { type ConnectionOptions, type ConnectionSettings, connectionUrl, type TimeLimits } from "./connection.ts";
export { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
export { CommitUnknown, constraintOf, errorCode, isUniqueViolation } from "./database-errors.ts";
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from "./embedded-postgres.ts";
export { type GroupCommit, type GroupCommitOptions, groupCommit } from "./group-commit.ts";
export { type MigrateOptions, type MigrateReport, type MigrationState, migrate, pendingMigrations } from "./migrate.ts";
export { MigrationRefused } from "./migration-files.ts";
export type { Queryable } from "./queryable.ts";
export { identifier, joinSql, type Statement, sql, sqlText } from "./sql.ts";
