// Keeps the shared socket open: at once again after a close, then with growing pauses. While it is open and silent the
// application is asked whether it lives, because a machine that vanished says nothing. An application without a socket
// (a proxy in between that knows none) still counts as up when it answers: jobs are then followed by asking.
import type { Clock } from "../../foundation/clock.ts";
import { backoffMs } from "../../foundation/retry.ts";
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

export interface Connection {
  isOpen(): boolean;
  // Something was done at that time of which the application tells everybody: whoever hears nothing of it is deaf. That
  // happens to a client that comes back under its id before the application noticed that its old socket is gone, and
  // it lasts until it comes once more.
  expectWord(sinceMs: number): void;
  readonly done: Promise<void>;
}

const backoff = { firstDelayMs: 200, delayMsMax: 5_000 };
const missedProbesMax = 2;
const deafMs = 1_000;
const renewEveryMs = 30_000;
// One that closes sooner did not help: it is opened again with the pauses of one that could not be opened.
const steadyMs = 1_000;

export function connectSocket(options: ConnectOptions): Connection {
  const { clock, signal } = options;
  let isOpen = false;
  let heardAtMs = 0;
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  let renew = () => {};
  let stopListening: (() => void) | null = null;

  // False: it could not be opened, or not for long.
  async function stayOpen(): Promise<boolean> {
    const closed = Promise.withResolvers<void>();
    heardAtMs = clock.monotonicMs();
    const socket = openSocket({
      base: options.base,
      clientId: options.clientId,
      clock,
      onEvent(event) {
        heardAtMs = clock.monotonicMs();
        options.onEvent(event);
      },
      onClose: closed.resolve,
    });
    const stop = () => socket.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      if (!(await socket.opened)) return false;
      isOpen = true;
      const openedAtMs = clock.monotonicMs();
      let isRenewed = false;
      renew = () => {
        isRenewed = true;
        stop();
      };
      options.onState("up", true);
      const ended = new AbortController();
      void probe(ended.signal, stop);
      await closed.promise;
      ended.abort();
      isOpen = false;
      if (!signal.aborted) options.onState("unknown", false);
      // The application needs a moment to see that the old one is gone.
      return !isRenewed && clock.monotonicMs() - openedAtMs >= steadyMs;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async function probe(ended: AbortSignal, giveUp: () => void): Promise<void> {
    for (let missed = 0; !ended.aborted; ) {
      await clock.sleep(options.probeEveryMs, ended);
      if (ended.aborted || clock.monotonicMs() - heardAtMs < options.probeEveryMs) continue;
      missed = (await options.isAlive()) ? 0 : missed + 1;
      if (missed >= missedProbesMax && !ended.aborted) return giveUp();
    }
  }

  async function keep(): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const wasSteady = await stayOpen();
      if (signal.aborted) return;
      if (wasSteady) {
        failures = 0;
        continue;
      }
      failures += 1;
      options.onState((await options.isAlive()) ? "up" : "down", false);
      await clock.sleep(backoffMs(failures, backoff, Math.random), signal);
    }
  }

  function listen(sinceMs: number): void {
    stopListening = null;
    const nowMs = clock.monotonicMs();
    if (!isOpen || heardAtMs >= sinceMs || nowMs - renewedAtMs < renewEveryMs) return;
    renewedAtMs = nowMs;
    renew();
  }

  return {
    isOpen: () => isOpen,
    expectWord(sinceMs) {
      if (isOpen && !signal.aborted) stopListening ??= clock.after(deafMs, () => listen(sinceMs));
    },
    done: keep().finally(() => stopListening?.()),
  };
}
