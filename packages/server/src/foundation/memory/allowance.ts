// A burst of a given size, and then a given rate per second. One number is the whole allowance: the time until which it is
// spent.
export interface Allowance {
  readonly perSecond: number;
  readonly atOnce: number;
}

// The time until which it is spent after one more. Null if nothing is left.
export function spent(untilMs: number, nowMs: number, of: Allowance): number | null {
  const intervalMs = 1000 / of.perSecond;
  const after = Math.max(untilMs, nowMs) + intervalMs;
  // Rounding errors stay below this.
  return after - nowMs > of.atOnce * intervalMs + 0.001 ? null : after;
}
