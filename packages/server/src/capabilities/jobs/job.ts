// A job: one run of a workflow. queued → running → succeeded | failed; queued → canceled;
// running → canceling → canceled; queued | running → expired. A terminal state never changes (decisions, section 6).
import type { JobState } from "@atelier/contract";
import type { Id, KeyId, WorkspaceId } from "../../foundation/ids.ts";
import type { Labels } from "../../foundation/json/labels.ts";
import type { AssetId, JobId } from "../assets/index.ts";
import type { JobNeeds } from "./job-needs.ts";
import type { OutputTarget } from "./outputs/output-target.ts";

export type { JobState } from "@atelier/contract";
export type { JobId } from "../assets/index.ts";
// Which workers may take a job: the shared ones, or those of one deployment.
export type PoolId = Id<"pool">;
export type WorkerId = Id<"worker">;

export const terminalStates: ReadonlySet<JobState> = new Set(["succeeded", "failed", "canceled", "expired"]);

export interface Job {
  readonly id: JobId;
  readonly workspaceId: WorkspaceId;
  readonly poolId: PoolId;
  readonly state: JobState;
  // Rises with every change of state and every output. Streams resume from it.
  readonly version: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly expiresAt: Date;
  // How many of the caller's own jobs are ahead while it is queued, counted up to a bound.
  readonly queuePosition: number | null;
  readonly progress: JobProgress | null;
  readonly outputs: readonly JobOutput[];
  readonly error: JobProblem | null;
  readonly outputsReused: boolean;
  // What it was charged. Null until it has ended, or if the charge was not read.
  readonly creditsUsed: bigint | null;
  readonly metadata: JobMetadata | null;
  readonly priority: number;
  readonly attempt: number;
  // The hash of what the graph needs from its worker (needsIdOf), while queued. Null or absent if any worker of the pool can
  // run it.
  readonly needsId?: string | null;
  // The lock of the environment that its newest attempt ran in. Absent if that worker had none.
  readonly lockId?: string;
  // The state of deliveries to its output target. Absent if it has no target.
  readonly delivery?: JobDelivery;
}

export interface ExecutedGraph {
  readonly graph: Buffer;
  // The lock of the environment that it ran in. Null if that worker had none, or it has not run.
  readonly lockId: string | null;
}

export interface NamedJob {
  readonly id: JobId;
  readonly state: JobState;
  readonly createdAt: Date;
  readonly metadata: string | null;
}

export interface JobDelivery {
  readonly delivered: number;
  readonly pending: number;
  readonly failed: number;
  readonly lastError: string | null;
}

// The submission's metadata in the form it was sent. A map may have any key, including `__proto__`.
export type JobMetadata = string | Readonly<Record<string, string>>;

export interface JobProgress {
  // 0..1 over the submitted graph. Never falls, not even across attempts.
  readonly value: number;
  readonly nodesDone: number;
  readonly nodesTotal: number;
  readonly currentNode: string | null;
  readonly currentNodeClass: string | null;
  readonly step: number | null;
  readonly steps: number | null;
  readonly message: string | null;
  // The state of each node (node-picture.ts). Null if not reported, absent if not requested.
  readonly nodes?: string | null;
}

export interface JobPreview {
  readonly nodeId: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface JobProblem {
  readonly code: string;
  readonly message: string;
  readonly nodeId: string | null;
  readonly classType: string | null;
}

// `output`: a result. `temp`: a file that a node only displays. `shown`: a full picture for watchers that is in no history
// of files.
export const outputFolders = ["output", "temp", "shown"] as const;
export type OutputFolder = (typeof outputFolders)[number];

export interface JobOutput {
  readonly assetId: AssetId;
  readonly nodeId: string;
  readonly name: string;
  readonly kind: "image" | "video" | "audio" | "text" | "file" | "latent";
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly hash: string;
  readonly folder: OutputFolder;
  // The version the job had when this output was added.
  readonly version: number;
}

export interface Submission {
  // Given if something else knows the job by it already. A new one if absent.
  readonly id?: JobId;
  readonly workspaceId: WorkspaceId;
  readonly apiKeyId: KeyId | null;
  readonly poolId: PoolId;
  // The graph to run, as JSON, with asset references still in it.
  readonly workflow: Buffer;
  // Metadata that saved files carry besides the graph, as the JSON text of an object. An editor's graph is its `workflow`.
  readonly pngInfo?: string | null;
  readonly nodesTotal: number;
  // Every asset the graph refers to. Held until the job has ended.
  readonly assetIds: readonly AssetId[];
  readonly metadata: JobMetadata | null;
  // What its run and the calls of its nodes are counted under.
  readonly labels?: Labels;
  readonly priority: number;
  readonly webhookUrl: string | null;
  // Sealed in the row, opened for the claiming attempt, erased when the job ends.
  readonly extraData: Readonly<Record<string, string>> | null;
  // Sealed in a separate row until everything is delivered. If absent, outputs are stored but not delivered.
  readonly outputTarget?: OutputTarget | null;
  readonly idempotencyKey: string | null;
  // Hash of the canonical body without extra_data.
  readonly fingerprint: Buffer;
  // The hash of what the graph needs from its worker (needsIdOf). Absent if any worker of the pool can run it.
  readonly needsId?: string | null;
  // The same unhashed, so that the graph need not be read for it.
  readonly needs?: JobNeeds;
  // The most the run can cost, in micro-credits, by part ("run" or a node id). Held now, settled by what ran.
  readonly holds: readonly { readonly part: string; readonly amount: bigint }[];
}

export type Submitted =
  | { readonly kind: "created"; readonly job: Job }
  | { readonly kind: "replayed"; readonly job: Job }
  | { readonly kind: "key_reused" }
  | { readonly kind: "queue_full"; readonly retryAfterSeconds: number }
  | { readonly kind: "no_credit"; readonly available: bigint }
  | { readonly kind: "missing_assets"; readonly assetIds: readonly AssetId[] };
