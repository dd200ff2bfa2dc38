// Follows one prompt to its end. The socket gives hints and live previews; the truth is polled, first the queue, then the
// history. A prompt in neither is looked for again before we call it lost. We wait for an application that is down, but
// not forever: no matter what the application does, this ends.
import type { Clock } from "../../../foundation/clock.ts";
import { backoffMs } from "../../../foundation/retry.ts";
import { type Application, ApplicationProblem } from "../application.ts";
import { orStopped } from "../line/or-stopped.ts";
import type { ApplicationEvent } from "../line/read-frame.ts";
import { type PromptState, readPromptState } from "./prompt-state.ts";
import type { HistoryEntry } from "./read-prompts.ts";

export interface FollowTiming {
  // The polling interval while the socket works, and while it does not.
  readonly askEveryMs: number;
  readonly askBlindEveryMs: number;
  // The pauses between looks for a prompt that is in neither list.
  readonly graceMs: readonly number[];
  // How long an application may be down, or answer garbage, without a break.
  readonly awayMsMax: number;
  // Measured from the start of the prompt.
  readonly runMsMax: number;
}

export const followTiming: FollowTiming = {
  askEveryMs: 5_000,
  askBlindEveryMs: 1_000,
  graceMs: [150, 600],
  awayMsMax: 60_000,
  runMsMax: 24 * 3_600_000,
};

export type Followed =
  | { readonly kind: "ended"; readonly entry: HistoryEntry }
  // The application answers and does not know the prompt.
  | { readonly kind: "lost" }
  | { readonly kind: "away"; readonly problem: ApplicationProblem }
  | { readonly kind: "stopped" }
  | { readonly kind: "timed_out" };

export interface FollowDeps {
  readonly application: Pick<Application, "queue" | "history" | "whenUp" | "isSocketOpen">;
  readonly clock: Clock;
  readonly timing: FollowTiming;
  readonly signal: AbortSignal;
}

const pauseMsMin = 50;
const awayBackoff = { firstDelayMs: 100, delayMsMax: 2_000 };

export class PromptFollower {
  // True if it has started to run, as far as we know; running it again would do its work twice.
  hasStarted = false;
  readonly #deps: FollowDeps;
  #promptId = "";
  // True if we submitted it, so its events come through the socket.
  #isHeard: boolean;
  #isLeft = false;
  #startedAtMs = 0;
  #wake: () => void = () => {};

  constructor(deps: FollowDeps, isHeard: boolean) {
    this.#deps = deps;
    this.#isHeard = isHeard;
  }

  onEvent(event: ApplicationEvent): void {
    this.#isHeard = true;
    if (event.kind === "interrupted" && !this.hasStarted) return;
    this.#start();
    if (event.kind !== "left") return;
    this.#isLeft = true;
    this.#wake();
  }

  onRunning(): void {
    this.#start();
  }

  onConnection(): void {
    this.#wake();
  }

  async follow(promptId: string): Promise<Followed> {
    const { signal, clock, timing } = this.#deps;
    this.#promptId = promptId;
    for (;;) {
      if (!this.#isLeft) await this.#pause();
      if (signal.aborted) return { kind: "stopped" };
      const state = await this.#look();
      if (state.kind === "ended" || state.kind === "away" || state.kind === "stopped") return state;
      if (state.kind === "unknown") return { kind: "lost" };
      if (state.kind === "running") this.#start();
      if (this.hasStarted && clock.monotonicMs() - this.#startedAtMs >= timing.runMsMax) return { kind: "timed_out" };
      // Limits how often wrong hints, however many, can make us poll.
      await clock.sleep(pauseMsMin, signal);
    }
  }

  #start(): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    this.#startedAtMs = this.#deps.clock.monotonicMs();
  }

  // Waits until something happens or it is time to poll.
  async #pause(): Promise<void> {
    const { clock, signal, timing, application } = this.#deps;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    const isNotified = this.#isHeard && application.isSocketOpen();
    const askMs = isNotified ? timing.askEveryMs : timing.askBlindEveryMs;
    const leftMs = this.hasStarted ? this.#startedAtMs + timing.runMsMax - clock.monotonicMs() : askMs;
    await clock.sleep(Math.max(0, Math.min(askMs, leftMs)), AbortSignal.any([woken.signal, signal]));
    this.#wake = () => {};
  }

  // Patient: answers `unknown` only after several looks found nothing, and `away` only after the application was down for
  // long.
  async #look(): Promise<PromptState | Extract<Followed, { kind: "away" | "stopped" }>> {
    const { clock, signal, timing, application } = this.#deps;
    const sinceMs = clock.monotonicMs();
    for (let misses = 0, failures = 0; ; ) {
      try {
        const state = await orStopped(this.#ask(), signal);
        const graceMs = timing.graceMs[misses];
        if (state.kind !== "unknown" || graceMs === undefined) return state;
        misses += 1;
        failures = 0;
        await clock.sleep(graceMs, signal);
      } catch (error) {
        if (!(error instanceof ApplicationProblem)) throw error;
        if (signal.aborted) return { kind: "stopped" };
        const isOver = error.code === "closed" || clock.monotonicMs() - sinceMs >= timing.awayMsMax;
        if (isOver) return { kind: "away", problem: error };
        // A restarted application is a new one, so start counting again.
        misses = 0;
        failures += 1;
        await clock.sleep(backoffMs(failures, awayBackoff, Math.random), signal);
        await application.whenUp(awayBackoff.delayMsMax, signal);
      }
      if (signal.aborted) return { kind: "stopped" };
    }
  }

  async #ask(): Promise<PromptState> {
    const { application } = this.#deps;
    if (this.#isLeft) {
      this.#isLeft = false;
      const entry = await application.history(this.#promptId);
      if (entry !== null) return { kind: "ended", entry };
    }
    const queue = await application.queue();
    const state = readPromptState(this.#promptId, queue, null);
    if (state.kind !== "unknown") return state;
    return readPromptState(this.#promptId, queue, await application.history(this.#promptId));
  }
}
