import { type BackgroundProcess, type BackgroundWork, operations } from "@atelier/contract";
import { type BackgroundReports, type ProcessReport, problemsOf } from "../../capabilities/background-reports/index.ts";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { freshAnswer } from "./fresh-answer.ts";

export interface BackgroundWorkDeps {
  readonly backgroundReports: Pick<BackgroundReports, "list">;
}

export function listBackgroundWorkRoute({ backgroundReports }: BackgroundWorkDeps): Route<AdminCaller> {
  return route(operations.listBackgroundWork, async () => {
    const { reports, now } = await backgroundReports.list();
    return freshAnswer(200, { data: reports.map((report) => presentProcess(report, now)) });
  });
}

function presentProcess(report: ProcessReport, now: Date): BackgroundProcess {
  return {
    id: report.processId,
    name: report.name,
    started_at: report.startedAt.toISOString(),
    seen_at: report.seenAt.toISOString(),
    works: report.works.map(presentWork),
    problems: [...problemsOf(report, now)],
  };
}

function presentWork({ last, ...work }: ProcessReport["works"][number]): BackgroundWork {
  const { name, everySeconds, isRunning, rounds, failures } = work;
  const presented = { name, every_seconds: everySeconds, is_running: isRunning, rounds, failures };
  if (last === null) return presented;
  const problem = last.problem === null ? {} : { problem: last.problem };
  const { startedAt, milliseconds, result } = last;
  return { ...presented, last: { started_at: startedAt.toISOString(), duration_ms: milliseconds, result, ...problem } };
}
