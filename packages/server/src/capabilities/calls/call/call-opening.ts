// The input and the verdict of `begin`. Everything that can be decided without the database (parse, schema verdict, hold
// bound) is decided beforehand and passed in, so begin is one statement for a whole batch.

import type { Id, KeyId, RequestId, WorkspaceId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";

export type CallId = Id<"call">;
export type OwnerId = Id<"call-owner">;

// What the provider allows after a crash: we can ask about our id, send the same request again, or do neither.
export type Recovery = "ask" | "repeat" | "neither";

export interface CallOpening {
  readonly id: CallId;
  readonly workspaceId: WorkspaceId;
  readonly subject: string;
  readonly idempotencyKey: string | null;
  readonly fingerprint: Buffer;
  // The schema's verdict: an invalid request still replays, joins or mismatches first (decisions, section 3).
  readonly isValid: boolean;
  // The most that the call can cost, in micro-credits.
  readonly hold: bigint;
  readonly priceRecordId: string | null;
  // The members of the input that the price reads. A successor computes the charge from them.
  readonly pricedInput?: unknown;
  readonly takesSlot: boolean;
  readonly isCostly: boolean;
  readonly slotsMax: number;
  readonly costlySlotsMax: number;
  readonly recovery: Recovery;
  readonly longestRunSeconds: number;
  // For the usage row, in case another process ends the call.
  readonly apiKeyId?: KeyId | null;
  readonly requestId?: RequestId | null;
  // What it is counted under. Absent: nothing.
  readonly labels?: Labels;
  // The version of the provider's definition the call began with. A successor asks and reads by the same version.
  readonly definitionVersion?: number | null;
  // Anything else a successor needs. Only the area understands it.
  readonly context?: unknown;
  // Open, but not followed from the start: a row in another capability begins with this call and decides who ends it.
  readonly isParked?: boolean;
}

// Its budgets are counted by the statement that begins it.
export interface CountedOpening extends CallOpening {
  readonly budgetIds: readonly string[];
}

export type Opened =
  | { readonly kind: "begun"; readonly inFlight: number }
  // Answered before: the recorded answer is stored under this call and time.
  | { readonly kind: "replay"; readonly callId: CallId; readonly answeredAt: Date }
  // Still running, here or in another process.
  | { readonly kind: "join"; readonly callId: CallId }
  | { readonly kind: "mismatch" }
  | { readonly kind: "invalid" }
  | { readonly kind: "no_slot"; readonly inFlight: number }
  | { readonly kind: "no_credit"; readonly available: bigint };

// A call that this process owns.
export interface OpenCall {
  readonly id: CallId;
  readonly workspaceId: WorkspaceId;
  readonly fence: number;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  // Large bodies are in blob storage. Then `body` is empty, and this says where the bytes are and how many.
  readonly blob?: { readonly hash: string; readonly bytes: number };
}

export interface CallEnding {
  readonly call: OpenCall;
  // `finished`: we know what happened. `unknown`: we never will, and nothing is charged.
  readonly state: "finished" | "unknown";
  readonly outcome: string;
  readonly charge: bigint;
  // Null releases the key: the provider was never asked, or it refused the submission.
  readonly answer: RecordedAnswer | null;
  // What the caller gets when the key is released.
  readonly sent?: RecordedAnswer;
  // Record the answer with or without a key, released or not, because another row points to it: a queued call.
  readonly isKept?: boolean;
  readonly usage: CallUsage;
}

// The answer to record, if anything can look it up later.
export function recordedAnswerOf({ answer, sent, isKept }: CallEnding): RecordedAnswer | null {
  return answer ?? (isKept && sent ? sent : null);
}

export interface CallUsage {
  readonly requestId: RequestId | null;
  readonly apiKeyId: KeyId | null;
  readonly subject: string;
  // Only for calls that have no row, where they would be found.
  readonly labels?: Labels;
  readonly status: number | null;
  readonly totalMs: number;
  readonly providerMs: number | null;
  // Set only if the call failed because of it.
  readonly refusedAccount?: RefusedAccount;
  // What the caller was answered before the call ended: a 502 for a lost answer, or a 504. If absent, the caller got the
  // call's own answer.
  readonly seen?: SeenAnswer;
  // What the safety hook said, and the exchanges with the provider. Absent without a hook if the first one succeeded.
  readonly attempts?: readonly CallStep[];
}

export interface SeenAnswer {
  readonly status: number;
  // The error code we answered with.
  readonly outcome: string;
  // The steps up to then.
  readonly attempts?: readonly CallStep[];
}

// One exchange with a provider: what we asked and what it said. Holds no secrets and no addresses.
export interface ProviderAttempt {
  // RFC 3339.
  readonly at: string;
  readonly ms: number;
  readonly step: "submit" | "poll";
  // Null if no answer came.
  readonly status: number | null;
  // The start of its answer, or our own words for why there was none.
  readonly words: string | null;
  // On a call of a route: the model that was asked.
  readonly target?: string;
}

// What the operator's safety hook said of a call.
export interface CheckOfCall {
  // RFC 3339.
  readonly at: string;
  readonly ms: number;
  readonly step: "check";
  readonly stage: "input" | "answer";
  // The last two: the hook gave no verdict that could be used.
  readonly verdict: "allowed" | "refused" | "replaced" | "passed_unchecked" | "failed";
  // Its reason, or ours for why there is no verdict.
  readonly words: string | null;
}

export type CallStep = ProviderAttempt | CheckOfCall;

// A call that continues somewhere else, because it is proven that nothing ran where it was sent before.
export interface Redirection {
  readonly definitionVersion: number | null;
  readonly priceRecordId: string | null;
  readonly pricedInput: unknown;
  readonly recovery: Recovery;
  // Merged into the call's context.
  readonly context: object;
}

// A provider or partner did not accept the account we used.
export interface RefusedAccount {
  // "provider bfl", "partner partner-a".
  readonly holder: string;
  readonly status: number;
  // The provider's words, with everything we sent removed.
  readonly words: string | null;
  // Whose account it is, so who has to fix it.
  readonly mender: "operator" | "workspace";
}
