// The background work of every process of the service in one place: each process writes its own list, and readers
// (operators, `doctor`) read all of them. A killed process is left out after a minute.
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import type { ProcessReport } from "./process-report.ts";
import { forgetReports, listReports, putReport, removeReport } from "./report-store.ts";

export interface BackgroundReports {
  // `now` is the database's time, to which the times in the reports refer.
  list(): Promise<{ readonly reports: readonly ProcessReport[]; readonly now: Date }>;
  // Writes this process's list until the signal fires, and then removes it.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

const writeEveryMs = 15_000;
const presentSeconds = 60;
const forgetSeconds = 3_600;

export function createBackgroundReports(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly processName: string;
}): BackgroundReports {
  const { database, clock } = deps;
  const own = { processId: newId(), name: deps.processName, startedAt: clock.now() };
  return {
    list: () => listReports(database, presentSeconds),
    async run(background, signal) {
      const round = async () => {
        await putReport(database, { ...own, works: background.reports() });
        await forgetReports(database, forgetSeconds);
      };
      await background.run({ name: "background: write down how it goes", everyMs: writeEveryMs, round }, signal);
      await removeReport(database, own.processId).catch(() => undefined);
    },
  };
}
