// How this workspace's calls of the model went: figures for the last 24 hours, and over time.
import type { UsageSeries } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { HeartPulse } from "lucide-react";
import type { ReactNode } from "react";
import { models } from "#strings/models";
import { type ModelStats, statsQuery } from "../../api/models.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import { usageChart } from "../../ui/chart/chart-data.ts";
import { formatDuration, formatPercent } from "../../ui/figures.tsx";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { toneOf } from "./list/model-card.tsx";
import styles from "./model.module.css";

const words = models.health;

export function HealthTab({ model }: { readonly model: string }): ReactNode {
  const stats = useQuery(statsQuery);
  const series = useQuery(
    readQuery(["usage", "series", model], operations.getUsageSeries, {
      query: { subject: `model:${model}`, latency: true },
    }),
  );
  const own = stats.data?.get(model);
  if (series.error) return <FaultNote fault={series.error} retry={() => void series.refetch()} />;
  if (series.data === undefined) return <Skeleton height="16rem" count={2} />;
  if (series.data.total.calls === 0)
    return (
      <Empty icon={HeartPulse} title={words.empty}>
        {words.emptyText}
      </Empty>
    );
  return (
    <Stack>
      {own ? <Tiles stats={own} /> : null}
      {stats.error ? <FaultNote fault={stats.error} retry={() => void stats.refetch()} /> : null}
      <Panel title={words.calls}>
        <Chart
          label={words.callsChart}
          kind="bars"
          unit="count"
          data={usageChart(withSuccesses(series.data), [
            { metric: "calls", label: words.succeeded, colour: "ok" },
            { metric: "failures", label: words.failed, colour: "bad" },
          ])}
        />
      </Panel>
      <Panel title={words.latency}>
        <Chart
          label={words.latencyChart}
          kind="lines"
          unit="span"
          data={usageChart(series.data, [
            { metric: "p50_ms", label: words.tiles.p50, colour: "series-1" },
            { metric: "p95_ms", label: words.tiles.p95, colour: "series-2" },
          ])}
        />
      </Panel>
    </Stack>
  );
}

// The bars are stacked, so failures must not be counted in both.
function withSuccesses(series: UsageSeries): UsageSeries {
  return { ...series, data: series.data.map((point) => ({ ...point, calls: point.calls - point.failures })) };
}

function Tiles({ stats }: { readonly stats: ModelStats }): ReactNode {
  return (
    <dl className={styles.tiles}>
      <Tile name={words.tiles.success} value={formatPercent(stats.success_rate)} tone={toneOf(stats.success_rate)} />
      <Tile name={words.tiles.p50} value={formatDuration(stats.p50_ms)} />
      <Tile name={words.tiles.p95} value={formatDuration(stats.p95_ms)} />
      <Tile name={words.tiles.calls} value={stats.calls.toLocaleString()} />
      <Tile name={words.tiles.failures} value={stats.failures.toLocaleString()} />
    </dl>
  );
}

function Tile(props: { readonly name: string; readonly value: string; readonly tone?: string }): ReactNode {
  return (
    <div data-tone={props.tone}>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
    </div>
  );
}
