// A number of things at once, and then so many a second. One number is a whole allowance: the moment until which it is spent.
export interface Allowance {
  readonly perSecond: number;
  readonly atOnce: number;
}

// Until when it is spent after one more; null: there is nothing left.
export function spent(untilMs: number, nowMs: number, of: Allowance): number | null {
  const intervalMs = 1000 / of.perSecond;
  const after = Math.max(untilMs, nowMs) + intervalMs;
  // Sums of fractions drift by less than this.
  return after - nowMs > of.atOnce * intervalMs + 0.001 ? null : after;
}
