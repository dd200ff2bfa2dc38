// What a call to a provider is, and everything it can come to. Whether the provider can have seen the request is part of
// every outcome, because money hangs on it.
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export type NotSentReason = "dns" | "refused" | "unreachable" | "connect_timeout" | "tls" | "closed" | "invalid";
export type BrokenReason = "reset" | "closed" | "incomplete" | "malformed" | "drip" | "other";

export type UpstreamOutcome =
  | { readonly kind: "answered"; readonly status: number; readonly headers: AnswerHeaders; readonly body: Buffer }
  // An answer came, and it is longer than `bytesMax`; nothing of it was kept but what stands here.
  | {
      readonly kind: "too_large";
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly bytesMax: number;
    }
  | { readonly kind: "not_sent"; readonly reason: NotSentReason; readonly cause: unknown }
  | { readonly kind: "broken"; readonly reason: BrokenReason; readonly cause: unknown }
  // The signal fired: by its deadline, or for another reason. `sent`: the provider may have the request.
  | { readonly kind: "timed_out"; readonly sent: boolean }
  | { readonly kind: "aborted"; readonly sent: boolean };

export interface UpstreamRequest {
  readonly url: URL;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  // Exactly these are sent, plus Host, Content-Length and `Accept-Encoding: identity`. Built from an allow-list.
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  // The one deadline of the whole call.
  readonly signal: AbortSignal;
  // Default 64 MiB.
  readonly answerBytesMax?: number;
}
