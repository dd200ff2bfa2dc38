// Checks on an open database, shared by `atelier doctor` and a running server.
import {
  createBackgroundReports,
  type ProcessReport,
  problemsOf,
} from "../../capabilities/background-reports/index.ts";
import { listRefusals } from "../../capabilities/credential-refusals/shared-sql.ts";
import { presentWorkers } from "../../capabilities/pools/index.ts";
import type { WorkRole } from "../../foundation/background.ts";
import { type Clock, systemClock } from "../../foundation/clock.ts";
import { clockSkewMs, type Database, pendingMigrations, serverVersionOf } from "../../foundation/database/index.ts";
import { sharedPool } from "../../surfaces/pools.ts";
import { migrationsDirectory } from "../build/open/open-storage.ts";
import { allInvariants } from "../invariants.ts";
import { type Finding, problem, warning, well } from "./doctor-finding.ts";
import { lookAtWaiting } from "./doctor-waiting.ts";

interface Open {
  readonly database: Database;
}

// Its version and clock, and whether its schema matches this program.
export async function lookAtSchema(
  storage: Open & { readonly isEmbedded: boolean },
  clock: Clock = systemClock,
): Promise<{
  readonly findings: readonly Finding[];
  readonly isCurrent: boolean;
}> {
  const { database, isEmbedded } = storage;
  const version = await serverVersionOf(database);
  const skew = Math.abs(await clockSkewMs(database, clock.now()));
  const { pending, version: schema } = await pendingMigrations(database, migrationsDirectory);
  const findings = [
    well("database", `PostgreSQL ${version}${isEmbedded ? " (embedded)" : ""}, schema version ${schema}`),
    skew > 5000
      ? warning("clock", skewText(skew), "synchronize the clocks (NTP); leases and expiries use the database's")
      : well("clock", skewText(skew)),
  ];
  if (pending.length === 0) return { findings, isCurrent: true };
  const count = `${pending.length} pending`;
  const mend = isEmbedded
    ? warning("migrations", count, "start the server, which applies them, or run: atelier migrate")
    : problem("migrations", count, "run: atelier migrate");
  return { findings: [...findings, mend], isCurrent: false };
}

const skewText = (skew: number): string => `${Math.round(skew)} ms off the database's clock`;

export async function lookAtWorkers({ database }: Open, clock: Clock): Promise<Finding[]> {
  const present = await presentWorkers(database, sharedPool);
  const slots = present.reduce((sum, worker) => sum + worker.slots, 0);
  if (slots > 0) {
    const here = well("workers", `${present.length} running, ${slots} ${slots === 1 ? "slot" : "slots"}`);
    return [here, ...(await lookAtWaiting(database, clock))];
  }
  // A running server brings its own worker; without a server nothing waits for one.
  return [well("workers", "none running; a server starts its own, and atelier worker adds more")];
}

export async function lookAtBackground({ database }: Open): Promise<Finding[]> {
  const { reports, now } = await createBackgroundReports({
    database,
    clock: systemClock,
    processName: "doctor",
  }).list();
  if (reports.length === 0) return [well("background", "no server is running")];
  const looks = reports.map((report) => {
    const [first, ...more] = problemsOf(report, now);
    const count = `${report.works.length} tasks`;
    if (first === undefined) return well("background", `${report.name}: ${count}, all healthy`);
    const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
    return warning("background", `${report.name}: ${first}${others}`, "see all of them: GET /admin/background-work");
  });
  return [...looks, ...leftUndone(reports)];
}

// Recognised by work that only a process of this role does.
const signs: Readonly<Record<WorkRole, string>> = {
  background: "calls: take over what dead processes left",
  webhooks: "webhooks: look for due deliveries",
};

function leftUndone(reports: readonly ProcessReport[]): Finding[] {
  const names = new Set(reports.flatMap(({ works }) => works.map(({ name }) => name)));
  return Object.entries(signs).flatMap(([role, sign]) =>
    names.has(sign)
      ? []
      : [warning("roles", `no process has the role ${role}`, `start one with ${role} in ATELIER_ROLES`)],
  );
}

// From the last day: older refusals were fixed, or the credential is no longer used.
export async function lookAtCredentials({ database }: Open): Promise<Finding[]> {
  const refused = await listRefusals(database, 24);
  if (refused.length === 0) return [well("credentials", "none rejected in the last day")];
  return refused.map(({ holder, setting, status, words, lastAt }) =>
    warning(
      "credentials",
      `${holder} rejected ${setting}: ${status}${words === null ? "" : ` "${words}"`}, last at ${lastAt.toISOString()}`,
      `check the account there, or replace the credential: set ${setting} and restart, or, if it was entered in the console or with PUT /admin/providers/${holder}/credential, replace it there without a restart`,
    ),
  );
}

export async function lookAtInvariants({ database }: Open): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const invariant of allInvariants) {
    const broken = (await database.query(invariant.statement)).length;
    if (broken === 0) continue;
    const message = `${invariant.name}: ${broken} row(s)`;
    findings.push(problem("invariant", message, invariant.mend ?? "restore a backup, or report a bug with this line"));
  }
  return [...findings, well("invariants", `${allInvariants.length} checked`)];
}

// Call after the store has been contacted: its answers reveal its clock.
export function storeClock(store: { clockProblem(): string | null }): readonly Finding[] {
  const found = store.clockProblem();
  return found === null
    ? []
    : [warning("store's clock", found, "synchronize the clocks (NTP) of the store and of this machine")];
}
