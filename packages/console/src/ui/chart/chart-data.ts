// What a chart draws, and how usage is turned into it. A point without usage is null: a gap, never a zero.

import type { UsageSeries } from "@atelier/sdk";
import { uiCharts } from "#strings/ui/charts";
import { formatCredits, formatDuration } from "../amounts.ts";

// The name of a colour in theme.css, without the dashes.
export type ChartColour =
  | `series-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | "other"}`
  | "ok"
  | "bad"
  | "warn"
  | "info"
  | "accent";

export interface ChartLine {
  readonly key: string;
  readonly label: string;
  readonly colour: ChartColour;
  // One per time.
  readonly values: readonly (number | null)[];
}

export interface ChartData {
  // The start of each point, in milliseconds; every step of the range is there.
  readonly times: readonly number[];
  readonly stepMs: number;
  readonly from: number;
  readonly to: number;
  readonly lines: readonly ChartLine[];
}

export const stepMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export type UsageMetric = "calls" | "failures" | "replays" | "credits" | "p50_ms" | "p95_ms";

export const usageMetrics: Readonly<Record<UsageMetric, string>> = uiCharts.metrics;

// Durations are drawn as lines, amounts as bars.
export const isTime = (metric: UsageMetric) => metric.endsWith("_ms");

// The unit of the values: count axes have whole numbers, duration axes round ones.
export type ChartUnit = "count" | "credits" | "span";

export const formats: Readonly<Record<ChartUnit, (value: number) => string>> = {
  count: (value) => value.toLocaleString(),
  credits: formatCredits,
  span: formatDuration,
};

export function unitOf(metric: UsageMetric): ChartUnit {
  if (isTime(metric)) return "span";
  return metric === "credits" ? "credits" : "count";
}

export function slotsOf(from: number, to: number, step: number): number[] {
  const first = from - (from % step);
  return Array.from({ length: Math.max(1, Math.ceil((to - first) / step)) }, (_, at) => first + at * step);
}

// One line per metric or, for grouped usage, one per group.
// Of a workspace, or of all of them.
export interface ChartedSeries extends Pick<UsageSeries, "from" | "to" | "step" | "data"> {
  readonly by: string;
  readonly groups: readonly { readonly key: string }[];
}

export function usageChart(
  series: ChartedSeries,
  wanted:
    | UsageMetric
    | readonly { readonly metric: UsageMetric; readonly label: string; readonly colour: ChartColour }[],
  labelOf: (key: string) => string = (key) => key,
): ChartData {
  const step = stepMs[series.step];
  const [from, to] = [Date.parse(series.from), Date.parse(series.to)];
  const times = slotsOf(from, to, step);
  const at = new Map(times.map((time, index) => [time, index]));
  const valuesOf = (metric: UsageMetric, key?: string) => {
    const values: (number | null)[] = times.map(() => null);
    for (const point of series.data) {
      if (key !== undefined && point.key !== key) continue;
      const index = at.get(Date.parse(point.at));
      const value = point[metric];
      if (index !== undefined && value !== null) values[index] = Number(value);
    }
    return values;
  };
  const lines =
    typeof wanted !== "string"
      ? wanted.map(({ metric, label, colour }) => ({ key: metric, label, colour, values: valuesOf(metric) }))
      : series.by === "none"
        ? [{ key: wanted, label: usageMetrics[wanted], colour: "series-1" as const, values: valuesOf(wanted) }]
        : series.groups.map(({ key }, index) => ({
            key,
            label: labelOf(key),
            colour: key === "other" ? "series-other" : colourAt(index),
            values: valuesOf(wanted, key),
          }));
  return { times, stepMs: step, from, to, lines };
}

export function colourAt(index: number): ChartColour {
  return colours[index % colours.length] ?? "series-other";
}

const colours = [
  "series-1",
  "series-2",
  "series-3",
  "series-4",
  "series-5",
  "series-6",
  "series-7",
  "series-8",
] as const;

// Failures have their own colours; none of them is green.
export function failureColourAt(index: number): ChartColour {
  return failureColours[index % failureColours.length] ?? "bad";
}

const failureColours: readonly ChartColour[] = ["bad", "series-2", "series-4", "series-6", "series-5", "series-8"];

// The chart in one sentence, for screen readers.
export function sentenceOf(
  label: string,
  data: ChartData,
  format: (value: number) => string,
  isStacked: boolean,
): string {
  const filled = data.lines.filter(({ values }) => values.some((value) => value !== null));
  if (filled.length === 0) return uiCharts.empty(label);
  const sums = data.times.map((_, index) => {
    const there = filled.flatMap(({ values }) => values[index] ?? []);
    return there.length === 0 ? null : isStacked ? there.reduce((sum, one) => sum + one, 0) : Math.max(...there);
  });
  const peak = sums.reduce<number>((best, one, index) => ((one ?? -1) > (sums[best] ?? -1) ? index : best), 0);
  return uiCharts.summary({
    label,
    from: momentOf(data.from, data.stepMs),
    to: momentOf(data.to, data.stepMs),
    lines: filled.map((line) => line.label),
    total: isStacked ? format(sums.reduce<number>((sum, one) => sum + (one ?? 0), 0)) : null,
    peak: format(sums[peak] ?? 0),
    peakAt: momentOf(data.times[peak] ?? data.from, data.stepMs),
  });
}

// Names a bucket by its start and, if it is not over, until when it was counted.
export function bucketWords(at: number, { stepMs: step, to }: ChartData): string {
  const start = momentOf(at, step);
  if (to <= at || to >= at + step) return start;
  return uiCharts.until(start, new Date(to).toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" }));
}

// Days are in UTC, because they are summed that way; times are local.
export function momentOf(at: number, step: number): string {
  if (step >= stepMs.day)
    return new Date(at).toLocaleDateString(undefined, { timeZone: "UTC", month: "short", day: "numeric" });
  return new Date(at).toLocaleString(undefined, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
}
