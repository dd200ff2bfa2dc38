// Keeps the shared socket open: reconnects immediately after a close, then with growing pauses. While the socket is open
// but silent, we check by HTTP that the application is alive, because a machine that vanished says nothing. An
// application without a socket (behind a proxy that does not support it) still counts as up if it answers; jobs are then
// polled.
import type { Clock } from "../../../foundation/clock.ts";
import { backoffMs } from "../../../foundation/retry.ts";
import { openSocket } from "./application-socket.ts";
import type { ApplicationEvent } from "./read-frame.ts";

export interface ConnectOptions {
  readonly base: URL;
  readonly clientId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly probeEveryMs: number;
  isAlive(): Promise<boolean>;
  onEvent(event: ApplicationEvent): void;
  // `unknown`: the socket closed and nothing has been tried since.
  onState(state: "unknown" | "up" | "down", isSocketOpen: boolean): void;
}

const backoff = { firstDelayMs: 200, delayMsMax: 5_000 };
const missedProbesMax = 2;
const deafMs = 1_000;
const renewEveryMs = 30_000;
// A socket that closes sooner did not help; it is reopened with the pauses of one that could not be opened.
const steadyMs = 1_000;

export class Connection {
  readonly #options: ConnectOptions;
  readonly done: Promise<void>;
  #isOpen = false;
  #heardAtMs = 0;
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #renew = () => {};
  #stopListening: (() => void) | null = null;

  constructor(options: ConnectOptions) {
    this.#options = options;
    this.done = this.#keep().finally(() => this.#stopListening?.());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  // At that time something happened that the application announces to all clients. If we hear nothing of it, our socket
  // is deaf. This happens if a client reconnects under its id before the application has noticed that the old socket is
  // gone, and lasts until it reconnects once more.
  expectWord(sinceMs: number): void {
    const { clock, signal } = this.#options;
    if (this.#isOpen && !signal.aborted)
      this.#stopListening ??= clock.after(deafMs, () => this.#renewWhenDeaf(sinceMs));
  }

  #renewWhenDeaf(sinceMs: number): void {
    this.#stopListening = null;
    const nowMs = this.#options.clock.monotonicMs();
    if (!this.#isOpen || this.#heardAtMs >= sinceMs || nowMs - this.#renewedAtMs < renewEveryMs) return;
    this.#renewedAtMs = nowMs;
    this.#renew();
  }

  async #keep(): Promise<void> {
    const { clock, signal } = this.#options;
    for (let failures = 0; !signal.aborted; ) {
      const wasSteady = await this.#stayOpen();
      if (signal.aborted) return;
      if (wasSteady) {
        failures = 0;
        continue;
      }
      failures += 1;
      this.#options.onState((await this.#options.isAlive()) ? "up" : "down", false);
      await clock.sleep(backoffMs(failures, backoff, Math.random), signal);
    }
  }

  // False if it could not be opened, or closed soon.
  async #stayOpen(): Promise<boolean> {
    const { base, clientId, clock, signal } = this.#options;
    const closed = Promise.withResolvers<void>();
    this.#heardAtMs = clock.monotonicMs();
    const socket = openSocket({
      base,
      clientId,
      clock,
      onEvent: (event) => {
        this.#heardAtMs = clock.monotonicMs();
        this.#options.onEvent(event);
      },
      onClose: closed.resolve,
    });
    const stop = () => socket.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      return (await socket.opened) && (await this.#untilClosed(closed.promise, stop));
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  // False if we closed it in order to reopen it, or it closed soon.
  async #untilClosed(closed: Promise<void>, stop: () => void): Promise<boolean> {
    const { clock, signal, onState } = this.#options;
    const openedAtMs = clock.monotonicMs();
    let isRenewed = false;
    this.#isOpen = true;
    this.#renew = () => {
      isRenewed = true;
      stop();
    };
    onState("up", true);
    const ended = new AbortController();
    void this.#probe(ended.signal, stop);
    await closed;
    ended.abort();
    this.#isOpen = false;
    if (!signal.aborted) onState("unknown", false);
    // The application needs a moment to notice that the old one is gone.
    return !isRenewed && clock.monotonicMs() - openedAtMs >= steadyMs;
  }

  async #probe(ended: AbortSignal, giveUp: () => void): Promise<void> {
    const { clock, probeEveryMs, isAlive } = this.#options;
    for (let missed = 0; !ended.aborted; ) {
      await clock.sleep(probeEveryMs, ended);
      if (ended.aborted || clock.monotonicMs() - this.#heardAtMs < probeEveryMs) continue;
      missed = (await isAlive()) ? 0 : missed + 1;
      if (missed >= missedProbesMax && !ended.aborted) return giveUp();
    }
  }
}
