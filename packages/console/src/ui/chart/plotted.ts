// What a plot draws, computed without a canvas: columns at the middle of their buckets, an x axis with every bucket in full, a y
// axis with every column, and the parts of the first and last bucket that were not counted.
import type { ChartData } from "./chart-data.ts";

export type ChartKind = "bars" | "lines";

export interface Plotted {
  // Seconds, the unit of uPlot.
  readonly middles: readonly number[];
  readonly columns: readonly (readonly (number | null)[])[];
  readonly from: number;
  readonly end: number;
  readonly top: number;
  // Hatched: before the range begins, and after it ends. The newest bucket has usually only just begun.
  readonly uncounted: readonly (readonly [number, number])[];
}

export function plotted(data: ChartData, kind: ChartKind): Plotted {
  const first = data.times[0] ?? data.from;
  const end = endOf(data);
  const columns = kind === "lines" ? data.lines.map(({ values }) => values) : stacked(data);
  const most = Math.max(0, ...columns.flatMap((values) => values.map((value) => value ?? 0)));
  const uncounted = [
    [first, data.from],
    [data.to, end],
  ] as const;
  return {
    middles: data.times.map((at) => (at + data.stepMs / 2) / 1_000),
    columns,
    from: first / 1_000,
    end: end / 1_000,
    top: (most || 1) * 1.08,
    uncounted: uncounted.filter(([from, to]) => from < to).map(([from, to]) => [from / 1_000, to / 1_000]),
  };
}

function endOf({ times, stepMs, from }: ChartData): number {
  return (times.at(-1) ?? from) + stepMs;
}

// Bars are stacked: each is drawn as the sum up to it, tallest first, so that shorter ones cover it.
function stacked({ lines }: ChartData): (number | null)[][] {
  const sums: (number | null)[][] = [];
  for (const { values } of lines) {
    const below = sums.at(-1);
    sums.push(
      values.map((value, index) => (value === null ? (below?.[index] ?? null) : (below?.[index] ?? 0) + value)),
    );
  }
  return sums.reverse();
}

// Axis steps for counts: there is no half request.
export const wholeSteps: readonly number[] = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat();

// Axis steps for durations, in milliseconds.
export const spanSteps: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400].map((s) => s * 1_000),
];
