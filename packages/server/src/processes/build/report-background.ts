// Writes down what this process does by itself, for operators who look at all processes in one place. Begun when everything
// else runs, so that the first writing is complete.
import { hostname } from "node:os";
import { type BackgroundReports, createBackgroundReports } from "../../capabilities/background-reports/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";

export function backgroundReportsOf(deps: {
  readonly database: Database;
  readonly clock: Clock;
  // The command, for people.
  readonly name: string;
}): BackgroundReports {
  const { database, clock } = deps;
  const processName = `${deps.name.slice(0, 80)} on ${hostname().slice(0, 80)} ${process.pid}`;
  return createBackgroundReports({ database, clock, processName });
}

export function reportBackground(reports: BackgroundReports, life: Lifecycle): void {
  const running = reports.run(life.background, life.stopping);
  life.onStop("background reports", () => running);
}
