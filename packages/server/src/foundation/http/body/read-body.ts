// Reads a request's body into memory, within limits: bytes are counted as they arrive (a declared length is trusted only if it
// is too large), a process-wide budget bounds all bodies together, and a sender below 1 KiB/s is cut off. A refused body stays
// unread; the server closes that connection after the answer.
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Clock } from "../../clock.ts";
import { Fault } from "../../fault.ts";
import { largeBytesMin } from "../../own-thread.ts";

export type BodySource = Readable & { readonly headers: IncomingHttpHeaders };

export interface ReadBodyOptions {
  readonly bytesMax: number;
  readonly clock: Clock;
  // The opener releases it when the answer is done.
  readonly lease?: BodyLease;
}

// A body must deliver at least 1 KiB/s, checked every 30 s.
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
  const gathered = gather(declared === undefined ? null : Number(declared), options.bytesMax);
  let received = 0;
  const guard = guardRate(
    { clock: options.clock, windowMs: rateWindowMs, windowBytesMin, bytesSoFar: () => received },
    () => collected.reject(new Fault("request_timeout", "The request body arrived too slowly.")),
  );
  const onData = (chunk: Buffer) => {
    received += chunk.length;
    if (received > options.bytesMax) return collected.reject(tooLarge(options.bytesMax));
    try {
      if (options.lease?.take(chunk.length) === "rest") rest();
    } catch (full) {
      return collected.reject(full);
    }
    gathered.add(chunk);
  };
  const rest = () => {
    request.pause();
    setImmediate(() => {
      if (!isOver) request.resume();
    });
  };
  let isOver = false;
  let isWhole = false;
  const onEnd = () => {
    isWhole = true;
    collected.resolve(gathered.whole());
  };
  // This also fires after a complete body, before the listener is removed. Creating an error for nothing would cost more than
  // reading the body.
  const onGone = () => {
    if (!isWhole) collected.reject(disconnected());
  };
  request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  try {
    return await collected.promise;
  } finally {
    isOver = true;
    guard.stop();
    request.pause();
    request.off("data", onData).off("end", onEnd).off("close", onGone);
    // The error listener stays: an error after the refusal must not become an uncaught exception.
  }
}

// Large bodies are written to their final buffer as they arrive: joining 20 MiB at the end would stall every other request. The
// buffer is shared memory, so another thread can read it without a copy; untouched pages cost nothing. A body of undeclared
// length moves there as soon as it turns out to be large.
export function gather(declaredBytes: number | null, bytesMax: number): { add(chunk: Buffer): void; whole(): Buffer } {
  let chunks: Buffer[] = [];
  let filler: Buffer | null = null;
  let end = 0;
  const settle = (bytes: number) => {
    filler = Buffer.from(new SharedArrayBuffer(bytes));
    let at = 0;
    for (const chunk of chunks) at += chunk.copy(filler, at);
    chunks = [];
  };
  if (declaredBytes !== null && declaredBytes > largeBytesMin) settle(declaredBytes);
  return {
    add(chunk) {
      if (filler === null && end + chunk.length > largeBytesMin) settle(bytesMax);
      if (filler === null) chunks.push(chunk);
      else chunk.copy(filler, end);
      end += chunk.length;
    },
    whole() {
      if (filler !== null) return filler.subarray(0, end);
      return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    },
  };
}

// Decisions, section 1: we refuse a request with Content-Encoding. `identity` means there is none.
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
  // Check the length first: it bounds the cost of the pattern.
  const type = given !== undefined && given.length <= 256 ? mediaTypePattern.exec(given.trim())?.[1] : undefined;
  if (type?.toLowerCase() === mediaType) return;
  throw new Fault("invalid_content_type", `Send the body with Content-Type: ${mediaType}.`);
}

export interface BodyLease {
  // Throws service_unavailable if all bodies together would exceed the budget. `rest` means that bodies have used up their
  // share of this turn of the event loop: continue in the next one, so that many large bodies do not stall everything else.
  take(bytes: number): "go on" | "rest";
  release(): void;
}

// Limits how many bytes of bodies one process holds at the same time.
export class BodyBudget {
  readonly #bytesMax: number;
  #held = 0;
  #thisTurn = 0;

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
          throw new Fault(
            "service_unavailable",
            "The server is receiving too many request bodies. Try again shortly.",
            {
              retryAfterSeconds: 2,
            },
          );
        this.#held += bytes;
        taken += bytes;
        return this.#countTurn(bytes);
      },
      release: () => {
        this.#held -= taken;
        taken = 0;
      },
    };
  }

  #countTurn(bytes: number): "go on" | "rest" {
    if (this.#thisTurn === 0) {
      setImmediate(() => {
        this.#thisTurn = 0;
      });
    }
    this.#thisTurn += bytes;
    return this.#thisTurn < turnBytesMax ? "go on" : "rest";
  }
}

const turnBytesMax = 4 * 1024 * 1024;

export interface RateGuard {
  readonly clock: Clock;
  readonly windowMs: number;
  readonly windowBytesMin: number;
  readonly bytesSoFar: () => number;
}

// Calls `tooSlow` once, at the end of the first window that delivered too little.
export function guardRate(guard: RateGuard, tooSlow: () => void): { stop(): void } {
  let before = guard.bytesSoFar();
  const look = () => {
    const now = guard.bytesSoFar();
    if (now - before < guard.windowBytesMin) return tooSlow();
    before = now;
    cancel = guard.clock.after(guard.windowMs, look);
  };
  let cancel = guard.clock.after(guard.windowMs, look);
  return { stop: () => cancel() };
}

function tooLarge(bytesMax: number): Fault {
  return new Fault("payload_too_large", `The body is larger than ${bytesMax} bytes.`);
}

function disconnected(): Fault {
  return new Fault("client_disconnected", "The client closed the connection.");
}

// Node decodes chunked bodies and leaves every other coding as it is, so the bytes would not be the intended ones.
export function requireKnownCoding(coding: string | undefined): void {
  if (coding === undefined || coding.trim().toLowerCase() === "chunked") return;
  throw new Fault("content_encoding_refused", "The only supported transfer coding is chunked.");
}
