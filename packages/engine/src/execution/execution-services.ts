// What an execution needs from the process around it; in the end the pool's host provides it.
import type { NodeDeclaration } from "../declared/declaration.ts";
import type { EngineEvent, EngineLimits, ModelAnswer, ModelCall } from "../engine-host.ts";
import type { FileReference, Graph } from "../graph/graph.ts";
import type { OutputFile } from "./node-runner.ts";

export interface ExecutionJob {
  readonly id: string;
  readonly graph: Graph;
  readonly pngInfo: Readonly<Record<string, unknown>> | null;
  readonly cacheScope: string | null;
  readonly outputs: readonly string[] | null;
  // Classes besides the built-in ones that the graph uses.
  readonly declared: readonly NodeDeclaration[];
  readonly limits: EngineLimits;
}

export interface LocalFile {
  readonly path: string;
  readonly hash: string;
}

export interface SavedFile extends OutputFile {
  readonly nodeId: string;
  readonly classType: string;
  readonly reused: boolean;
}

export interface ExecutionServices {
  readAsset(reference: FileReference): Promise<LocalFile>;
  callModel(call: ModelCall): Promise<ModelAnswer>;
  saveOutput(file: SavedFile): Promise<void>;
  // A new path in the job's scratch folder.
  scratch(): string;
  emit(event: EngineEvent): void;
  // An unexpected failure; for the log, never for the caller.
  onUnexpected(thrown: unknown): void;
  readonly isCanceled: () => boolean;
  // Monotonic milliseconds.
  readonly now: () => number;
}
