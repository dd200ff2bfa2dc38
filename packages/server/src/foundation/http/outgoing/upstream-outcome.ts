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
}
