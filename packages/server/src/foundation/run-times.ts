// How long runs of one kind took, as stored, and what we report of it. Fewer than three runs are not reported.
import type { ExpectedSeconds } from "./past-runs.ts";

export interface RunTimes {
  readonly count: number;
  readonly medianMs: number;
  readonly p90Ms: number;
}

const countMin = 3;

export function expectedFrom(times: RunTimes | null): ExpectedSeconds | null {
  if (times === null || times.count < countMin) return null;
  return { median: secondsOf(times.medianMs), p90: secondsOf(times.p90Ms), count: times.count };
}

// To the millisecond; more digits would claim a precision that was never measured.
const secondsOf = (milliseconds: number): number => Math.round(milliseconds) / 1000;
