// What is asked, and what may come of it.
import type { RequestId, WorkspaceId } from "../../foundation/ids.ts";
import type { Labels } from "../../foundation/json/labels.ts";

export const safetyStages = ["input", "answer"] as const;
// `input`: before the call is sent. `answer`: before its answer is delivered.
export type SafetyStage = (typeof safetyStages)[number];

export interface SafetyQuestion {
  readonly stage: SafetyStage;
  readonly callId: string;
  readonly requestId: RequestId | null;
  readonly workspaceId: WorkspaceId;
  // As it was called: of a route, the route.
  readonly model: string;
  // Of a route: the target that answered.
  readonly target?: string;
  readonly labels: Labels;
  readonly contentType: string;
  readonly bytes: Buffer;
}

export type SafetyVerdict =
  | { readonly kind: "allow" }
  | { readonly kind: "refuse"; readonly reason: string | null }
  // JSON.
  | { readonly kind: "replace"; readonly bytes: Buffer }
  // No verdict came, or none that can be read. The operator decided beforehand whether that lets the call pass.
  | { readonly kind: "failed"; readonly mayPass: boolean; readonly reason: string };

export interface SafetyCheck {
  // RFC 3339.
  readonly at: string;
  readonly ms: number;
  readonly verdict: SafetyVerdict;
}

export interface SafetyHook {
  // Whether a call of any of these models is shown at this stage.
  covers(stage: SafetyStage, models: readonly string[]): boolean;
  ask(question: SafetyQuestion): Promise<SafetyCheck>;
  close(): Promise<void>;
}
