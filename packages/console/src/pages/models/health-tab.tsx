// How this workspace's calls of the model went: figures for the last 24 hours, and over time.
import type { UsageSeries } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { HeartPulse } from "lucide-react";
import type { ReactNode } from "react";
import { call } from "../../api/client.ts";
import { type ModelStats, statsQuery } from "../../api/models.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import { usageChart } from "../../ui/chart/chart-data.ts";
import { percentOf, spanOf } from "../../ui/figures.tsx";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import styles from "./model.module.css";
import { toneOf } from "./model-card.tsx";

export function HealthTab({ model }: { readonly model: string }): ReactNode {
  const stats = useQuery(statsQuery);
  const series = useQuery({
    queryKey: ["usage", "series", model],
    queryFn: ({ signal }) =>
      call<UsageSeries>("/account/usage/series", { query: { subject: `model:${model}`, latency: true }, signal }),
  });
  const own = stats.data?.get(model);
  if (series.error) return <FaultNote fault={series.error} retry={() => void series.refetch()} />;
  if (series.data === undefined) return <Skeleton height="16rem" count={2} />;
  if (series.data.total.calls === 0)
    return (
      <Empty icon={HeartPulse} title="No calls in the last 24 hours">
        Success and latency are measured on this workspace&rsquo;s own calls. Run it once, and they begin.
      </Empty>
    );
  return (
    <Stack>
      {own ? <Tiles stats={own} /> : null}
      {stats.error ? <FaultNote fault={stats.error} retry={() => void stats.refetch()} /> : null}
      <Panel title="Calls, last 24 hours">
        <Chart
          label="Calls"
          kind="bars"
          unit="count"
          data={usageChart(withSuccesses(series.data), [
            { metric: "calls", label: "Succeeded", colour: "ok" },
            { metric: "failures", label: "Failed", colour: "bad" },
          ])}
        />
      </Panel>
      <Panel title="Latency, last 24 hours">
        <Chart
          label="Latency"
          kind="lines"
          unit="span"
          data={usageChart(series.data, [
            { metric: "p50_ms", label: "p50", colour: "series-1" },
            { metric: "p95_ms", label: "p95", colour: "series-2" },
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
      <Tile name="Success" value={percentOf(stats.success_rate)} tone={toneOf(stats.success_rate)} />
      <Tile name="p50" value={spanOf(stats.p50_ms)} />
      <Tile name="p95" value={spanOf(stats.p95_ms)} />
      <Tile name="Calls" value={stats.calls.toLocaleString()} />
      <Tile name="Failures" value={stats.failures.toLocaleString()} />
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
