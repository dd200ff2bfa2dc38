// When a delivery is retried: ten attempts over 75 hours (decisions, section 4), with a fifth of jitter either way, so
// that deliveries that failed together do not come back together. A receiver may ask for more time, up to an hour.
const minute = 60;
const hour = 60 * minute;

// The delay of each attempt after the previous one; the first is immediate.
export const attemptDelaysSeconds: readonly number[] = [
  0,
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

const jitter = 0.2;
const retryAfterSecondsMax = hour;

export interface RetryQuestion {
  // How many attempts of the schedule are done, including the failed one.
  readonly done: number;
  readonly retryAfterSeconds: number | null;
  // From 0 to 1.
  readonly random: number;
}

// Null if that was the last attempt.
export function retryDelayMs({ done, retryAfterSeconds, random }: RetryQuestion): number | null {
  const delaySeconds = attemptDelaysSeconds[done];
  if (delaySeconds === undefined) return null;
  const spread = delaySeconds * (1 - jitter + 2 * jitter * random);
  const asked = Math.min(retryAfterSeconds ?? 0, retryAfterSecondsMax);
  return Math.round(Math.max(spread, asked) * 1000);
}

// Retry-After in seconds or as a date. Null for anything else.
export function readRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
