// The one protocol between the queue and the workers, in this process or behind HTTPS: claim, heartbeat,
// progress, preview, output, finish, giveBack. Every write carries the attempt: a stale worker changes nothing.
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { AssetId } from "../assets/index.ts";
import type { JobId, JobOutput, JobPreview, JobProblem, JobProgress, OutputFolder, PoolId, WorkerId } from "./job.ts";
import type { WorkerOffer } from "./job-needs.ts";

export interface WorkRequest {
  readonly workerId: WorkerId;
  readonly slots: number;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  // What it can run; absent: whatever comes.
  readonly offer?: WorkerOffer;
}

// `canceling`: interrupt the work and finish as canceled. `lost`: stop at once and publish nothing.
export type LeaseState = "running" | "canceling" | "lost";

export interface JobLease {
  readonly jobId: JobId;
  readonly attempt: number;
  readonly workerId: WorkerId;
}

// One attempt of one job.
export const leaseKey = ({ jobId, attempt }: JobLease): string => `${jobId} ${attempt}`;

// What one run may take; null: as the worker's own settings say.
export interface RunBounds {
  readonly secondsMax: number | null;
  readonly memoryMegabytesMax: number | null;
}

export interface ClaimedJob {
  readonly lease: JobLease;
  // Claimed just now and for the first time: nothing can have been begun for it yet.
  readonly isNew: boolean;
  readonly workspaceId: WorkspaceId;
  readonly workflow: Buffer;
  // What saved files carry besides the graph, as the JSON text of an object; null or absent: nothing.
  readonly pngInfo?: string | null;
  readonly nodesTotal: number;
  // Opened for this attempt only.
  readonly extraData: Readonly<Record<string, string>> | null;
  readonly apiKeyId: string | null;
  readonly expiresAt: Date;
  // Where its submission stands in its trace; null or absent: in none.
  readonly traceparent?: string | null;
  // As the pool's deployment said when the job was handed out; absent: it said nothing.
  readonly bounds?: RunBounds;
}

export interface OutputInput {
  readonly nodeId: string;
  // Rises within the attempt; together with the node it is what makes a repeated output one output.
  readonly index: number;
  readonly name: string;
  readonly contentType: string;
  // Absent: a result.
  readonly folder?: OutputFolder;
  readonly source: AsyncIterable<Uint8Array>;
  // 64 hexadecimal digits, where they are known before: other bytes are refused with hash_mismatch.
  readonly expectedHash?: string;
}

export type JobEnding =
  | { readonly kind: "succeeded"; readonly outputsReused: boolean; readonly executedWorkflow: Buffer | null }
  // `isRetryable`: the fault may be the worker's; the job runs again while it has attempts left.
  | { readonly kind: "failed"; readonly problem: JobProblem; readonly isRetryable: boolean }
  | { readonly kind: "canceled" };

// How the nodes are doing at the moment it is asked (node-picture.ts): a picture is made when one is written, not when
// something changes.
export type NodesNow = () => string | null;

export interface WorkerPort {
  // At most `slots` jobs, fairly over workspaces; [] when there is none or the signal fires. Waits up to `waitMs`.
  claim(asked: WorkRequest & { readonly poolId: PoolId }): Promise<readonly ClaimedJob[]>;
  // What this worker id still has from a process before this one: to be gone on with, under the same attempts.
  resume(asked: { readonly workerId: WorkerId; readonly poolId: PoolId }): Promise<readonly ClaimedJob[]>;
  heartbeat(leases: readonly JobLease[]): Promise<readonly LeaseState[]>;
  // Live only: throttled, newest wins, never waited for.
  progress(lease: JobLease, progress: JobProgress, nodes?: NodesNow): void;
  preview(lease: JobLease, preview: JobPreview): void;
  // Null: the lease is lost.
  output(lease: JobLease, output: OutputInput): Promise<JobOutput | null>;
  // One transaction: state, outputs made visible, settlement, webhook event, extra data erased. False: lease lost.
  // `nodes`: how they stood at the end; null: what was told last counts.
  finish(lease: JobLease, ending: JobEnding, nodes?: string | null): Promise<boolean>;
  // Soft stop: back to queued without using up the attempt.
  giveBack(lease: JobLease): Promise<void>;
  // A model-calling node is about to pay for itself: its part of the hold becomes available again first.
  releasePart(lease: JobLease, part: string): Promise<void>;
}

// As this process has it, over its own database. What only a stand-in for workers outside needs, who must
// ask for each thing whether the worker may have it.
export interface QueuePort extends WorkerPort {
  // Whose job a lease is; null: the lease is lost.
  holderOf(lease: JobLease): Promise<{ readonly workspaceId: WorkspaceId } | null>;
  // Whether this asset is one that the leased job was given.
  isInput(lease: JobLease, assetId: AssetId): Promise<boolean>;
  // An output whose bytes the job's workspace has already. Null: the lease is lost. Throws blob_not_found.
  knownOutput(lease: JobLease, output: KnownOutput): Promise<JobOutput | null>;
}

export interface KnownOutput extends Omit<OutputInput, "source"> {
  readonly hash: string;
}
