// Database errors, sorted by what the caller can do about them:
// - nothing was done and the caller can retry later: Fault service_unavailable;
// - we do not know whether it was done: CommitUnknown (reliability rule: read the row by its id before retrying);
// - PostgreSQL aborted this transaction in favour of another one: run it again, which `transaction` does for you.
// Everything else (a violated constraint, a type error) is passed on unchanged.
import { AwayFault } from "../fault.ts";

export class CommitUnknown extends AwayFault {
  constructor(cause: unknown) {
    super("The connection to the database was lost before it confirmed the change.", cause);
    this.name = "CommitUnknown";
  }
}

export function databaseUnavailable(cause: unknown): AwayFault {
  return new AwayFault("The database is not available right now.", cause);
}

export function databaseBusy(cause: unknown): AwayFault {
  return new AwayFault("The database is busy right now.", cause);
}

// The five-character SQLSTATE of a PostgreSQL error, or the errno name of a socket error.
export function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

// The name of the unique index, check or foreign key that refused the row.
export function constraintOf(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null || !("constraint" in thrown)) return undefined;
  return typeof thrown.constraint === "string" ? thrown.constraint : undefined;
}

export function isUniqueViolation(thrown: unknown, constraint?: string): boolean {
  return errorCode(thrown) === "23505" && (constraint === undefined || constraintOf(thrown) === constraint);
}

const connectionCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EADDRNOTAVAIL",
  "EMFILE",
  "57P01", // terminated by an administrator
  "57P02", // another server process crashed
  "57P03", // starting up or shutting down
  "57P05", // idle too long
  "25P03", // idle in a transaction too long
  "53300", // too many connections
  "3D000", // the database does not exist: being restored, or not created yet
  "25006", // read-only: a standby, or a primary that was failed over
]);

// Driver errors that have no code, recognised by their message.
const connectionSentences =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after calling end)/;

export function isConnectionLoss(thrown: unknown): boolean {
  const code = errorCode(thrown);
  if (code !== undefined) return connectionCodes.has(code) || code.startsWith("08");
  return thrown instanceof Error && connectionSentences.test(thrown.message);
}

// A server that cannot write refused it: nothing was done, and the connection leads to the wrong server.
export function isReadOnlyServer(thrown: unknown): boolean {
  return errorCode(thrown) === "25006";
}

const busyCodes = new Set([
  "57014", // statement_timeout
  "55P03", // lock_timeout
  "53100", // disk full
  "53200", // out of memory
  "53400", // a configured limit was exceeded
  "58030", // disk I/O error
]);

export function isBusy(thrown: unknown): boolean {
  return busyCodes.has(errorCode(thrown) ?? "");
}

// U+0000 in a text, either raw (22021) or escaped in JSON (22P05). It passes every JSON parser and most schemas. None of our
// own texts contain it, so at the HTTP entrance it must come from the request.
export function isUnstorable(thrown: unknown): boolean {
  const code = errorCode(thrown);
  return code === "22021" || code === "22P05";
}

export function isWorthRetrying(thrown: unknown): boolean {
  const code = errorCode(thrown);
  return code === "40001" || code === "40P01";
}

// The named prepared statement is gone or no longer fits the tables. PostgreSQL refused it before running it.
export function isStalePlan(thrown: unknown): boolean {
  const code = errorCode(thrown);
  if (code === "26000") return true;
  return code === "0A000" && thrown instanceof Error && thrown.message.includes("cached plan must not change");
}
