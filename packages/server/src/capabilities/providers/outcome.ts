// The outcome of a call at a provider: a union, never an exception, because billing must handle each case.
import type { Fault } from "../../foundation/fault.ts";

export interface ProviderAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

// Reasons that need an operator or that mean "later"; code that handles outcomes can tell them apart.
export const outcomeReasons = {
  ourAccount: "the provider rejected our account",
  busy: "the provider is busy",
  notRun: "the provider refused before it began",
  tooLarge: "an answer larger than this server's limit",
} as const;

// One request to a provider and its answer: the first words without secrets and addresses, or our reason why none came.
export interface Attempt {
  // RFC 3339.
  readonly at: string;
  readonly ms: number;
  readonly step: "submit" | "poll";
  // Null if no answer came.
  readonly status: number | null;
  readonly words: string | null;
}

export type Outcome =
  // The provider's own bytes are the answer.
  | {
      readonly kind: "completed";
      readonly answer: ProviderAnswer;
      // The usage it reports, by the names in the price.
      readonly reported: Readonly<Record<string, number | string>>;
    }
  | { readonly kind: "refused"; readonly message: string | null; readonly upstreamStatus: number }
  // It stopped because it was asked to. What it reports of it may be charged.
  | {
      readonly kind: "cancelled";
      readonly upstreamStatus: number;
      readonly reported: Readonly<Record<string, number | string>>;
    }
  // The provider rejected the input before generating. `detail` is its own list of fields as JSON text, passed on
  // unchanged.
  | {
      readonly kind: "rejected_input";
      readonly message: string | null;
      readonly detail: string | null;
      readonly upstreamStatus: number;
    }
  // `accepted` is true if it had taken on the work. Otherwise it refused the submission, and the key can be used again.
  | {
      readonly kind: "failed";
      readonly accepted: boolean;
      readonly upstreamStatus: number | null;
      readonly reason: string;
      // With the reason `busy`: when the provider asked us to try again.
      readonly retryAfterSeconds?: number;
      // With the reason `ourAccount`: who refused our account, and what they said.
      readonly refusedAccount?: { readonly holder: string; readonly status: number; readonly words: string | null };
    }
  | { readonly kind: "provider_timed_out"; readonly accepted: boolean; readonly upstreamStatus: number | null }
  // This server ran it itself as a job. What its nodes used is paid already.
  | { readonly kind: "ran"; readonly answer: ProviderAnswer; readonly jobId: string; readonly paid: bigint }
  // The same, but it did not succeed. `jobId` is null if no job was created; then the key can be used again.
  | { readonly kind: "not_run"; readonly fault: Fault; readonly jobId: string | null; readonly paid: bigint }
  // Proven: we sent no byte.
  | { readonly kind: "not_sent"; readonly reason: string }
  // We sent bytes and got no complete answer, so only the provider knows what happened.
  | { readonly kind: "no_answer"; readonly reason: string };

// Whether it is proven that the provider did not run the call, so that another may.
export function isProvenNotRun(outcome: Outcome): boolean {
  if (outcome.kind === "not_sent") return true;
  return outcome.kind === "failed" && !outcome.accepted && provenReasons.has(outcome.reason);
}

const provenReasons: ReadonlySet<string> = new Set([
  outcomeReasons.ourAccount,
  outcomeReasons.busy,
  outcomeReasons.notRun,
]);
