// What `atelier doctor` sees with the database open: its version and clock, migrations, the key ring, the blobs, the
// workers and every invariant.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createBackgroundReports, problemsOf } from "../../capabilities/background-reports/index.ts";
import { listRefusals } from "../../capabilities/credential-refusals/index.ts";
import { presentWorkers } from "../../capabilities/pools/index.ts";
import { findRingDisagreement } from "../../capabilities/secrets/index.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { clockSkewMs, errorCode, pendingMigrations, serverVersionOf } from "../../foundation/database/index.ts";
import { sharedPool } from "../../surfaces/pools.ts";
import { openBlobs } from "../build/build-calls.ts";
import { openRing } from "../build/build-capabilities.ts";
import { migrationsDirectory } from "../build/open-storage.ts";
import { type CommandParts, withinProcess } from "../commands/within-process.ts";
import { allInvariants } from "../invariants.ts";
import { type Finding, problem, warning, well } from "./doctor-finding.ts";

export async function lookAtDatabase(config: Config): Promise<Finding[]> {
  // Looking must not make anything: a folder where nothing was ever started is told as such.
  if (config.databaseUrl === null && !existsSync(join(config.home, "postgres")))
    return [
      warning(
        "database",
        `nothing was started in ${resolve(config.home)} yet`,
        "atelier serve makes it; if it is elsewhere, say where: --home, ATELIER_HOME",
      ),
    ];
  try {
    return await withinProcess(config, (parts) => lookInside(config, parts));
  } catch (error) {
    const [reason = ""] = (error instanceof Error && error.message !== "" ? error.message : String(error)).split("\n");
    return [problem("database", `${reason}${whereAndWhy(config, error)}`, mendOf(config, error))];
  }
}

// Which server was asked and what the connection ended with; of the address neither user nor password.
function whereAndWhy(config: Config, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null;
  const why = cause === null ? "" : (errorCode(cause) ?? cause.message.split("\n")[0] ?? "");
  const address = config.databaseUrl?.reveal() ?? null;
  const url = address !== null && URL.canParse(address) ? new URL(address) : null;
  const where = url === null ? "" : `${url.hostname}:${url.port || "5432"}${url.pathname}`;
  const facts = [where, why].filter((fact) => fact !== "").join(", ");
  return cause === null || facts === "" ? "" : ` (${facts})`;
}

function mendOf(config: Config, error: unknown): string {
  if (error instanceof Error && error.name === "MigrationRefused")
    return "run the version that this database was made by, or restore a backup into a new home";
  if (config.databaseUrl !== null) return "check DATABASE_URL and that the database server is up";
  return `look at ${join(config.home, "postgres.log")}; a full disk and another user's home are the usual reasons`;
}

async function lookInside(config: Config, parts: CommandParts): Promise<Finding[]> {
  const { storage } = parts;
  const { database } = storage;
  const version = await serverVersionOf(database);
  const skew = Math.abs(await clockSkewMs(database, systemClock.now()));
  const { pending, version: schema } = await pendingMigrations(database, migrationsDirectory);
  const findings = [
    well("database", `PostgreSQL ${version}${storage.isEmbedded ? " (embedded)" : ""}, schema version ${schema}`),
    skew > 5000
      ? warning("clock", skewText(skew), "set the clocks (NTP); leases and expiries go by the database's")
      : well("clock", skewText(skew)),
  ];
  if (pending.length > 0) {
    const count = `${pending.length} pending`;
    return [
      ...findings,
      storage.isEmbedded
        ? warning("migrations", count, "atelier serve applies them when it starts; or run: atelier migrate")
        : problem("migrations", count, "run: atelier migrate"),
    ];
  }
  return [
    ...findings,
    await lookAtRing(config, parts),
    ...(await lookAtBlobs(config)),
    await lookAtWorkers(parts),
    ...(await lookAtBackground(parts)),
    ...(await lookAtCredentials(parts)),
    ...(await lookAtInvariants(parts)),
  ];
}

const skewText = (skew: number): string => `${Math.round(skew)} ms from the database's`;

async function lookAtRing(config: Config, { storage }: CommandParts): Promise<Finding> {
  const file = config.secretsFile ?? join(config.home, "secrets.json");
  if (!existsSync(file))
    return problem(
      "key ring",
      `there is none at ${file}`,
      "put the copy of it there; lost for good: atelier secrets adopt --yes",
    );
  let ring: Awaited<ReturnType<typeof openRing>>;
  try {
    ring = await openRing({ config, clock: systemClock });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return problem("key ring", reason, "mend that, or put the copy of it there");
  }
  const disagreement = await findRingDisagreement({ database: storage.database, ring, clock: systemClock });
  if (disagreement === null) return well("key ring", "agrees with the database");
  return problem("key ring", disagreement, "restore the right secrets.json, or: atelier secrets adopt --yes");
}

async function lookAtBlobs(config: Config): Promise<Finding[]> {
  const name = "blobs";
  const location = config.blobs?.replace(/\?.*$/, "") ?? "the data folder";
  const mend = "check ATELIER_BLOBS, its credentials and its rights";
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
    return [problem(name, `${location}: ${space}`, "make room there: uploads and results are refused")];
  return [well(name, `${location} can be read and written`)];
}

async function lookAtWorkers({ storage }: CommandParts): Promise<Finding> {
  const present = await presentWorkers(storage.database, sharedPool);
  const slots = present.reduce((sum, worker) => sum + worker.slots, 0);
  if (slots > 0) return well("workers", `${present.length} at work, ${slots} ${slots === 1 ? "slot" : "slots"}`);
  // A server that runs brings its own; without one there is nothing to wait for them.
  return well("workers", "none at work: a server brings its own when it runs, and atelier worker adds more");
}

async function lookAtBackground({ storage }: CommandParts): Promise<Finding[]> {
  const { reports, now } = await createBackgroundReports({
    database: storage.database,
    clock: systemClock,
    processName: "doctor",
  }).list();
  if (reports.length === 0) return [well("background", "nothing runs by itself: no server is at work")];
  return reports.map((report) => {
    const [first, ...more] = problemsOf(report, now);
    const count = `${report.works.length} works`;
    if (first === undefined) return well("background", `${report.name}: ${count}, all as they should be`);
    const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
    return warning("background", `${report.name}: ${first}${others}`, "GET /admin/background-work shows all of them");
  });
}

// Of the last day: what is older was mended, or is not used any more.
async function lookAtCredentials({ storage }: CommandParts): Promise<Finding[]> {
  const refused = await listRefusals(storage.database, 24);
  if (refused.length === 0) return [well("credentials", "none was refused in the last day")];
  return refused.map(({ holder, setting, status, words, lastAt }) =>
    warning(
      "credentials",
      `${holder} did not accept ${setting}: ${status}${words === null ? "" : ` "${words}"`}, last at ${lastAt.toISOString()}`,
      `set ${setting} to a credential that it accepts, or look after the account there, and start the server again`,
    ),
  );
}

async function lookAtInvariants({ storage }: CommandParts): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const invariant of allInvariants) {
    const broken = (await storage.database.query(invariant.statement)).length;
    if (broken === 0) continue;
    const message = `${invariant.name}: ${broken} row(s)`;
    findings.push(problem("invariant", message, "restore a backup, or report it with this line"));
  }
  return [...findings, well("invariants", `${allInvariants.length} looked at`)];
}
