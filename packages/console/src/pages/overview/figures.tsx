// Four figures, each with a line of its recent values.

import type { UsageSeries } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { overview } from "#strings/overview";
import { seriesQuery } from "../../api/usage.ts";
import { stepMs } from "../../ui/chart/chart-data.ts";
import { formatCredits, formatDuration, formatPercent, Sparkline } from "../../ui/figures.tsx";
import { type Range, rereadMs } from "../../ui/range/range.ts";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import styles from "./overview.module.css";

const words = overview.figures;

export function Figures({ range }: { readonly range: Range }): ReactNode {
  const refetchInterval = rereadMs(range);
  const inRange = useQuery({ ...seriesQuery({ from: range.from, to: range.to }), refetchInterval });
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  const today = useQuery({ ...seriesQuery({ from: midnight.toISOString(), step: "hour" }), refetchInterval: 30_000 });
  if (inRange.isError) return <FaultNote fault={inRange.error} retry={() => inRange.refetch()} />;
  const series = inRange.data;
  const minutes = series ? Math.max(1, (Date.parse(series.to) - Date.parse(series.from)) / 60_000) : 1;
  return (
    <div className={styles.figures}>
      <Figure
        name={words.requests}
        value={series?.total.calls.toLocaleString()}
        about={series && rateWords(series.total.calls / minutes)}
        values={valuesOf(series, (point) => point.calls)}
      />
      <Figure
        name={words.success}
        value={
          series && (series.total.calls === 0 ? "–" : formatPercent(1 - series.total.failures / series.total.calls))
        }
        about={series && (series.total.failures === 0 ? words.noFailures : words.failed(series.total.failures))}
        values={presentOf(series, (point) => (point.calls === 0 ? null : 1 - point.failures / point.calls))}
      />
      <Figure
        name={words.latency}
        value={series && formatDuration(series.total.p95_ms)}
        about={series && words.median(formatDuration(series.total.p50_ms))}
        values={presentOf(series, (point) => point.p95_ms)}
      />
      <Figure
        name={words.credits}
        value={today.data && formatCredits(today.data.total.credits)}
        about={
          today.data && (today.data.total.replays === 0 ? words.sinceMidnight : words.replays(today.data.total.replays))
        }
        values={valuesOf(today.data, (point) => Number(point.credits))}
      />
    </div>
  );
}

// The same four tiles before the data arrives.
export function ComingFigures(): ReactNode {
  return (
    <div className={styles.figures}>
      {[words.requests, words.success, words.latency, words.credits].map((name) => (
        <Figure key={name} name={name} value={undefined} about={undefined} values={[]} />
      ))}
    </div>
  );
}

function Figure(props: {
  readonly name: string;
  readonly value: string | undefined;
  readonly about: string | undefined;
  readonly values: readonly number[];
}): ReactNode {
  return (
    <section className={styles.figure} aria-label={props.name}>
      <h2>{props.name}</h2>
      {props.value === undefined ? (
        <Skeleton height="4.6rem" />
      ) : (
        <>
          <p className={styles.value}>{props.value}</p>
          <p className={styles.about}>{props.about}</p>
          <Sparkline values={props.values} label={words.trend(props.name)} />
        </>
      )}
    </section>
  );
}

type Point = UsageSeries["data"][number];

// Every step of the range; a missing one counts as zero.
function valuesOf(series: UsageSeries | undefined, value: (point: Point) => number): number[] {
  if (series === undefined) return [];
  const step = stepMs[series.step];
  const first = Date.parse(series.from) - (Date.parse(series.from) % step);
  const count = Math.max(2, Math.ceil((Date.parse(series.to) - first) / step));
  const values = Array.from({ length: count }, () => 0);
  for (const point of series.data) values[Math.round((Date.parse(point.at) - first) / step)] = value(point);
  return values;
}

// Only steps with a value: there is no share or duration of nothing.
function presentOf(series: UsageSeries | undefined, value: (point: Point) => number | null): number[] {
  return (series?.data ?? []).flatMap((point) => value(point) ?? []);
}

function rateWords(rate: number): string {
  if (rate === 0) return words.none;
  if (rate < 1) return words.underOne;
  return words.perMinute(rate.toLocaleString(undefined, { maximumFractionDigits: rate < 10 ? 1 : 0 }));
}
