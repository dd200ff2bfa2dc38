// What jobs were charged. We look up ended jobs only, because the cost is known then. A job without a hold may have cost
// something too, if only the run decided which models to call.
import type { Queryable } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { JobParts } from "../calls/index.ts";
import { findJobCharges, findJobPartCharges } from "../calls/shared-sql.ts";
import { type JobId, terminalStates } from "./job.ts";
import type { FoundJob } from "./job-store.ts";
import { findNamedJobs } from "./list-store.ts";

export async function withCharges<Found extends Pick<FoundJob, "job">>(
  db: Queryable,
  found: readonly Found[],
): Promise<readonly Found[]> {
  const ended = found.map(({ job }) => job).filter(({ state }) => terminalStates.has(state));
  if (ended.length === 0) return found;
  const charges = await findJobCharges(db, ended);
  return found.map((one) => ({ ...one, job: { ...one.job, creditsUsed: charges.get(one.job.id) ?? null } }));
}

export interface JobCharge {
  readonly jobId: JobId;
  // Null until it has ended.
  readonly credits: bigint | null;
}

export interface JobCharges extends JobCharge, Pick<JobParts, "nodes"> {
  readonly runningTime: bigint | null;
}

export interface ReadJobCharges {
  // In the given order, from any pool. Unknown jobs, other workspaces' jobs and jobs past retention are left out.
  totals(asked: AskedCharges): Promise<readonly JobCharge[]>;
  // Null for unknown jobs, other workspaces' jobs and jobs past retention alike.
  ofJob(asked: { readonly workspaceId: WorkspaceId; readonly jobId: JobId }): Promise<JobCharges | null>;
}

export interface AskedCharges {
  readonly workspaceId: WorkspaceId;
  readonly jobIds: readonly JobId[];
}

export function createJobCharges(db: Queryable): ReadJobCharges {
  async function totals({ workspaceId, jobIds }: AskedCharges): Promise<readonly JobCharge[]> {
    const found = await findNamedJobs(db, { workspaceId, jobIds });
    const states = new Map(found.map(({ id, state }) => [id, state]));
    const known = jobIds.filter((id) => states.has(id));
    const charges = await findJobCharges(
      db,
      known.map((id) => ({ id, workspaceId })),
    );
    return known.map((jobId) => {
      const state = states.get(jobId);
      const hasEnded = state !== undefined && terminalStates.has(state);
      return { jobId, credits: hasEnded ? (charges.get(jobId) ?? 0n) : null };
    });
  }

  return {
    totals,
    async ofJob({ workspaceId, jobId }) {
      const [total] = await totals({ workspaceId, jobIds: [jobId] });
      if (total === undefined) return null;
      const { runningTime, nodes } = await findJobPartCharges(db, { id: jobId, workspaceId });
      return { ...total, runningTime: total.credits === null ? null : runningTime, nodes };
    },
  };
}
