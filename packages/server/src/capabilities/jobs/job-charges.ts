// Says of jobs that have ended what they were charged. A job that held no credits cost nothing, and is not asked for: reads
// of jobs that are free cost no further statement.
import type { Queryable } from "../../foundation/database/index.ts";
import { chargesOfJobs } from "../calls/index.ts";
import { type Job, terminalStates } from "./job.ts";
import type { FoundJob } from "./job-store.ts";

export async function withCharges<Found extends Pick<FoundJob, "job">>(
  db: Queryable,
  found: readonly Found[],
): Promise<readonly Found[]> {
  const isAsked = ({ creditsUsed, state }: Job) => creditsUsed === null && terminalStates.has(state);
  const asked = found.map(({ job }) => job).filter(isAsked);
  if (asked.length === 0) return found;
  const charges = await chargesOfJobs(db, asked);
  return found.map((one) => ({
    ...one,
    job: { ...one.job, creditsUsed: charges.get(one.job.id) ?? one.job.creditsUsed },
  }));
}
