// What the capability offers to areas (submit, read, cancel, watch) and to workers (the port).
import type { Background } from "../../foundation/background.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { LabelPair } from "./changes/job-labels.ts";
import type { JobQueue } from "./dispatch/pause-queue.ts";
import type {
  ExecutedGraph,
  Job,
  JobId,
  JobPreview,
  JobState,
  NamedJob,
  PoolId,
  Submission,
  Submitted,
} from "./job.ts";
import type { ReadJobCharges } from "./job-charges.ts";
import type { JobNeeds } from "./job-needs.ts";
import type { JobRuns } from "./job-runs.ts";
import type { RemovedOutput } from "./outputs/remove-output.ts";
import type { HeldJob, QueuePort } from "./worker-port.ts";

export interface ListJobs {
  readonly workspaceId: WorkspaceId;
  readonly poolId: PoolId;
  readonly states: readonly JobState[] | null;
  readonly metadata: string | null;
  // Only jobs whose metadata is a map with all of these pairs.
  readonly labels?: readonly LabelPair[];
  readonly idempotencyKey: string | null;
  // Excludes jobs cleared from the history. If absent, all are listed.
  readonly isUncleared?: boolean;
  readonly cursor: string | null;
  readonly limit: number;
}

export interface RequestedJob {
  readonly workspaceId: WorkspaceId;
  readonly poolId: PoolId;
  // Null if the caller's text was not an id; answered like an unknown one.
  readonly jobId: JobId | null;
}

// What a stream sends, in the order of `version`. Each change carries the complete state of its kind.
export interface JobChange {
  readonly kind: "status" | "progress" | "preview" | "output";
  readonly job: Job;
  readonly preview: JobPreview | null;
}

export interface Jobs {
  submit(submission: Submission): Promise<Submitted>;
  // Throws not_found for unknown jobs, other workspaces' jobs and jobs past retention alike.
  get(requested: RequestedJob): Promise<Job>;
  // Searches every pool. Null for unknown jobs, other workspaces' jobs and jobs past retention alike.
  findByKey(wanted: { readonly workspaceId: WorkspaceId; readonly key: string }): Promise<NamedJob | null>;
  findAnywhere(wanted: { readonly workspaceId: WorkspaceId; readonly jobId: JobId }): Promise<NamedJob | null>;
  list(asked: ListJobs): Promise<{ readonly jobs: readonly Job[]; readonly nextCursor: string | null }>;
  // The executed graph, or the submitted one if it has not run.
  // Calls back when a job of a pool may be ready to run, here or elsewhere. May miss some. Returns how to end that.
  onReady(receive: (poolId: PoolId) => void): () => void;
  workflow(requested: RequestedJob): Promise<ExecutedGraph>;
  // Metadata that its files carry besides the graph, as the JSON text of an object. Null if there is none.
  pngInfo(requested: RequestedJob): Promise<string | null>;
  // Removes ended jobs from the history that an application's clients see. Null removes all of them.
  clearHistory(asked: Omit<RequestedJob, "jobId"> & { readonly jobIds: readonly JobId[] | null }): Promise<void>;
  // Whether it was removed from that history.
  isCleared(wanted: { readonly workspaceId: WorkspaceId; readonly jobId: JobId }): Promise<boolean>;
  // Null while there is none.
  preview(requested: RequestedJob): Promise<JobPreview | null>;
  // What each job needs from its worker, in the same order. Null if any worker can run it, or if it is not waiting.
  needsOf(jobs: readonly Job[]): Promise<(JobNeeds | null)[]>;
  // `begun`: whether this call started the cancel.
  cancel(requested: RequestedJob): Promise<{ readonly job: Job; readonly begun: boolean }>;
  // If any job is unknown, throws not_found and cancels nothing. Returns the ids whose cancel this call started.
  cancelMany(asked: Omit<RequestedJob, "jobId"> & { readonly jobIds: readonly JobId[] }): Promise<readonly JobId[]>;
  // Removes an output of an ended job, in any pool. Throws not_found; conflict while the job runs; asset_in_use if another
  // job needs it.
  removeOutput(removed: RemovedOutput): Promise<void>;
  // Calls back with every change from now on, in whichever process it happens. Runs until the returned function is called.
  watch(jobId: JobId, receive: (change: JobChange) => void): () => void;
  readonly charges: ReadJobCharges;
  readonly runs: JobRuns;
  readonly queue: JobQueue;
  readonly workers: QueuePort;
  // What the workers of a pool are running, at most 1,000 jobs.
  held(poolId: PoolId): Promise<readonly HeldJob[]>;
  // Sweeps expired leases and jobs, and deletes what is past retention, until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
