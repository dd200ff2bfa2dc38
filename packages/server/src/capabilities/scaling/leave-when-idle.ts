// A worker that a scaler started: the scaler may ask it to leave once it has no job, and may change its mind until then. If the
// scaler is gone, the worker stops as on a signal.
import type { Clock } from "../../foundation/clock.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";

// Longer than a claim waits, so no job is on its way.
const quietMs = 6_000;
const lookEveryMs = 250;

export interface Leaving {
  // Whether it may take jobs.
  isOpen(): boolean;
  // How many jobs it has.
  watch(running: () => number): void;
}

// The process itself. Without `send` it was not started through a channel.
export interface Channel {
  readonly send?: unknown;
  on(event: "message", receive: (message: unknown) => void): unknown;
  once(event: "disconnect", receive: () => void): unknown;
}

export interface LeavingDeps {
  readonly channel: Channel;
  readonly life: Pick<Lifecycle, "stop" | "repeat">;
  readonly clock: Clock;
  readonly exit: (code: number) => void;
}

export function leaveWhenIdle({ channel, life, clock, exit }: LeavingDeps): Leaving {
  if (channel.send === undefined) return { isOpen: () => true, watch: () => undefined };
  let isLeaving = false;
  let quietSinceMs = 0;
  const end = (reason: string) => void life.stop(reason).finally(() => exit(0));
  channel.on("message", (message) => {
    if (message === "leave" && !isLeaving) quietSinceMs = clock.monotonicMs();
    if (message === "leave" || message === "stay") isLeaving = message === "leave";
  });
  channel.once("disconnect", () => end("its scaler is gone"));
  return {
    isOpen: () => !isLeaving,
    watch(running) {
      const round = async () => {
        const nowMs = clock.monotonicMs();
        if (running() > 0) quietSinceMs = nowMs;
        if (isLeaving && nowMs - quietSinceMs >= quietMs) end("no longer wanted");
      };
      life.repeat({ name: "worker: leave when it is not wanted", everyMs: lookEveryMs, round });
    },
  };
}
