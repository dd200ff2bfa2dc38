// What went wrong between us and PostgreSQL, sorted by what the caller can do about it:
// - nothing was done and it may be tried again later: Fault service_unavailable;
// - it is unknown whether it was done: CommitUnknown (reliability rule: read the row by its id before trying again);
// - PostgreSQL gave up this transaction in favour of another one: run it again, which `transaction` does by itself.
// Everything else (a broken constraint, a typing error) passes as PostgreSQL said it.
import { AwayFault } from "../fault.ts";

export class CommitUnknown extends AwayFault {
  constructor(cause: unknown) {
    super("The database went away before it confirmed the change.", cause);
    this.name = "CommitUnknown";
  }
}

export function databaseUnavailable(cause: unknown): AwayFault {
  return new AwayFault("The database is not available right now.", cause);
}

export function databaseBusy(cause: unknown): AwayFault {
  return new AwayFault("The database is busy right now.", cause);
}

// The five-character SQLSTATE of an error of PostgreSQL, or the errno name of a socket error.
export function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

// Which unique index, check or foreign key refused the row.
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
  "57P01", // ended by an administrator
  "57P02", // another server process crashed
  "57P03", // starting up or shutting down
  "57P05", // idle too long
  "25P03", // idle in a transaction too long
  "53300", // too many connections
  "3D000", // the database is not there: being restored, or not made yet
  "25006", // read-only: a standby, or a server that another one has taken over from
]);

// What the driver says without a code.
const connectionSentences =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after calling end)/;

export function isConnectionLoss(thrown: unknown): boolean {
  const code = errorCode(thrown);
  if (code !== undefined) return connectionCodes.has(code) || code.startsWith("08");
  return thrown instanceof Error && connectionSentences.test(thrown.message);
}

// Refused by a server that may not write: nothing was done, and its connection leads to the wrong server.
export function isReadOnlyServer(thrown: unknown): boolean {
  return errorCode(thrown) === "25006";
}

const busyCodes = new Set([
  "57014", // statement_timeout
  "55P03", // lock_timeout
  "53100", // the disk is full
  "53200", // out of memory
  "53400", // a configured limit
  "58030", // the disk cannot be read or written
]);

export function isBusy(thrown: unknown): boolean {
  return busyCodes.has(errorCode(thrown) ?? "");
}

// U+0000 in a text, as such (22021) or escaped in JSON (22P05): it passes every JSON parser and most schemas. Our own texts
// hold none, so at the HTTP entrance it is the request's.
export function isUnstorable(thrown: unknown): boolean {
  const code = errorCode(thrown);
  return code === "22021" || code === "22P05";
}

export function isWorthRetrying(thrown: unknown): boolean {
  const code = errorCode(thrown);
  return code === "40001" || code === "40P01";
}

// The prepared statement behind a name is gone or no longer fits the tables. It was refused before it ran.
export function isStalePlan(thrown: unknown): boolean {
  const code = errorCode(thrown);
  if (code === "26000") return true;
  return code === "0A000" && thrown instanceof Error && thrown.message.includes("cached plan must not change");
}
