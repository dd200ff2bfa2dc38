// One server-sent event stream on a raw response. A slow reader costs at most 64 KB plus one
// event: above that nothing is written, the kinds it missed are marked, and when it has caught up it gets the newest
// snapshot of each. A reader that takes nothing for 30 s is cut off; it can poll. The last event is never dropped.
import type { ServerResponse } from "node:http";
import type { Clock } from "../clock.ts";
import type { HeaderValues } from "./area.ts";
import { encodeComment, encodeRetryHint } from "./event-stream-frame.ts";

export { type EventFields, encodeEvent } from "./event-stream-frame.ts";

export interface EventStreamOptions {
  readonly response: ServerResponse;
  // What every answer carries (request id, nosniff, CORS).
  readonly headers?: HeaderValues;
  readonly clock: Clock;
  // 0 ≤ x < 1
  readonly random: () => number;
  // Fires when the server stops.
  readonly shutdown?: AbortSignal;
  // The newest state of a kind whose events were missed; null when there is none any more.
  readonly snapshot: (kind: string) => Buffer | null;
}

export interface EventStream {
  // False: the reader is behind; `snapshot(kind)` will be asked for when it has caught up.
  send(kind: string, frame: Buffer): boolean;
  // Writes the last event, whatever is waiting, and ends the stream.
  finish(frame?: Buffer): void;
  // Fires once when the stream is over, whoever ended it.
  readonly closed: AbortSignal;
}

const waitingBytesMax = 64 * 1024;
const keepAliveMs = 15_000;
const tickMs = 5000;
const stallMs = 30_000;
const shutdownMs = 5000;

export function openEventStream(options: EventStreamOptions): EventStream {
  return new Stream(options);
}

class Stream implements EventStream {
  readonly #options: EventStreamOptions;
  readonly #response: ServerResponse;
  readonly #closed = new AbortController();
  readonly #missed = new Set<string>();
  #unaccepted = 0;
  #lastProgressMs: number;
  #finishing = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#response = options.response;
    this.#lastProgressMs = options.clock.monotonicMs();
    const { response } = options;
    response.on("close", () => this.#closed.abort());
    response.on("error", () => response.destroy());
    response.on("drain", () => this.#catchUp());
    if (response.destroyed) {
      this.#closed.abort();
      return;
    }
    response.socket?.setNoDelay(true);
    response.writeHead(200, {
      ...options.headers,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    this.#write(encodeRetryHint(2000 + options.random() * 1000));
    this.#watch();
    if (options.shutdown?.aborted) this.#leave();
    else options.shutdown?.addEventListener("abort", () => this.#leave(), { once: true, signal: this.#closed.signal });
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  send(kind: string, frame: Buffer): boolean {
    if (this.#finishing || this.#closed.signal.aborted) return false;
    // A kind that was missed waits for its snapshot: an event before it would arrive out of order.
    if (this.#missed.has(kind) || this.#response.writableLength > waitingBytesMax) {
      this.#missed.add(kind);
      return false;
    }
    this.#write(frame);
    return true;
  }

  finish(frame?: Buffer): void {
    if (this.#finishing || this.#closed.signal.aborted) return;
    if (frame) this.#write(frame);
    this.#end(stallMs);
  }

  // Readers come back at different times, not all at once.
  #leave(): void {
    if (this.#finishing) return;
    this.#write(encodeRetryHint(1000 + this.#options.random() * 4000));
    this.#write(encodeComment("the server is restarting"));
    this.#end(shutdownMs);
  }

  #end(msMax: number): void {
    this.#finishing = true;
    this.#missed.clear();
    this.#response.end();
    this.#options.clock.sleep(msMax, this.#closed.signal).then(() => this.#response.destroy());
  }

  #write(frame: Buffer): void {
    if (this.#unaccepted === 0) this.#lastProgressMs = this.#options.clock.monotonicMs();
    this.#unaccepted++;
    this.#response.write(frame, () => {
      this.#unaccepted--;
      this.#lastProgressMs = this.#options.clock.monotonicMs();
    });
  }

  #catchUp(): void {
    for (const kind of [...this.#missed]) {
      if (this.#finishing || this.#response.writableLength > waitingBytesMax) return;
      this.#missed.delete(kind);
      const frame = this.#options.snapshot(kind);
      if (frame) this.#write(frame);
    }
  }

  async #watch(): Promise<void> {
    const { clock } = this.#options;
    let nextKeepAliveMs = clock.monotonicMs() + keepAliveMs;
    for (;;) {
      await clock.sleep(tickMs, this.#closed.signal);
      if (this.#closed.signal.aborted || this.#finishing) return;
      const nowMs = clock.monotonicMs();
      if (this.#unaccepted > 0 && nowMs - this.#lastProgressMs >= stallMs) {
        this.#response.destroy();
        return;
      }
      if (nowMs < nextKeepAliveMs) continue;
      nextKeepAliveMs = nowMs + keepAliveMs;
      if (this.#response.writableLength <= waitingBytesMax) this.#write(encodeComment("keep-alive"));
    }
  }
}
