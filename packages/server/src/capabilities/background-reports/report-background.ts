// Records this process's background work, so that operators see all processes in one list. Started after everything else, so
// that the first record is complete.
import { hostname } from "node:os";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { type BackgroundReports, createBackgroundReports } from "./background-reports.ts";

export function backgroundReportsOf(deps: {
  readonly database: Database;
  readonly clock: Clock;
  // The command's name, for people.
  readonly name: string;
}): BackgroundReports {
  const { database, clock } = deps;
  const processName = `${deps.name.slice(0, 80)} on ${hostname().slice(0, 80)} ${process.pid}`;
  return createBackgroundReports({ database, clock, processName });
}
