// A model that this server runs itself instead of sending it to a provider. It gets the same admission, checks, keys, replay
// and following as every other model; only the step that would send something is its own.

import type { KeyId, WorkspaceId } from "../../foundation/ids.ts";
import type { Labels } from "../../foundation/json/labels.ts";
import type { Outcome } from "./outcome.ts";

export interface RunnerCall {
  // Our call id.
  readonly reference: string;
  readonly workspaceId: WorkspaceId;
  readonly apiKeyId: KeyId | null;
  // What the call is counted under.
  readonly labels?: Labels;
  // The caller's bytes, which have passed the model's schema.
  readonly body: Buffer;
  // Fires at the end of the model's longest run, never because a caller went away.
  readonly signal: AbortSignal;
  // Stores what another process needs to find the run again. It is committed when this resolves.
  note(handle: object): Promise<void>;
  // Called once the run is stored and goes on by itself.
  begun(): Promise<void>;
}

export interface AskedRun {
  readonly reference: string;
  readonly workspaceId: WorkspaceId;
  // What was noted. Null if nothing was.
  readonly handle: unknown;
}

export type FoundRun =
  | { readonly kind: "not_found" }
  | { readonly kind: "running" }
  | { readonly kind: "ended"; readonly outcome: Outcome };

export interface ModelRunner {
  run(call: RunnerCall): Promise<Outcome>;
  // After a crash: what became of the run.
  ask(asked: AskedRun): Promise<FoundRun>;
  // What a run of this input costs at least and at most, in micro-credits. Throws if the input cannot run.
  quote(asked: Pick<RunnerCall, "workspaceId" | "apiKeyId" | "body">): Promise<RunnerQuote>;
  // What it made before, for people who want to see that first.
  examples?(): Promise<readonly RunnerExample[]>;
}

export interface RunnerExample {
  readonly title: string | null;
  readonly inputs: Readonly<Record<string, unknown>>;
  // Signed.
  readonly urls: readonly string[];
}

export interface RunnerQuote {
  readonly lowest: bigint;
  readonly highest: bigint;
  readonly hold: bigint;
}
