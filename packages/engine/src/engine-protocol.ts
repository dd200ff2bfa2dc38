// The messages between host and child, over the channel of the child process. Pictures do not travel here: inputs and outputs
// are files in the child's folder, named by their paths within; only previews, model inputs and answers are bytes.
import type {
  EngineEvent,
  EngineFailureCode,
  EngineOutput,
  EngineResult,
  ModelAnswer,
  ModelCall,
} from "./engine-host.ts";
import type { ExecutionJob } from "./execution/execution-services.ts";
import type { FileReference } from "./graph/graph.ts";

export interface RunMessage {
  readonly kind: "run";
  readonly job: ExecutionJob;
  // What the paths of this job's files begin with, in the child's folder (child-folder.ts).
  readonly scratch: string;
}

export type HostMessage =
  | RunMessage
  | { readonly kind: "cancel"; readonly jobId: string }
  | { readonly kind: "answer"; readonly callId: number; readonly answer: HostAnswer };

// `hash: null` means that the child hashes the file itself.
export type HostAnswer =
  | { readonly kind: "asset"; readonly path: string; readonly hash: string | null }
  | { readonly kind: "model"; readonly answer: ModelAnswer }
  | { readonly kind: "saved" }
  | { readonly kind: "failed"; readonly code: EngineFailureCode; readonly message: string };

export type ChildCall =
  | { readonly kind: "read_asset"; readonly reference: FileReference }
  | { readonly kind: "call_model"; readonly call: ModelCall }
  | { readonly kind: "save_output"; readonly output: EngineOutput };

export type ChildMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "event"; readonly jobId: string; readonly event: EngineEvent }
  | { readonly kind: "call"; readonly jobId: string; readonly callId: number; readonly call: ChildCall }
  | { readonly kind: "done"; readonly jobId: string; readonly result: EngineResult };
