// What a person is told about a database that cannot be used: which one, and why.
import { join, resolve } from "node:path";
import { AwayFault, Fault } from "../../fault.ts";
import { type Secret, UsageProblem } from "../../settings.ts";
import { addressesOf } from "../connection.ts";
import { errorCode, isConnectionLoss } from "../database-errors.ts";

// "The database is not available" does not help at a start, so we say which one and why. Neither does "no such file", about the
// embedded one's socket. The driver's messages contain no password.
export function reachProblem(
  storage: { readonly isEmbedded: boolean; readonly location: string },
  error: unknown,
): unknown {
  const isOurs = error instanceof UsageProblem || (error instanceof Error && error.name === "MigrationRefused");
  if (isOurs || !(error instanceof Error) || (storage.isEmbedded && !isAway(error))) return error;
  const mend = storage.isEmbedded
    ? `See ${storage.location}.log, then start again.`
    : "Check DATABASE_URL, and that the database is running.";
  const words = `The database at ${storage.location} cannot be used: ${reasonOf(error)}. ${mend}`;
  return new Fault("service_unavailable", words, { cause: error });
}

const isAway = (error: Error) => error instanceof AwayFault || isConnectionLoss(error);

function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  const words = cause.message.split("\n")[0] ?? "";
  const code = errorCode(cause);
  const both =
    code === undefined || words.includes(code) ? words || (code ?? "") : [words, code].filter(Boolean).join(", ");
  return both === "" ? cause.name : both;
}

export function databaseLocation(config: { readonly home: string; readonly databaseUrl: Secret | null }): string {
  const address = config.databaseUrl?.reveal() ?? null;
  if (address === null) return join(resolve(config.home), "postgres");
  const urls = addressesOf(address).map((each) => URL.parse(each));
  const hosts = urls.map((url) => url && `${url.hostname || "its socket"}:${url.port || "5432"}`);
  return hosts.includes(null) ? "DATABASE_URL" : `${hosts.join(", ")}${urls[0]?.pathname}`;
}
