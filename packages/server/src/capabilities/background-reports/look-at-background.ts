// Whether the background work of every process is healthy, and whether each role is done by one.
import type { WorkRole } from "../../foundation/background.ts";
import { systemClock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { type Finding, warning, well } from "../../foundation/looks/finding.ts";
import { createBackgroundReports } from "./background-reports.ts";
import { type ProcessReport, problemsOf } from "./process-report.ts";

export async function lookAtBackground(database: Database): Promise<Finding[]> {
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
