// What `atelier doctor` checks with the database open: its version and clock, migrations, the key ring, the blobs, the workers
// and every invariant.
import { resolve } from "node:path";
import { lookAtBackground } from "../../capabilities/background-reports/index.ts";
import { lookAtBackups, scheduleOf } from "../../capabilities/backup/index.ts";
import { lookAtBlobs } from "../../capabilities/blobs/index.ts";
import { lookAtRefusals } from "../../capabilities/credential-refusals/index.ts";
import { lookAtWorkers } from "../../capabilities/pools/index.ts";
import { lookAtRing } from "../../capabilities/secrets/index.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { migrationsDirectory } from "../../foundation/database/opening/migrations-directory.ts";
import { lookAtInvariants, lookAtSchema } from "../../foundation/looks/database-looks.ts";
import { databaseProblem } from "../../foundation/looks/database-problem.ts";
import { type Finding, warning } from "../../foundation/looks/finding.ts";
import { type CommandParts, isNeverStarted, withinProcess } from "../commands/within-process.ts";
import { allInvariants } from "../invariants.ts";

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

async function lookInside(config: Config, { storage }: CommandParts): Promise<Finding[]> {
  const { database } = storage;
  const { findings, isCurrent } = await lookAtSchema(storage, migrationsDirectory);
  if (!isCurrent) return [...findings, invariantsNotAsked];
  return [
    ...findings,
    await lookAtRing(config, database, systemClock),
    ...(await lookAtBlobs(config)),
    ...(await lookAtWorkers(database, systemClock, "doctor")),
    ...(await lookAtBackground(database)),
    ...(await lookAtRefusals(database, "doctor")),
    ...(await lookAtBackups({ database, clock: systemClock, schedule: scheduleOf(config) })),
    ...(await lookAtInvariants(database, allInvariants)),
  ];
}

// The invariants query the tables of this version.
const invariantsNotAsked = warning(
  "invariants",
  "not checked: migrations are pending",
  "apply them, then run atelier doctor again",
);
