// Why the database cannot be used, and what to do about it.
import { join } from "node:path";
import { errorCode } from "../database/index.ts";
import type { Secret } from "../settings.ts";
import { type Finding, problem } from "./finding.ts";

interface DatabaseSettings {
  readonly home: string;
  readonly databaseUrl: Secret | null;
}

export function databaseProblem(config: DatabaseSettings, error: unknown): Finding {
  const [reason = ""] = (error instanceof Error && error.message !== "" ? error.message : String(error)).split("\n");
  return problem("database", `${reason}${whereAndWhy(config, error)}`, adviceFor(config, error));
}

const noSuchDatabase = "3D000";

// Which server we tried and how the connection failed, without the user or password.
function whereAndWhy(config: Pick<DatabaseSettings, "databaseUrl">, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null;
  const why = cause === null ? "" : causeText(cause);
  const address = config.databaseUrl?.reveal() ?? null;
  const url = address !== null && URL.canParse(address) ? new URL(address) : null;
  const where = url === null ? "" : `${url.hostname}:${url.port || "5432"}${url.pathname}`;
  const facts = [where, why].filter((fact) => fact !== "").join(", ");
  return cause === null || facts === "" ? "" : ` (${facts})`;
}

// PostgreSQL's codes mean nothing to people; the system's, such as ECONNREFUSED, do.
function causeText(cause: Error): string {
  const code = errorCode(cause);
  const [words = ""] = cause.message.split("\n");
  return code === undefined || /^[0-9A-Z]{5}$/.test(code) ? words : code;
}

function adviceFor(config: DatabaseSettings, error: unknown): string {
  if (error instanceof Error && error.name === "MigrationRefused")
    return "run the version that created this database, or restore a backup into a new data folder";
  if (error instanceof Error && /this program brings PostgreSQL/.test(error.message))
    return "stop the server, then run: atelier upgrade --postgres";
  if (error instanceof Error && error.name === "DatabaseOutOfReach")
    return "systemctl restart atelier, or restart the server that uses this folder";
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (config.databaseUrl !== null && errorCode(cause) === noSuchDatabase)
    return "create it (createdb), or correct the name at the end of DATABASE_URL";
  if (config.databaseUrl !== null) return "check DATABASE_URL, and that the database server is running";
  return `see ${join(config.home, "postgres.log")}; usual causes are a full disk and a folder owned by another user`;
}
