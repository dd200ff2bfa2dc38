// What the capability offers to the area (submit, read, cancel, watch) and to workers (the port).
import type { Background } from "../../foundation/background.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { LabelPair } from "./changes/job-labels.ts";
import type { JobQueue } from "./dispatch/pause-queue.ts";
import type { Job, JobId, JobPreview, JobState, NamedJob, PoolId, Submission, Submitted } from "./job.ts";
import type { ReadJobCharges } from "./job-charges.ts";
import type { JobNeeds } from "./job-needs.ts";
import type { RemovedOutput } from "./outputs/remove-output.ts";
import type { QueuePort } from "./worker-port.ts";

export interface ListJobs {
  readonly workspaceId: WorkspaceId;
  readonly poolId: PoolId;
  readonly states: readonly JobState[] | null;
  readonly metadata: string | null;
  // Only jobs whose metadata is a map that has all of these.
  readonly labels?: readonly LabelPair[];
  readonly idempotencyKey: string | null;
  // Without those that were cleared from the history; absent: all.
  readonly isUncleared?: boolean;
  readonly cursor: string | null;
  readonly limit: number;
}

export interface RequestedJob {
  readonly workspaceId: WorkspaceId;
  readonly poolId: PoolId;
  // Null: no id at all, answered like an unknown one.
  readonly jobId: JobId | null;
}

// What a stream tells, in the order of `version`; each is a whole picture of its kind.
export interface JobChange {
  readonly kind: "status" | "progress" | "preview" | "output";
  readonly job: Job;
  readonly preview: JobPreview | null;
}

export interface Jobs {
  submit(submission: Submission): Promise<Submitted>;
  // Throws not_found: unknown, foreign and past retention alike.
  get(requested: RequestedJob): Promise<Job>;
  // In whatever pool; null: unknown, foreign and past retention alike.
  findAnywhere(wanted: { readonly workspaceId: WorkspaceId; readonly jobId: JobId }): Promise<NamedJob | null>;
  list(asked: ListJobs): Promise<{ readonly jobs: readonly Job[]; readonly nextCursor: string | null }>;
  // The executed graph, else the submitted one.
  workflow(requested: RequestedJob): Promise<Buffer>;
  // What its files carry besides the graph, as the JSON text of an object; null: nothing.
  pngInfo(requested: RequestedJob): Promise<string | null>;
  // Ended jobs leave the history that an application's clients see. Null: all of them.
  clearHistory(asked: Omit<RequestedJob, "jobId"> & { readonly jobIds: readonly JobId[] | null }): Promise<void>;
  // Whether it is left out of that history.
  isCleared(wanted: { readonly workspaceId: WorkspaceId; readonly jobId: JobId }): Promise<boolean>;
  // Null while there is none.
  preview(requested: RequestedJob): Promise<JobPreview | null>;
  // What each of them needs of its worker, in their order; null: any worker will do, or it does not wait.
  needsOf(jobs: readonly Job[]): Promise<(JobNeeds | null)[]>;
  // Begun: whether this call began the cancel.
  cancel(requested: RequestedJob): Promise<{ readonly job: Job; readonly begun: boolean }>;
  // All known, or not_found and nothing is canceled. The ids whose cancel this call began.
  cancelMany(asked: Omit<RequestedJob, "jobId"> & { readonly jobIds: readonly JobId[] }): Promise<readonly JobId[]>;
  // Of a job that is over, in whatever pool. Throws not_found; conflict while it runs; asset_in_use where another job needs it.
  removeOutput(removed: RemovedOutput): Promise<void>;
  // Calls back with every change seen from now on, on whatever process it happens; ends by itself never.
  watch(jobId: JobId, receive: (change: JobChange) => void): () => void;
  readonly charges: ReadJobCharges;
  readonly queue: JobQueue;
  readonly workers: QueuePort;
  // Sweeps expired leases and jobs, and throws away what is past retention, until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
