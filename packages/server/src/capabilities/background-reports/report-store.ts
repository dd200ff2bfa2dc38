// One row per running process, in the database's time.
import type { WorkReport } from "../../foundation/background.ts";
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { ProcessReport } from "./process-report.ts";

export async function putReport(db: Queryable, report: Omit<ProcessReport, "seenAt">): Promise<void> {
  await db.execute(sql`
    insert into background_reports (process_id, name, started_at, works)
    values (${report.processId}, ${report.name}, ${report.startedAt}, ${JSON.stringify(report.works)}::jsonb)
    on conflict (process_id) do update set seen_at = clock_timestamp(), works = excluded.works`);
}

export async function removeReport(db: Queryable, processId: string): Promise<void> {
  await db.execute(sql`delete from background_reports where process_id = ${processId}`);
}

// Deletes the reports of killed processes.
export async function forgetReports(db: Queryable, afterSeconds: number): Promise<void> {
  await db.execute(sql`
    delete from background_reports where seen_at < clock_timestamp() - make_interval(secs => ${afterSeconds})`);
}

export async function listReports(
  db: Queryable,
  withinSeconds: number,
): Promise<{ readonly reports: readonly ProcessReport[]; readonly now: Date }> {
  const rows = await db.query<ReportRow & { readonly now: Date }>(sql`
    select process_id, name, started_at, seen_at, works, clock_timestamp() as now from background_reports
    where seen_at >= clock_timestamp() - make_interval(secs => ${withinSeconds})
    order by started_at, process_id`);
  return { reports: rows.map(({ now: _, ...row }) => toReport(row)), now: rows[0]?.now ?? new Date(0) };
}

interface ReportRow extends RowOf<Omit<ProcessReport, "works">> {
  readonly works: readonly StoredWork[];
}

type StoredWork = Omit<WorkReport, "last"> & {
  readonly last: (Omit<NonNullable<WorkReport["last"]>, "startedAt"> & { readonly startedAt: string }) | null;
};

function toReport({ works, ...row }: ReportRow): ProcessReport {
  const readWork = (work: StoredWork) => ({
    ...work,
    last: work.last && { ...work.last, startedAt: new Date(work.last.startedAt) },
  });
  return { ...fromRow<Omit<ProcessReport, "works">>(row), works: works.map(readWork) };
}
