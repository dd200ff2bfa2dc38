// What a call at a provider came to: a union, never an exception, because billing must look at each.
export interface ProviderAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

// Reasons that an operator must act on or that mean "later": readers of outcomes can tell them apart.
export const outcomeReasons = {
  ourAccount: "our account at the provider",
  busy: "the provider is busy",
  tooLarge: "an answer larger than this server carries",
} as const;

// One question to a provider, and what it said: its first words without secrets and addresses, or ours for why none came.
export interface Attempt {
  // RFC 3339.
  readonly at: string;
  readonly ms: number;
  readonly step: "submit" | "poll";
  // Null: no answer came.
  readonly status: number | null;
  readonly words: string | null;
}

export type Outcome =
  // The provider's own bytes are the answer.
  | {
      readonly kind: "completed";
      readonly answer: ProviderAnswer;
      // What it says was used, by the names in the price.
      readonly reported: Readonly<Record<string, number | string>>;
    }
  | { readonly kind: "refused"; readonly message: string | null; readonly upstreamStatus: number }
  // The provider called the input bad before generating. `detail`: its own list of fields as JSON text, relayed as it is.
  | {
      readonly kind: "rejected_input";
      readonly message: string | null;
      readonly detail: string | null;
      readonly upstreamStatus: number;
    }
  // `accepted`: it had taken the work on. Otherwise it refused the submission and the key may be used again.
  | {
      readonly kind: "failed";
      readonly accepted: boolean;
      readonly upstreamStatus: number | null;
      readonly reason: string;
      // With the reason `busy`: when the provider asked to be asked again.
      readonly retryAfterSeconds?: number;
      // With the reason `ourAccount`: who did not accept it, and what was said.
      readonly refusedAccount?: { readonly holder: string; readonly status: number; readonly words: string | null };
    }
  | { readonly kind: "provider_timed_out"; readonly accepted: boolean; readonly upstreamStatus: number | null }
  // Proven: no byte left.
  | { readonly kind: "not_sent"; readonly reason: string }
  // Bytes left, and no whole answer came: only the provider knows.
  | { readonly kind: "no_answer"; readonly reason: string };
