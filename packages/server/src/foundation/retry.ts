// Bounded retries with growing, jittered pauses. Only failures that the caller declares retryable are retried. A Retry-After
// from the other side is honoured if it fits into the total time; otherwise the failure is final.
import type { Clock } from "./clock.ts";

export interface Backoff {
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
}

export interface RetryOptions extends Backoff {
  readonly attemptsMax: number;
  // Measured from the first attempt; no pause extends beyond it. Default: no limit.
  readonly totalMsMax?: number;
  readonly isRetryable: (failure: unknown) => boolean;
  // The delay that the other side asked for, if the failure contains one.
  readonly retryAfterMs?: (failure: unknown) => number | undefined;
  readonly signal?: AbortSignal;
  readonly clock: Clock;
  // 0 ≤ x < 1
  readonly random: () => number;
}

// For what must not be lost while the other side is away: it is asked again until the total time is over.
export const patience = { attemptsMax: 100, firstDelayMs: 100, delayMsMax: 2_000, random: Math.random } as const;

// The pause after attempt 1, 2, …: doubling and capped. The second half of it is random, so that callers that failed together
// do not come back together.
export function backoffMs(attempt: number, backoff: Backoff, random: () => number): number {
  const whole = Math.min(backoff.delayMsMax, backoff.firstDelayMs * 2 ** Math.min(attempt - 1, 40));
  return Math.round(whole * (0.5 + random() / 2));
}

// Rejects with the last failure, or with the signal's reason if it fires during a pause.
export async function retry<T>(run: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const startedMs = options.clock.monotonicMs();
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    try {
      return await run(attempt);
    } catch (failure) {
      if (attempt >= options.attemptsMax || options.signal?.aborted || !options.isRetryable(failure)) throw failure;
      const asked = options.retryAfterMs?.(failure) ?? 0;
      const pauseMs = Math.max(asked, backoffMs(attempt, options, options.random));
      const elapsedMs = options.clock.monotonicMs() - startedMs;
      if (elapsedMs + pauseMs > (options.totalMsMax ?? Number.POSITIVE_INFINITY)) throw failure;
      await options.clock.sleep(pauseMs, options.signal);
    }
  }
}

// One try, without another: what the call returns, or something else if it throws. For calls that fail in only one way that
// matters, so the error itself is of no interest.
export function attempt<Result, Otherwise>(run: () => Result, otherwise: Otherwise): Result | Otherwise {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
