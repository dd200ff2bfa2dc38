// What `begin` is told about a call and what it answers. Everything that can be decided without the database (parse,
// schema verdict, hold bound) is decided before and is an argument, so that begin is one statement for a whole batch.
import type { Id, KeyId, RequestId, WorkspaceId } from "../../../foundation/ids.ts";

export type CallId = Id<"call">;
export type OwnerId = Id<"call-owner">;

// What the provider can do for us after a crash: be asked about our id, be sent the same again, or neither.
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
  // The members of the input that the price reads; a successor charges by them.
  readonly pricedInput?: unknown;
  readonly takesSlot: boolean;
  readonly isCostly: boolean;
  readonly slotsMax: number;
  readonly costlySlotsMax: number;
  readonly recovery: Recovery;
  readonly longestRunSeconds: number;
  // For the usage row of the process that ends the call, should it not be the one who began it.
  readonly apiKeyId?: KeyId | null;
  readonly requestId?: RequestId | null;
  // Which version of the provider's definition it began with; a successor asks and reads by that one.
  readonly definitionVersion?: number | null;
  // What a successor must know besides; the area's own.
  readonly context?: unknown;
  // Open and not to be followed from the beginning: its row in another capability begins with it, and says who ends it.
  readonly isParked?: boolean;
}

export type Opened =
  | { readonly kind: "begun"; readonly inFlight: number }
  // Answered before: the recorded answer is under this call and time.
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
  // Large bodies stand in blob storage: `body` is empty then, and this is where and how long they are.
  readonly blob?: { readonly hash: string; readonly bytes: number };
}

export interface CallEnding {
  readonly call: OpenCall;
  // `finished`: what happened is known. `unknown`: it never will be; nothing is charged.
  readonly state: "finished" | "unknown";
  readonly outcome: string;
  readonly charge: bigint;
  // Null releases the key: nothing was ever asked of the provider, or it refused the submission.
  readonly answer: RecordedAnswer | null;
  // What the caller is told where the key is released.
  readonly told?: RecordedAnswer;
  // Recorded with a key or without one, released or not, because another row leads to it: a queued call.
  readonly isKept?: boolean;
  readonly usage: CallUsage;
}

// What is written down of the answer, if there is something to find it by.
export function recordedAnswerOf({ answer, told, isKept }: CallEnding): RecordedAnswer | null {
  return answer ?? (isKept && told ? told : null);
}

export interface CallUsage {
  readonly requestId: RequestId | null;
  readonly apiKeyId: KeyId | null;
  readonly subject: string;
  readonly status: number | null;
  readonly totalMs: number;
  readonly providerMs: number | null;
  // Absent unless the call failed by it.
  readonly refusedAccount?: RefusedAccount;
  // What the caller was answered before the call had ended: a 502 for a lost answer, a 504. Absent: the call's own answer.
  readonly seen?: SeenAnswer;
  // How the provider was asked; absent where that went well at once.
  readonly attempts?: readonly ProviderAttempt[];
}

export interface SeenAnswer {
  readonly status: number;
  // The code of what was said.
  readonly outcome: string;
  // How the provider had been asked by then.
  readonly attempts?: readonly ProviderAttempt[];
}

// One question to a provider, and what it said. Nothing secret, and no address.
export interface ProviderAttempt {
  // RFC 3339.
  readonly at: string;
  readonly ms: number;
  readonly step: "submit" | "poll";
  // Null: no answer came.
  readonly status: number | null;
  // Its first words, or ours for why there was no answer.
  readonly words: string | null;
}

// A provider or partner did not accept the account that it was asked with.
export interface RefusedAccount {
  // "provider bfl", "partner partner-a".
  readonly holder: string;
  readonly status: number;
  // What was said, cleared of what we sent.
  readonly words: string | null;
  // Whose account it is.
  readonly mender: "operator" | "workspace";
}
