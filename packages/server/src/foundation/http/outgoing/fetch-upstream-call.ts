// One call of fetch-upstream.ts: collects the answer and settles exactly once. `#controller` is set when the request is handed
// to a connected socket, so if it is not set, nothing was sent.
import type { Dispatcher } from "undici";
import type { Clock } from "../../clock.ts";
import { Fault } from "../../fault.ts";
import { gather, guardRate } from "../body/read-body.ts";
import { TappedAnswer } from "./stream-tap.ts";
import type {
  AnswerHeaders,
  BrokenReason,
  NotSentReason,
  StreamTap,
  UpstreamOutcome,
  UpstreamRequest,
} from "./upstream-outcome.ts";

export interface CallLimits {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly answerBytesMax: number;
  readonly answerBytesPerSecondMin: number;
  readonly tap?: StreamTap;
}

// `path` includes the query, as in the request line.
export type PathRequest = Pick<UpstreamRequest, "method" | "headers" | "body"> & { readonly path: string };

const rateWindowSeconds = 30;

export class UpstreamCall implements Dispatcher.DispatchHandler {
  readonly #limits: CallLimits;
  readonly #outcome = Promise.withResolvers<UpstreamOutcome>();
  #gathered: ReturnType<typeof gather> | null = null;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #head: { status: number; headers: AnswerHeaders } | undefined;
  #received = 0;
  #guard: { stop(): void } | undefined;
  // Set if the answer is passed on while it arrives.
  #tapped: TappedAnswer | null = null;

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  run(dispatcher: Dispatcher, request: PathRequest): Promise<UpstreamOutcome> {
    const { signal } = this.#limits;
    if (signal.aborted) this.#stop();
    else {
      signal.addEventListener("abort", this.#stop, { once: true });
      this.#dispatch(dispatcher, request);
    }
    return this.#outcome.promise;
  }

  #dispatch(dispatcher: Dispatcher, request: PathRequest): void {
    try {
      dispatcher.dispatch(
        {
          path: request.path,
          method: request.method,
          headers: { "accept-encoding": "identity", ...request.headers },
          body: request.body ?? null,
        },
        this,
      );
    } catch (refusedByTheClient) {
      this.#settle({ kind: "not_sent", reason: "invalid", cause: refusedByTheClient });
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The call settled while it waited for a connection: it is cancelled before a byte is written.
    if (this.#settled) controller.abort(new Error("the call was aborted"));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    // 1xx responses are interim; the real answer is still to come.
    if (status < 200) return;
    this.#head = { status, headers };
    const { clock, answerBytesPerSecondMin, answerBytesMax, tap } = this.#limits;
    if (tap?.begins(status, headers) && !this.#settled) {
      this.#tapped = this.#tapping(tap, status, headers);
      return;
    }
    const declared = Number(headers["content-length"] ?? Number.NaN);
    if (declared > answerBytesMax && hasBody(status)) {
      this.#refuse(status, headers);
      return;
    }
    this.#gathered = gather(Number.isNaN(declared) ? null : declared, answerBytesMax);
    if (answerBytesPerSecondMin === 0 || this.#settled) return;
    const windowBytesMin = answerBytesPerSecondMin * rateWindowSeconds;
    this.#guard = guardRate(
      { clock, windowMs: rateWindowSeconds * 1000, windowBytesMin, bytesSoFar: () => this.#received },
      () => this.#break("drip", new Error("the answer arrived too slowly")),
    );
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#settled) return;
    if (this.#tapped !== null) this.#tapped.add(chunk);
    else if (this.#received > this.#limits.answerBytesMax && this.#head)
      this.#refuse(this.#head.status, this.#head.headers);
    else this.#gathered?.add(chunk);
  }

  onResponseEnd(): void {
    const head = this.#head;
    const body = this.#tapped?.end() ?? this.#gathered?.whole() ?? Buffer.alloc(0);
    const declared = head?.headers["content-length"];
    const isShort = typeof declared === "string" && hasBody(head?.status) && Number(declared) !== body.length;
    if (!head || isShort) this.#break("incomplete", new Error("the answer is incomplete"));
    else this.#settle({ kind: "answered", status: head.status, headers: head.headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#controller) this.#settle({ kind: "broken", reason: brokenReason(error), cause: error });
    else this.#settle({ kind: "not_sent", reason: notSentReason(error), cause: error });
  }

  readonly #stop = (): void => {
    const { reason } = this.#limits.signal;
    const sent = this.#controller !== undefined;
    this.#settle({ kind: isDeadline(reason) ? "timed_out" : "aborted", sent });
    this.#controller?.abort(reason instanceof Error ? reason : new Error("the call was aborted"));
  };

  #tapping(tap: StreamTap, status: number, headers: AnswerHeaders): TappedAnswer {
    return new TappedAnswer(tap, this.#limits.clock, {
      pause: () => this.#controller?.pause(),
      resume: () => {
        if (!this.#settled) this.#controller?.resume();
      },
      tooSlow: () => this.#break("drip", new Error("the stream went silent")),
      tooLarge: () => this.#refuse(status, headers, tap.bytesMax),
    });
  }

  #break(reason: BrokenReason, cause: Error): void {
    this.#settle({ kind: "broken", reason, cause });
    this.#controller?.abort(cause);
  }

  // The rest stays unread.
  #refuse(status: number, headers: AnswerHeaders, bytesMax = this.#limits.answerBytesMax): void {
    this.#settle({ kind: "too_large", status, headers, bytesMax });
    this.#controller?.abort(new Error(`the answer is larger than ${bytesMax} bytes`));
  }

  #settle(outcome: UpstreamOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#guard?.stop();
    this.#tapped?.stop();
    this.#gathered = null;
    this.#tapped = null;
    this.#limits.signal.removeEventListener("abort", this.#stop);
    this.#outcome.resolve(outcome);
  }
}

function hasBody(status: number | undefined): boolean {
  return status !== 204 && status !== 304;
}

function isDeadline(reason: unknown): boolean {
  if (reason instanceof Fault) return reason.code === "deadline_exceeded";
  return reason instanceof Error && reason.name === "TimeoutError";
}

function codeOf(error: Error): string {
  const { code } = { code: undefined, ...error };
  return typeof code === "string" ? code : "";
}

function notSentReason(error: Error): NotSentReason {
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code = codeOf(first);
  if (code === "UND_ERR_INVALID_ARG") return "invalid";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EAI_FAIL" || code === "ENODATA") return "dns";
  if (code === "ECONNREFUSED") return "refused";
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") return "connect_timeout";
  if (code === "EHOSTUNREACH" || code === "ENETUNREACH" || code === "EADDRNOTAVAIL") return "unreachable";
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_|UNABLE_|SELF_SIGNED|EPROTO)/.test(code)) return "tls";
  return "closed";
}

function brokenReason(error: Error): BrokenReason {
  const code = codeOf(error);
  if (code === "ECONNRESET" || code === "EPIPE") return "reset";
  if (code === "UND_ERR_SOCKET") return "closed";
  if (error.name === "HTTPParserError" || code === "UND_ERR_HEADERS_OVERFLOW") return "malformed";
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return "incomplete";
  return "other";
}
