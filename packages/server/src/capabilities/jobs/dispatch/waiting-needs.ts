// What long-waiting jobs need from a worker, for the operators who can add one.
import type { Queryable } from "../../../foundation/database/index.ts";
import type { PoolId } from "../job.ts";
import type { JobNeeds } from "../job-needs.ts";
import { findGraphs } from "./claim-store.ts";
import { createKnownNeeds } from "./known-needs.ts";
import { findWaitingJobs } from "./pool-work-store.ts";

export interface WaitingNeeds {
  readonly poolId: PoolId;
  // How many jobs have the same needs.
  readonly count: number;
  readonly needs: JobNeeds;
}

const jobsMax = 100_000;

export async function waitingNeeds(db: Queryable): Promise<WaitingNeeds[]> {
  const waiting = await findWaitingJobs(db, jobsMax);
  const needs = await createKnownNeeds((jobIds) => findGraphs(db, jobIds)).of(waiting);
  return waiting.flatMap(({ poolId, count }, at) => {
    const each = needs[at];
    return each ? [{ poolId, count, needs: each }] : [];
  });
}
