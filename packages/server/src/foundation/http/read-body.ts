// Reads a request's body into memory, and only as much as was promised: the cap is counted while the bytes come (a
// declared length is believed only when it is too large), a process-wide budget bounds all bodies together, and a
// sender below 1 KB/s is cut off. A refused body stays unread; the server closes that connection after the answer.
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Clock } from "../clock.ts";
import { Fault } from "../fault.ts";

export type BodySource = Readable & { readonly headers: IncomingHttpHeaders };

export interface ReadBodyOptions {
  readonly bytesMax: number;
  readonly clock: Clock;
  // Released by whoever opened it, when the answer is done.
  readonly lease?: BodyLease;
}

// A body must bring at least 1 KB/s, looked at every 30 s.
const rateWindowMs = 30_000;
const windowBytesMin = 30 * 1024;

// Throws payload_too_large, content_encoding_refused, request_timeout, client_disconnected or service_unavailable.
export async function readBody(request: BodySource, options: ReadBodyOptions): Promise<Buffer> {
  requireIdentityEncoding(request.headers);
  const declared = request.headers["content-length"];
  if (declared !== undefined && Number(declared) > options.bytesMax) throw tooLarge(options.bytesMax);
  if (request.readableEnded) return Buffer.alloc(0);
  if (request.destroyed) throw disconnected();

  const collected = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let received = 0;
  const guard = guardRate(
    { clock: options.clock, windowMs: rateWindowMs, windowBytesMin, bytesSoFar: () => received },
    () => collected.reject(new Fault("request_timeout", "The request body came too slowly.")),
  );
  const onData = (chunk: Buffer) => {
    received += chunk.length;
    if (received > options.bytesMax) return collected.reject(tooLarge(options.bytesMax));
    try {
      options.lease?.take(chunk.length);
    } catch (full) {
      return collected.reject(full);
    }
    chunks.push(chunk);
  };
  const onEnd = () => collected.resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, received));
  const onGone = () => collected.reject(disconnected());
  request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  try {
    return await collected.promise;
  } finally {
    guard.stop();
    request.pause();
    request.off("data", onData).off("end", onEnd).off("close", onGone);
    // The error listener stays: an error after the refusal must not become an uncaught one.
  }
}

// Decisions, section 1: request Content-Encoding is refused. `identity` says there is none.
export function requireIdentityEncoding(headers: IncomingHttpHeaders): void {
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding.trim().toLowerCase() === "identity") return;
  throw new Fault("content_encoding_refused", "Send the body without Content-Encoding.");
}

const mediaTypePattern =
  /^([!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*(?:;[ \t]*(?:[!#$%&'*+.^_`|~0-9a-z-]+=(?:[!#$%&'*+.^_`|~0-9a-z-]+|"(?:[^"\\]|\\.)*"))?[ \t]*)*$/i;

// Exactly this type, with any well-formed parameters.
export function requireMediaType(headers: IncomingHttpHeaders, mediaType: string): void {
  const given = headers["content-type"];
  // The length comes first: it bounds what the pattern can cost.
  const type = given !== undefined && given.length <= 256 ? mediaTypePattern.exec(given.trim())?.[1] : undefined;
  if (type?.toLowerCase() === mediaType) return;
  throw new Fault("invalid_content_type", `Send the body with Content-Type: ${mediaType}.`);
}

export interface BodyLease {
  // Throws service_unavailable when all bodies together would be too much.
  take(bytes: number): void;
  release(): void;
}

// How many bytes of bodies one process holds at the same time.
export class BodyBudget {
  readonly #bytesMax: number;
  #held = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get heldBytes(): number {
    return this.#held;
  }

  open(): BodyLease {
    let taken = 0;
    return {
      take: (bytes) => {
        if (this.#held + bytes > this.#bytesMax)
          throw new Fault("service_unavailable", "The server holds too many request bodies. Try again shortly.", {
            retryAfterSeconds: 2,
          });
        this.#held += bytes;
        taken += bytes;
      },
      release: () => {
        this.#held -= taken;
        taken = 0;
      },
    };
  }
}

export interface RateGuard {
  readonly clock: Clock;
  readonly windowMs: number;
  readonly windowBytesMin: number;
  readonly bytesSoFar: () => number;
}

// Calls `tooSlow` once, at the end of the first window that brought too little.
export function guardRate(guard: RateGuard, tooSlow: () => void): { stop(): void } {
  const stopped = new AbortController();
  const watch = async () => {
    for (let before = guard.bytesSoFar(); ; before = guard.bytesSoFar()) {
      await guard.clock.sleep(guard.windowMs, stopped.signal);
      if (stopped.signal.aborted) return;
      if (guard.bytesSoFar() - before < guard.windowBytesMin) return tooSlow();
    }
  };
  watch();
  return { stop: () => stopped.abort() };
}

function tooLarge(bytesMax: number): Fault {
  return new Fault("payload_too_large", `The body is larger than ${bytesMax} bytes.`);
}

function disconnected(): Fault {
  return new Fault("client_disconnected", "The client closed the connection.");
}
