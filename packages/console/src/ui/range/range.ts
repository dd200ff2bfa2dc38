// The time range of a page, as in the address: `range=24h` moves with the clock; `from` and `to` are fixed, as after a zoom.
import { uiCharts as words } from "#strings/ui/charts";
import { type GivenSearch, moment, searchReader, word } from "../search-params.ts";

export const ranges = ["15m", "1h", "6h", "24h", "7d", "30d"] as const;
export type RangeName = (typeof ranges)[number];

export interface RangeSearch {
  readonly range?: RangeName | undefined;
  // Both or neither; RFC 3339.
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const minuteMs = 60_000;
const lengths: Readonly<Record<RangeName, number>> = {
  "15m": 15 * minuteMs,
  "1h": 60 * minuteMs,
  "6h": 360 * minuteMs,
  "24h": 1_440 * minuteMs,
  "7d": 7 * 1_440 * minuteMs,
  "30d": 30 * 1_440 * minuteMs,
};
export const rangeWords: Readonly<Record<RangeName, string>> = words.ranges;

const read = searchReader({ range: word(...ranges), from: moment, to: moment });

export function readRange(given: GivenSearch): RangeSearch {
  const { range, from, to } = read(given);
  if (from !== undefined && to !== undefined && from < to) return { from, to };
  return range === undefined ? {} : { range };
}

export interface Range {
  readonly from: string;
  // Null for "until now".
  readonly to: string | null;
  readonly lengthMs: number;
}

// A moving range begins at a whole step, so that queries a moment apart are the same.
export function rangeOf(search: RangeSearch, otherwise: RangeName, now: number): Range {
  if (search.from !== undefined && search.to !== undefined) {
    return { from: search.from, to: search.to, lengthMs: Date.parse(search.to) - Date.parse(search.from) };
  }
  const lengthMs = lengths[search.range ?? otherwise];
  const step = lengthMs <= 360 * minuteMs ? minuteMs : 15 * minuteMs;
  const begun = now - lengthMs;
  return { from: new Date(begun - (begun % step)).toISOString(), to: null, lengthMs };
}

// The dragged range in whole minutes, at least two.
export function zoomed(from: number, to: number): { readonly from: string; readonly to: string } {
  const start = Math.floor(from / minuteMs) * minuteMs;
  const end = Math.max(Math.ceil(to / minuteMs) * minuteMs, start + 2 * minuteMs);
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
}

// How often a moving range is reloaded: a long one changes slowly and costs the server more. False if it is fixed.
export function rereadMs({ to, lengthMs }: Range): number | false {
  if (to !== null) return false;
  if (lengthMs <= lengths["24h"]) return 15_000;
  return lengthMs <= lengths["7d"] ? 60_000 : 300_000;
}
