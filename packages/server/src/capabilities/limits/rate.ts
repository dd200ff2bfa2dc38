// The arithmetic of a request rate (the generic cell rate algorithm). A bucket is one number: the time until which it is
// spent. A request moves that time forward by one interval, and is refused while it is more than a minute's worth ahead. So
// a workspace may use a whole minute's requests at once, and then gets them back evenly. In any window of t minutes at most
// `perMinute` × (1 + t) requests pass, and the wait named in a refusal is always sufficient.
export interface Rate {
  readonly perMinute: number;
}

export type Verdict =
  | { readonly admitted: true; readonly spentUntilMs: number }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

const minuteMs = 60_000;
// Sums of fractions drift. A microsecond of grace keeps the last request of a full minute from being refused.
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
