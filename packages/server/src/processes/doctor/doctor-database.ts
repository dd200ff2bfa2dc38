// What `atelier doctor` checks with the database open: its version and clock, migrations, the key ring, the blobs, the workers
// and every invariant.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { findRingDisagreement } from "../../capabilities/secrets/index.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { errorCode } from "../../foundation/database/index.ts";
import { openBlobs } from "../build/build-calls.ts";
import { openRing } from "../build/build-capabilities.ts";
import { type CommandParts, isNeverStarted, withinProcess } from "../commands/within-process.ts";
import { scheduleOf } from "../upkeep/build-backups.ts";
import { lookAtBackups } from "./doctor-backups.ts";
import { type Finding, problem, warning, well } from "./doctor-finding.ts";
import {
  lookAtBackground,
  lookAtCredentials,
  lookAtInvariants,
  lookAtSchema,
  lookAtWorkers,
  storeClock,
} from "./doctor-looks.ts";

export async function lookAtDatabase(config: Config): Promise<Finding[]> {
  // The check must not create anything: a folder where nothing was ever started is reported as such.
  if (isNeverStarted(config))
    return [
      warning(
        "database",
        `no server was ever started in ${resolve(config.home)}`,
        "start one: atelier serve; if the data folder is elsewhere, set --home or ATELIER_HOME",
      ),
    ];
  try {
    return await withinProcess(config, (parts) => lookInside(config, parts));
  } catch (error) {
    return [databaseProblem(config, error)];
  }
}

export function databaseProblem(config: Pick<Config, "home" | "databaseUrl">, error: unknown): Finding {
  const [reason = ""] = (error instanceof Error && error.message !== "" ? error.message : String(error)).split("\n");
  return problem("database", `${reason}${whereAndWhy(config, error)}`, adviceFor(config, error));
}

const noSuchDatabase = "3D000";

// Which server we tried and how the connection failed, without the user or password.
function whereAndWhy(config: Pick<Config, "databaseUrl">, error: unknown): string {
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

function adviceFor(config: Pick<Config, "home" | "databaseUrl">, error: unknown): string {
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

async function lookInside(config: Config, parts: CommandParts): Promise<Finding[]> {
  const { storage } = parts;
  const { findings, isCurrent } = await lookAtSchema(storage);
  if (!isCurrent) return [...findings, invariantsNotAsked];
  return [
    ...findings,
    await lookAtRing(config, parts),
    ...(await lookAtBlobs(config)),
    ...(await lookAtWorkers(storage, systemClock)),
    ...(await lookAtBackground(storage)),
    ...(await lookAtCredentials(storage)),
    ...(await lookAtBackups({ database: storage.database, clock: systemClock, schedule: scheduleOf(config) })),
    ...(await lookAtInvariants(storage)),
  ];
}

// The invariants query the tables of this version.
const invariantsNotAsked = warning(
  "invariants",
  "not checked: migrations are pending",
  "apply them, then run atelier doctor again",
);

export async function lookAtRing(
  config: Config,
  { storage }: { readonly storage: Pick<CommandParts["storage"], "database"> },
): Promise<Finding> {
  const file = config.secretsFile ?? join(config.home, "secrets.json");
  if (config.secrets === null && !existsSync(file))
    return problem(
      "key ring",
      `not found at ${file}`,
      "restore it from your copy; if it is lost for good: atelier secrets adopt --yes",
    );
  let ring: Awaited<ReturnType<typeof openRing>>;
  try {
    ring = await openRing({ config, clock: systemClock });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return problem("key ring", reason, "fix this, or restore it from your copy");
  }
  const disagreement = await findRingDisagreement({ database: storage.database, ring, clock: systemClock });
  if (disagreement === null) return well("key ring", "matches the database");
  return problem("key ring", disagreement, "restore the matching secrets.json, or run: atelier secrets adopt --yes");
}

export async function lookAtBlobs(config: Config): Promise<Finding[]> {
  const name = "blobs";
  const location = config.blobs?.replace(/\?.*$/, "") ?? "the data folder";
  const mend = "check ATELIER_BLOBS, its credentials and permissions";
  let storage: Awaited<ReturnType<typeof openBlobs>>;
  try {
    storage = await openBlobs(config);
  } catch (error) {
    return [problem(name, error instanceof Error ? error.message : String(error), mend)];
  }
  const unreachable = await storage.reachProblem();
  if (unreachable !== null) return [problem(name, `${location}: ${unreachable}`, mend)];
  const space = await storage.spaceProblem().catch((error: unknown) => String(error));
  if (space !== null)
    return [problem(name, `${location}: ${space}`, "free some space there; uploads and results are refused")];
  return [well(name, `${location} is readable and writable`), ...storeClock(storage)];
}
