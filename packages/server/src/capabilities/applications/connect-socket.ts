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
  readonly done: Promise<void>;
}

const backoff = { firstDelayMs: 200, delayMsMax: 5_000 };
const missedProbesMax = 2;
// One that closes sooner did not help: it is opened again with the pauses of one that could not be opened.
const steadyMs = 1_000;

export function connectSocket(options: ConnectOptions): Connection {
  const { clock, signal } = options;
  let isOpen = false;

  // False: it could not be opened, or not for long.
  async function stayOpen(): Promise<boolean> {
    const closed = Promise.withResolvers<void>();
    let heardAtMs = clock.monotonicMs();
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
      options.onState("up", true);
      const ended = new AbortController();
      const probing = probe(() => heardAtMs, ended.signal, stop);
      await closed.promise;
      ended.abort();
      await probing;
      isOpen = false;
      if (!signal.aborted) options.onState("unknown", false);
      return clock.monotonicMs() - openedAtMs >= steadyMs;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async function probe(heardAtMs: () => number, ended: AbortSignal, giveUp: () => void): Promise<void> {
    for (let missed = 0; !ended.aborted; ) {
      await clock.sleep(options.probeEveryMs, ended);
      if (ended.aborted || clock.monotonicMs() - heardAtMs() < options.probeEveryMs) continue;
      missed = (await options.isAlive()) ? 0 : missed + 1;
      if (missed >= missedProbesMax) return giveUp();
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

  return { isOpen: () => isOpen, done: keep() };
}
