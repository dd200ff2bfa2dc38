// One server-sent event stream on a raw response. A slow reader costs at most 64 KiB plus one event: above that nothing is
// written, and we note which kinds of event it missed. When it has caught up it gets the newest snapshot of each. A reader that
// takes nothing for 30 s is cut off; it can poll. The last event is never dropped.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../clock.ts";
import type { EndReason, HeaderValues } from "../area.ts";
import { chunkOf, detachSocket, lastChunk } from "./detach-socket.ts";
import { encodeComment, encodeRetryHint } from "./event-stream-frame.ts";
import { type Patient, roundsFor } from "./event-stream-rounds.ts";

export { encodeEvent } from "./event-stream-frame.ts";

export interface EventStreamOptions {
  readonly response: ServerResponse;
  // The headers that every answer carries (request id, nosniff, CORS).
  readonly headers?: HeaderValues;
  readonly clock: Clock;
  // 0 ≤ x < 1
  readonly random: () => number;
  // Calls back when the stream must end. Returns a function that unregisters the callback.
  readonly onEnd?: (run: (reason: EndReason) => void) => () => void;
  // The newest state of a kind whose events were missed. Null if there is none any more.
  readonly snapshot: (kind: string) => Buffer | null;
}

export interface EventStream {
  // Returns false if the reader is behind; `snapshot(kind)` will be called when it has caught up.
  send(kind: string, frame: Buffer): boolean;
  // Writes the last event, even if others are waiting, and ends the stream.
  finish(frame?: Buffer): void;
  readonly isClosed: boolean;
  // Calls back once when the stream is over, from either side; immediately if it already is. Only the last listener is called.
  onClosed(run: () => void): void;
}

const waitingBytesMax = 64 * 1024;
const keepAliveMs = 15_000;
// The time between two checks of a stream.
const roundMs = 5_000;
const stallMs = 30_000;
const shutdownMs = 5000;
const refusedMs = 300;
const keepAlive = encodeComment("keep-alive");

export function openEventStream(options: EventStreamOptions): EventStream {
  return new Stream(options);
}

// Thousands stay open for hours, so a stream holds as little as possible: it has no timer, signal or promise.
class Stream implements EventStream, Patient {
  // The response, or its detached connection, to which we write chunks.
  readonly #out: ServerResponse | Socket;
  readonly #isDetached: boolean;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #snapshot: (kind: string) => Buffer | null;
  #missed: Set<string> | null = null;
  #unaccepted = 0;
  #lastProgressMs: number;
  #nextKeepAliveMs: number;
  #finishing = false;
  #isClosed = false;
  #onClosed: (() => void) | null = null;
  #leaveRounds: (() => void) | null = null;
  #forgetEnd: (() => void) | null = null;
  #cancelEnd: (() => void) | null = null;

  constructor({ response, clock, random, snapshot, headers, onEnd }: EventStreamOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#snapshot = snapshot;
    this.#lastProgressMs = clock.monotonicMs();
    this.#nextKeepAliveMs = this.#lastProgressMs + keepAliveMs;
    if (response.destroyed) {
      this.#out = response;
      this.#isDetached = false;
      this.#close();
      return;
    }
    response.req.socket.setNoDelay(true);
    response.writeHead(200, {
      ...headers,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      // The connection serves only this stream and ends with it.
      connection: "close",
    });
    response.flushHeaders();
    const socket = detachSocket(response);
    this.#isDetached = socket !== null;
    this.#out = socket ?? response;
    if (socket === null) endOnError(response);
    this.#listen();
    this.#write(encodeRetryHint(2000 + random() * 1000));
    this.#leaveRounds = roundsFor(clock).add(this);
    this.#watchEnd(onEnd);
  }

  // Not in the constructor: its closures would keep the response alive, which is no longer needed.
  #listen(): void {
    this.#out.on("close", () => this.#close());
    this.#out.on("drain", () => this.#catchUp());
  }

  #watchEnd(onEnd: EventStreamOptions["onEnd"]): void {
    this.#forgetEnd = onEnd?.((reason) => this.#leave(reason)) ?? null;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  onClosed(run: () => void): void {
    if (this.#isClosed) run();
    else this.#onClosed = run;
  }

  send(kind: string, frame: Buffer): boolean {
    if (this.#finishing || this.#isClosed) return false;
    // A missed kind waits for its snapshot: an event sent before it would arrive out of order.
    if (this.#missed?.has(kind) || this.#out.writableLength > waitingBytesMax) {
      this.#missed ??= new Set();
      this.#missed.add(kind);
      return false;
    }
    this.#write(frame);
    return true;
  }

  finish(frame?: Buffer): void {
    if (this.#finishing || this.#isClosed) return;
    this.#end(stallMs, frame);
  }

  lookAfter(nowMs: number): void {
    if (this.#unaccepted > 0 && nowMs - this.#lastProgressMs >= stallMs) {
      this.#out.destroy();
      return;
    }
    // Send it at the check nearest to its time: every third, even if checks come a little late.
    if (nowMs + roundMs / 2 < this.#nextKeepAliveMs) return;
    this.#nextKeepAliveMs = nowMs + keepAliveMs;
    if (this.#out.writableLength <= waitingBytesMax) this.#write(keepAlive);
  }

  // Readers reconnect at different times, not all together.
  #leave(reason: EndReason): void {
    if (this.#finishing || this.#isClosed) return;
    this.#write(encodeRetryHint(1000 + this.#random() * 4000));
    this.#write(encodeComment(reason === "refused" ? "the credential is no longer valid" : "the server is restarting"));
    this.#end(reason === "refused" ? refusedMs : shutdownMs);
  }

  // Writes the last event and the end in one piece: thousands of streams may end with the same event.
  #end(msMax: number, frame?: Buffer): void {
    this.#finishing = true;
    this.#missed = null;
    this.#leaveRounds?.();
    if (this.#isDetached) this.#out.end(frame ? Buffer.concat([chunkOf(frame), lastChunk]) : lastChunk);
    else if (frame) this.#out.end(frame);
    else this.#out.end();
    this.#cancelEnd = this.#clock.after(msMax, () => this.#out.destroy());
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#leaveRounds?.();
    this.#forgetEnd?.();
    this.#cancelEnd?.();
    this.#onClosed?.();
    this.#onClosed = null;
  }

  #write(frame: Buffer): void {
    if (this.#unaccepted === 0) this.#lastProgressMs = this.#clock.monotonicMs();
    this.#unaccepted++;
    this.#out.write(this.#isDetached ? chunkOf(frame) : frame, () => {
      this.#unaccepted--;
      this.#lastProgressMs = this.#clock.monotonicMs();
    });
  }

  #catchUp(): void {
    for (const kind of [...(this.#missed ?? [])]) {
      if (this.#finishing || this.#out.writableLength > waitingBytesMax) return;
      this.#missed?.delete(kind);
      const frame = this.#snapshot(kind);
      if (frame) this.#write(frame);
    }
  }
}

function endOnError(response: ServerResponse): void {
  response.on("error", () => response.destroy());
}
