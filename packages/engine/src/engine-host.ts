// What an engine needs from its host, and what it tells. The engine itself opens no socket, knows no database
// and holds no credential: files, models and results all go through these four functions.
import { type ApplicationProfile, defaultProfile } from "./application-profile.ts";
import type { FileReference, Graph } from "./graph/graph.ts";

export interface EngineJob {
  readonly id: string;
  readonly graph: Graph;
  // What the submission wants embedded beside the executed graph, each member as a text of its own: an editor's graph is
  // `workflow`.
  readonly pngInfo?: Readonly<Record<string, unknown>>;
  // Results may be reused between jobs of one scope only (a workspace), never across. Absent: nothing is kept.
  readonly cacheScope?: string;
  readonly limits?: Partial<EngineLimits>;
  // Output nodes to run; absent: all of them.
  readonly outputs?: readonly string[];
}

export interface EngineLimits {
  // From the moment the job has a child to its end, model calls included.
  readonly seconds: number;
  // One node of a class that only computes: neither a model nor a file is waited for.
  readonly nodeSeconds: number;
  // Pictures, masks and encoded files alive at the same time.
  readonly memoryBytes: number;
  // Pixels of one picture, decoded or made.
  readonly pixels: number;
  // Bytes of all outputs together.
  readonly outputBytes: number;
  // Bytes of one input file.
  readonly inputBytes: number;
  // No limit, but it travels with them: which version of the application is followed.
  readonly profile: ApplicationProfile;
}

export const defaultLimits: EngineLimits = {
  seconds: 600,
  nodeSeconds: 180,
  memoryBytes: 1024 ** 3,
  pixels: 16384 * 16384,
  outputBytes: 1024 ** 3,
  inputBytes: 256 * 1024 ** 2,
  profile: defaultProfile,
};

// The bytes of a file the graph names. `hash` decides whether the file changed since a cached run; without it the bytes
// are hashed here. A path is read in place and never deleted.
export type AssetContent =
  | { readonly path: string; readonly hash?: string }
  | { readonly bytes: Uint8Array; readonly hash?: string }
  | { readonly stream: AsyncIterable<Uint8Array>; readonly hash?: string };

export interface ModelCall {
  readonly nodeId: string;
  // `{provider}/{model}`
  readonly model: string;
  // The partner's native JSON input.
  readonly input: Uint8Array;
  // Decisions, section 6: `job:{job}:{node}:{input hash}`, so that a second attempt collects instead of paying again.
  readonly callKey: string;
}

// The partner's native output. A host that fetched the picture itself may hand over its bytes (`image/png` …) instead.
export interface ModelAnswer {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export type OutputKind = "image" | "video" | "audio" | "text" | "file" | "latent";

// `temp`: a preview, not a result. `shown`: whole pictures for those who watch.
export type OutputFolder = "output" | "temp" | "shown";

export interface EngineOutput {
  readonly nodeId: string;
  readonly classType: string;
  readonly name: string;
  readonly subfolder: string;
  readonly folder: OutputFolder;
  readonly kind: OutputKind;
  readonly contentType: string;
  readonly sizeBytes: number;
  // Read it before saveOutput resolves: it is removed afterwards.
  readonly path: string;
  // Made by an earlier job and unchanged since.
  readonly reused: boolean;
  readonly animated: boolean;
}

export interface EngineProgress {
  // 0..1, never falls within a job.
  readonly value: number;
  readonly nodesDone: number;
  readonly nodesTotal: number;
  readonly currentNode: string | null;
  readonly currentNodeClass: string | null;
  readonly step: number | null;
  readonly steps: number | null;
  readonly message: string | null;
}

export type EngineEvent =
  // First, once. `cached`: nodes whose results are reused.
  | { readonly kind: "started"; readonly nodesTotal: number; readonly cached: readonly string[] }
  | { readonly kind: "node_started"; readonly nodeId: string; readonly classType: string }
  // `ms`: how long it ran; 0 when its result was known.
  | {
      readonly kind: "node_finished";
      readonly nodeId: string;
      readonly classType: string;
      readonly cached: boolean;
      readonly ms: number;
    }
  | { readonly kind: "progress"; readonly progress: EngineProgress }
  // At most about four a second; the newest replaces the older.
  | { readonly kind: "preview"; readonly nodeId: string; readonly contentType: string; readonly bytes: Uint8Array };

export interface EngineHost {
  // A rejection fails the node and so the job. Throw a HostRefusal to choose what the caller reads.
  readAsset(reference: FileReference, signal: AbortSignal): Promise<AssetContent>;
  callModel(call: ModelCall, signal: AbortSignal): Promise<ModelAnswer>;
  // The job goes on, and ends, only when every output was taken.
  saveOutput(output: EngineOutput, signal: AbortSignal): Promise<void>;
  onEvent(event: EngineEvent): void;
}

export type EngineFailureCode =
  | "invalid_workflow"
  | "node_execution_error"
  | "asset_unavailable"
  | "model_call_failed"
  | "output_not_saved"
  | "out_of_memory"
  | "timed_out"
  | "engine_crashed"
  | "engine_closed";

export interface EngineFailure {
  readonly code: EngineFailureCode;
  // For people; holds no path of ours and no upstream detail.
  readonly message: string;
  readonly nodeId: string | null;
  readonly classType: string | null;
  // True when the same job may succeed on another attempt (crash, closed), false when it is the graph's own fault.
  readonly isRetryable: boolean;
}

export interface EngineMetrics {
  readonly executionMs: number;
  readonly nodesRun: number;
  readonly nodesCached: number;
  readonly memoryBytesPeak: number;
  readonly outputs: number;
  readonly modelCalls: number;
}

export type EngineResult =
  | { readonly status: "succeeded"; readonly metrics: EngineMetrics }
  | { readonly status: "failed"; readonly failure: EngineFailure; readonly metrics: EngineMetrics | null }
  | { readonly status: "canceled"; readonly metrics: EngineMetrics | null };

export interface EnginePool {
  readonly size: number;
  // Children that could take a job at once.
  readonly free: number;
  // For monitoring of the machine.
  readonly processIds: readonly number[];
  // Waits for a free child. Never rejects: whatever happens to the child is told in the result. Aborting the signal
  // cancels the job: it is asked to stop, and its child is killed when it has not within a second.
  run(job: EngineJob, host: EngineHost, signal?: AbortSignal): Promise<EngineResult>;
  // Starts the children now, so that the first job need not wait for one.
  warm(): Promise<void>;
  // Cancels what runs (as `engine_closed`, retryable) and resolves when the last process has ended.
  close(): Promise<void>;
}

export interface EnginePoolOptions {
  // Children, and so jobs at the same time.
  readonly size: number;
  // Folder for the jobs' scratch files; a folder per job is made in it and removed. Default: the system's.
  readonly scratchDirectory?: string;
  // What a child may hold beyond the runtime, whatever its job's own budget says. Default: 2,048.
  readonly memoryMegabytesMax?: number;
  // A child without work is ended after this long; default 300. 0 keeps it for ever.
  readonly idleSecondsMax?: number;
  readonly limits?: Partial<EngineLimits>;
  readonly log?: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
}
