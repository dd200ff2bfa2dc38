// The arithmetic of a request rate (the generic cell rate algorithm): a bucket is one number, the moment until which it
// is spent. A request moves that moment on by one interval; it is refused while the moment lies more than a minute's
// worth ahead. So a workspace may use a whole minute's requests at once, and after that gets them back evenly.
// In any window of t minutes at most `perMinute` × (1 + t) requests pass, and the wait that a refusal names suffices.
export interface Rate {
  readonly perMinute: number;
}

export type Verdict =
  | { readonly admitted: true; readonly spentUntilMs: number }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

const minuteMs = 60_000;
// Sums of fractions drift; a microsecond of grace keeps the last request of a full minute from being refused.
const graceMs = 0.001;

export function spend(spentUntilMs: number, nowMs: number, rate: Rate): Verdict {
  if (rate.perMinute < 1) return { admitted: false, retryAfterSeconds: 60 };
  const after = Math.max(spentUntilMs, nowMs) + intervalMs(rate);
  const waitMs = after - minuteMs - nowMs;
  if (waitMs <= graceMs) return { admitted: true, spentUntilMs: after };
  return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}

export function intervalMs(rate: Rate): number {
  return minuteMs / rate.perMinute;
}
