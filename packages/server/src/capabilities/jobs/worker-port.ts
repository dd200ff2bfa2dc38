// The one protocol between the queue and workers, in this process or over HTTPS: claim, heartbeat, progress, preview,
// output, finish, giveBack. Every write carries the attempt, so a stale worker changes nothing.

import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Labels } from "../../foundation/json/labels.ts";
import type { AssetId } from "../assets/index.ts";
import type { JobId, JobOutput, JobPreview, JobProblem, JobProgress, OutputFolder, PoolId, WorkerId } from "./job.ts";
import type { WorkerOffer } from "./job-needs.ts";

export interface WorkRequest {
  readonly workerId: WorkerId;
  readonly slots: number;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  // What it can run. Absent if it takes any job.
  readonly offer?: WorkerOffer;
  // The lock of the environment that will run the jobs, recorded with them. Null or absent if it has none.
  readonly lockId?: string | null;
}

// `canceling`: interrupt the work and finish as canceled. `lost`: stop immediately and publish nothing.
export type LeaseState = "running" | "canceling" | "lost";

export interface JobLease {
  readonly jobId: JobId;
  readonly attempt: number;
  readonly workerId: WorkerId;
}

// Identifies one attempt of one job.
export const leaseKey = ({ jobId, attempt }: JobLease): string => `${jobId} ${attempt}`;

// Limits of one run. Null means the worker's own settings apply.
export interface RunBounds {
  readonly secondsMax: number | null;
  readonly memoryMegabytesMax: number | null;
}

// A job that a worker is running.
export interface HeldJob {
  readonly jobId: JobId;
  readonly workerId: WorkerId;
  readonly workspaceId: WorkspaceId;
  readonly claimedAt: Date;
}

export interface ClaimedJob {
  readonly lease: JobLease;
  // Just claimed for the first time, so nothing can have been started for it yet.
  readonly isNew: boolean;
  readonly workspaceId: WorkspaceId;
  readonly workflow: Buffer;
  // Metadata that saved files carry besides the graph, as the JSON text of an object. Null or absent if there is none.
  readonly pngInfo?: string | null;
  readonly nodesTotal: number;
  // Opened for this attempt only.
  readonly extraData: Readonly<Record<string, string>> | null;
  readonly apiKeyId: string | null;
  // What the calls of its nodes are counted under. Null or absent if nothing was given.
  readonly labels?: Labels | null;
  readonly expiresAt: Date;
  // The trace context of its submission. Null or absent if there is none.
  readonly traceparent?: string | null;
  // Whether it must not share its engine process with another workspace. False if absent.
  readonly isAlone?: boolean;
  // Set by the pool's deployment when the job was handed out. Absent if it sets none.
  readonly bounds?: RunBounds;
}

export interface OutputInput {
  readonly nodeId: string;
  // Rises within the attempt. Together with the node it identifies an output, so repeating one adds nothing.
  readonly index: number;
  readonly name: string;
  readonly contentType: string;
  // Absent for a result.
  readonly folder?: OutputFolder;
  readonly source: AsyncIterable<Uint8Array>;
  // 64 hexadecimal digits, if known beforehand. Other bytes are refused with hash_mismatch.
  readonly expectedHash?: string;
}

export type JobEnding =
  | { readonly kind: "succeeded"; readonly outputsReused: boolean; readonly executedWorkflow: Buffer | null }
  // `isRetryable`: the worker may be at fault; the job runs again while it has attempts left.
  | { readonly kind: "failed"; readonly problem: JobProblem; readonly isRetryable: boolean }
  | { readonly kind: "canceled" };

// Returns the state of the nodes at this moment (node-picture.ts): the picture is built when it is written, not on every
// change.
export type NodesNow = () => string | null;

export interface WorkerPort {
  // At most `slots` jobs, fairly across workspaces; [] if there are none or the signal fires. Waits up to `waitMs`.
  claim(asked: WorkRequest & { readonly poolId: PoolId }): Promise<readonly ClaimedJob[]>;
  // Jobs this worker id still has from an earlier process, to be continued under the same attempts.
  resume(asked: { readonly workerId: WorkerId; readonly poolId: PoolId }): Promise<readonly ClaimedJob[]>;
  heartbeat(leases: readonly JobLease[]): Promise<readonly LeaseState[]>;
  // Live only: throttled, newest wins, never waited for.
  progress(lease: JobLease, progress: JobProgress, nodes?: NodesNow): void;
  preview(lease: JobLease, preview: JobPreview): void;
  // Null if the lease is lost.
  output(lease: JobLease, output: OutputInput): Promise<JobOutput | null>;
  // One transaction: state, outputs made visible, settlement, webhook event, extra data erased. False if the lease is lost.
  // `nodes` is their final state; null keeps what was reported last.
  finish(lease: JobLease, ending: JobEnding, nodes?: string | null): Promise<boolean>;
  // Soft stop: back to queued without using up the attempt.
  giveBack(lease: JobLease): Promise<void>;
  // A node that calls a model is about to pay for the call itself, so its part of the hold is freed first.
  releasePart(lease: JobLease, part: string): Promise<void>;
}

// The port in this process, over its own database. It adds what the endpoint for remote workers needs, which must check
// everything a worker asks for.
export interface QueuePort extends WorkerPort {
  // Whose job a lease is. Null if the lease is lost.
  holderOf(lease: JobLease): Promise<{ readonly workspaceId: WorkspaceId } | null>;
  // Whether the leased job was given this asset.
  isInput(lease: JobLease, assetId: AssetId): Promise<boolean>;
  // An output whose bytes the job's workspace already has. Null if the lease is lost. Throws blob_not_found.
  knownOutput(lease: JobLease, output: KnownOutput): Promise<JobOutput | null>;
}

export interface KnownOutput extends Omit<OutputInput, "source"> {
  readonly hash: string;
}
