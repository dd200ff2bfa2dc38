// What an engine needs from its host, and what it reports. The engine itself opens no socket, knows no database and holds no
// credential: files, models and results all go through these four functions.
import { type ApplicationProfile, defaultProfile } from "./application-profile.ts";
import type { NodeDeclaration } from "./declared/declaration.ts";
import type { FileReference, Graph } from "./graph/graph.ts";
import type { Isolation } from "./isolation/open-isolation.ts";

export interface EngineJob {
  readonly id: string;
  readonly graph: Graph;
  // What the submission wants embedded next to the executed graph, each member as a separate text: an editor's graph is
  // `workflow`.
  readonly pngInfo?: Readonly<Record<string, unknown>>;
  // Results are reused only between jobs of one scope (a workspace), never across. If absent, nothing is kept.
  readonly cacheScope?: string;
  // Run it only in a process that served no other scope, and serves no other one afterwards.
  readonly isAlone?: boolean;
  readonly limits?: Partial<EngineLimits>;
  // Declared classes that the graph uses; none if absent.
  readonly declared?: readonly NodeDeclaration[];
  // Output nodes to run; all of them if absent.
  readonly outputs?: readonly string[];
}

export interface EngineLimits {
  // From the moment the job has a child to its end, model calls included.
  readonly seconds: number;
  // For one node of a class that only computes and waits for neither a model nor a file.
  readonly nodeSeconds: number;
  // For all pictures, masks and encoded files alive at the same time.
  readonly memoryBytes: number;
  // For one picture, decoded or created.
  readonly pixels: number;
  // For all outputs together.
  readonly outputBytes: number;
  // For one input file.
  readonly inputBytes: number;
  // Not a limit, but it travels with them: which version of the application we follow.
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

// The bytes of a file that the graph names. `hash` decides whether the file changed since a cached run; without it the child
// hashes the bytes. A path is read in place and never deleted.
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

// The partner's native output. A host that fetched the picture itself may return its bytes (`image/png` …) instead.
export interface ModelAnswer {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export type OutputKind = "image" | "video" | "audio" | "text" | "file" | "latent";

// `temp`: a preview, not a result. `shown`: full-size pictures for people who watch.
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
  // Read it before saveOutput resolves; it is removed afterwards.
  readonly path: string;
  // Whether an earlier job made it and it is unchanged since.
  readonly reused: boolean;
  readonly animated: boolean;
}

export interface EngineProgress {
  // 0..1, never decreases within a job.
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
  // `ms`: how long it ran; 0 if its result was cached.
  | {
      readonly kind: "node_finished";
      readonly nodeId: string;
      readonly classType: string;
      readonly cached: boolean;
      readonly ms: number;
    }
  | { readonly kind: "progress"; readonly progress: EngineProgress }
  // At most about four a second; a newer one replaces the older.
  | { readonly kind: "preview"; readonly nodeId: string; readonly contentType: string; readonly bytes: Uint8Array };

export interface EngineHost {
  // A rejection fails the node and with it the job. Throw a HostRefusal to choose the message for the caller.
  readAsset(reference: FileReference, signal: AbortSignal): Promise<AssetContent>;
  callModel(call: ModelCall, signal: AbortSignal): Promise<ModelAnswer>;
  // The job continues, and ends, only after every output was taken.
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
  // For people; contains none of our paths and no upstream detail.
  readonly message: string;
  readonly nodeId: string | null;
  readonly classType: string | null;
  // True if the same job may succeed on another attempt (crash, closed), false if the graph itself is at fault.
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
  // Children that could take a job now.
  readonly free: number;
  // For monitoring of the machine.
  readonly processIds: readonly number[];
  // Waits for a free child. Never rejects: the result reports whatever happened to the child. Aborting the signal cancels the
  // job: we ask it to stop, and kill its child if it has not within a second.
  run(job: EngineJob, host: EngineHost, signal?: AbortSignal): Promise<EngineResult>;
  // Starts the children now, so that the first job need not wait for one.
  warm(): Promise<void>;
  // Cancels running jobs (as `engine_closed`, retryable) and resolves when the last process has ended.
  close(): Promise<void>;
}

export interface EnginePoolOptions {
  // The number of children, and so of concurrent jobs.
  readonly size: number;
  // For the jobs' scratch files: each child gets a folder in it, which is removed with it. Default: the system's.
  readonly scratchDirectory?: string;
  // How far the children are walled off. Default: processes of their own, nothing more.
  readonly isolation?: Isolation;
  // What a child may hold beyond the runtime, whatever its job's own budget says. Default: 2,048.
  readonly memoryMegabytesMax?: number;
  // An idle child is ended after this long; default 300. 0 keeps it forever.
  readonly idleSecondsMax?: number;
  readonly limits?: Partial<EngineLimits>;
  readonly log?: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
}
