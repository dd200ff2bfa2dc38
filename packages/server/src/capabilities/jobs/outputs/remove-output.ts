// Deletes an output before its job. It leaves the job and the assets in one transaction, so a job never shows an output that
// does not exist. While the job runs, its outputs cannot be removed.
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { AssetId, Assets } from "../../assets/index.ts";
import { outputHolder } from "../changes/change-jobs.ts";
import { lockJobs } from "../changes/change-store.ts";
import type { JobHints } from "../changes/job-hints.ts";
import { type JobId, terminalStates } from "../job.ts";
import { deleteOutput } from "./output-store.ts";

export interface RemoveOutputDeps {
  readonly database: Database;
  readonly assets: Pick<Assets, "remove" | "releaseOne">;
  readonly hints: Pick<JobHints, "changed">;
  // Drops what this process remembers of the job.
  forget(jobId: JobId): void;
}

export interface RemovedOutput {
  readonly workspaceId: WorkspaceId;
  readonly jobId: JobId;
  readonly assetId: AssetId;
}

export async function removeOutput(deps: RemoveOutputDeps, removed: RemovedOutput): Promise<void> {
  const { workspaceId, assetId, jobId } = removed;
  await deps.assets.remove({ workspaceId, assetId }, (tx) => detach(deps, tx, removed));
  deps.forget(jobId);
  deps.hints.changed([jobId]);
}

async function detach({ assets }: RemoveOutputDeps, tx: Queryable, removed: RemovedOutput): Promise<void> {
  const { workspaceId, jobId, assetId } = removed;
  const job = (await lockJobs(tx, [jobId], { skipLocked: false })).get(jobId);
  if (job?.workspaceId !== workspaceId) throw noSuchOutput();
  if (!terminalStates.has(job.state))
    throw new Fault("conflict", "The job has not finished. Cancel it, or wait until it ends.");
  if (!(await deleteOutput(tx, jobId, assetId))) throw noSuchOutput();
  await assets.releaseOne(tx, assetId, { kind: outputHolder, id: jobId });
}

const noSuchOutput = (): Fault => new Fault("not_found", "There is no such output of a job in this workspace.");
