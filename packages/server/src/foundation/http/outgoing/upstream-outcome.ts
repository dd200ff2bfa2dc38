// A call to a provider and all its possible outcomes. Every outcome says whether the provider can have seen the request,
// because money depends on it.
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export type NotSentReason = "dns" | "refused" | "unreachable" | "connect_timeout" | "tls" | "closed" | "invalid";
export type BrokenReason = "reset" | "closed" | "incomplete" | "malformed" | "drip" | "other";

export type UpstreamOutcome =
  | { readonly kind: "answered"; readonly status: number; readonly headers: AnswerHeaders; readonly body: Buffer }
  // An answer arrived that is longer than `bytesMax`. Nothing of it was kept except these fields.
  | {
      readonly kind: "too_large";
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly bytesMax: number;
    }
  | { readonly kind: "not_sent"; readonly reason: NotSentReason; readonly cause: unknown }
  | { readonly kind: "broken"; readonly reason: BrokenReason; readonly cause: unknown }
  // The signal fired: at its deadline, or for another reason. `sent` means the provider may have the request.
  | { readonly kind: "timed_out"; readonly sent: boolean }
  | { readonly kind: "aborted"; readonly sent: boolean };

export interface UpstreamRequest {
  readonly url: URL;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  // Exactly these are sent, plus Host, Content-Length and `Accept-Encoding: identity`. Built from an allow-list.
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  // The only deadline of the whole call.
  readonly signal: AbortSignal;
  // Default 64 MiB.
  readonly answerBytesMax?: number;
  // Absent: the answer is read as a whole.
  readonly tap?: StreamTap;
}

// How an answer is passed on while it arrives: see stream-tap.ts.
export interface StreamTap {
  // Called once with the head of the answer. True if this answer is passed on.
  begins(status: number, headers: AnswerHeaders): boolean;
  // Complete lines, and at the end what is left. While the promise it returns is pending, nothing more is read.
  lines(bytes: Buffer): void | Promise<void>;
  // An answer without a complete line for so long is given up.
  readonly idleMs: number;
  readonly bytesMax: number;
}
