// Looks at an open database, shared by `atelier doctor` and a running server: its version, clock and schema, and whether
// every invariant holds.
import { type Clock, systemClock } from "../clock.ts";
import {
  clockSkewMs,
  type Database,
  type Invariant,
  pendingMigrations,
  type Queryable,
  serverVersionOf,
} from "../database/index.ts";
import { type Finding, problem, warning, well } from "./finding.ts";

// Its version and clock, and whether its schema matches this program.
export async function lookAtSchema(
  { database, isEmbedded }: { readonly database: Database; readonly isEmbedded: boolean },
  migrations: string,
  clock: Clock = systemClock,
): Promise<{
  readonly findings: readonly Finding[];
  readonly isCurrent: boolean;
}> {
  const version = await serverVersionOf(database);
  const skew = Math.abs(await clockSkewMs(database, clock.now()));
  const { pending, version: schema } = await pendingMigrations(database, migrations);
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

export async function lookAtInvariants(database: Queryable, invariants: readonly Invariant[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const invariant of invariants) {
    const broken = (await database.query(invariant.statement)).length;
    if (broken === 0) continue;
    const message = `${invariant.name}: ${broken} row(s)`;
    findings.push(problem("invariant", message, invariant.mend ?? "restore a backup, or report a bug with this line"));
  }
  return [...findings, well("invariants", `${invariants.length} checked`)];
}
