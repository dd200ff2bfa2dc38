// How the jobs of all workspaces fare, for operators.
import type { Queryable } from "../../../foundation/database/index.ts";
import { findJobFigures } from "../job-invariants-store.ts";
import type { JobPoint, JobSpan } from "./job-point.ts";
import { sumJobs } from "./job-series-store.ts";

export interface JobSeries {
  readonly points: readonly JobPoint[];
  readonly now: { readonly queued: number; readonly running: number };
}

export async function readJobSeries(database: Queryable, span: JobSpan): Promise<JobSeries> {
  const [points, { queued, running }] = await Promise.all([sumJobs(database, span), findJobFigures(database)]);
  return { points, now: { queued, running } };
}
