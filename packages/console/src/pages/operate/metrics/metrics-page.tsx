// How the installation fares: calls, failures, durations, credits and jobs of all workspaces over time.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { metrics as words } from "#strings/operators/metrics";
import { installationFiguresQuery, installationUsageQuery } from "../../../api/admin.ts";
import { Chart } from "../../../ui/chart/chart.tsx";
import type { ChartData, ChartUnit } from "../../../ui/chart/chart-data.ts";
import { usageChart } from "../../../ui/chart/chart-data.ts";
import type { ChartKind } from "../../../ui/chart/plotted.ts";
import { formatBytes, formatCredits, formatDuration, formatPercent } from "../../../ui/figures.tsx";
import kit from "../../../ui/kit.module.css";
import { outcomeOf } from "../../../ui/outcome-words.ts";
import { PageHead, Panel, Stack } from "../../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../../ui/states.tsx";
import { Rich } from "../../../ui/text/rich.tsx";
import { type MetricsSpan, metricsSpans } from "../operate-search.ts";
import { ForOperators } from "../operator.tsx";
import { jobChart, runChart, waitChart } from "./figures-charts.ts";
import styles from "./metrics.module.css";

const route = getRouteApi("/console/metrics");

const hoursOf: Readonly<Record<MetricsSpan, number>> = { hour: 1, day: 24, week: 168, month: 720 };

export function MetricsPage(): ReactNode {
  return (
    <>
      <PageHead title={words.title} lead={<Rich text={words.lead} path={<code>/metrics</code>} />}>
        <Spans />
      </PageHead>
      <ForOperators>
        <Metrics />
      </ForOperators>
    </>
  );
}

function Spans(): ReactNode {
  const { span = "day" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <fieldset className={styles.spans}>
      <legend className="visually-hidden">{words.span}</legend>
      {metricsSpans.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === span}
          onClick={() => navigate({ search: each === "day" ? {} : { span: each }, resetScroll: false })}
        >
          {words.spans[each]}
        </button>
      ))}
    </fieldset>
  );
}

function useFigures() {
  const { span = "day" } = route.useSearch();
  const hours = hoursOf[span];
  const later = { placeholderData: keepPreviousData };
  return {
    whole: useQuery({ ...installationUsageQuery(hours, "none"), ...later }),
    kinds: useQuery({ ...installationUsageQuery(hours, "family"), ...later }),
    outcomes: useQuery({ ...installationUsageQuery(hours, "outcome"), ...later }),
    workspaces: useQuery({ ...installationUsageQuery(hours, "workspace"), ...later }),
    jobs: useQuery({ ...installationFiguresQuery(hours), ...later }),
  };
}

function Metrics(): ReactNode {
  const { whole, kinds, outcomes, workspaces, jobs } = useFigures();
  const all = [whole, kinds, outcomes, workspaces, jobs];
  const failed = all.find(({ error, data }) => error !== null && data === undefined);
  if (failed) return <FaultNote fault={failed.error} retry={() => all.forEach((each) => void each.refetch())} />;
  if (!whole.data || !kinds.data || !outcomes.data || !workspaces.data || !jobs.data)
    return <Skeleton height="40rem" />;
  const nameOf = (key: string) => workspaces.data.groups.find((group) => group.key === key)?.label ?? otherOr(key);
  const times = [
    { metric: "p50_ms", label: words.p50, colour: "series-1" },
    { metric: "p95_ms", label: words.p95Short, colour: "series-2" },
  ] as const;
  return (
    <Stack>
      <Tiles whole={whole.data} jobs={jobs.data} />
      <div className={styles.charts}>
        <Figure title={words.charts.calls} none={words.noCalls} data={usageChart(kinds.data, "calls", kindOf)} />
        <Figure
          title={words.charts.failures}
          none={words.noFailures}
          data={onlyFailures(usageChart(outcomes.data, "failures", outcomeOrOther))}
        />
        <Figure title={words.charts.latency} none={words.noCalls} data={usageChart(whole.data, times)} unit="span" />
        <Figure
          title={words.charts.credits}
          none={words.noCalls}
          data={usageChart(workspaces.data, "credits", nameOf)}
          unit="credits"
        />
        <Figure title={words.charts.jobs} none={words.noJobs} data={jobChart(jobs.data)} />
        <Figure title={words.charts.wait} none={words.noJobs} data={waitChart(jobs.data)} unit="span" />
        <Figure title={words.charts.run} none={words.noJobs} data={runChart(jobs.data)} unit="span" />
      </div>
    </Stack>
  );
}

const otherOr = (key: string) => (key === "other" ? words.others : key);
const outcomeOrOther = (key: string): string => (key === "other" ? words.others : outcomeOf(key).words);
const kindOf = (key: string) => words.families[key] ?? otherOr(key);

// Outcomes that never failed have nothing to show.
function onlyFailures(data: ChartData): ChartData {
  return { ...data, lines: data.lines.filter(({ values }) => values.some((value) => (value ?? 0) > 0)) };
}

function Figure(props: {
  readonly title: string;
  readonly none: string;
  readonly data: ChartData;
  readonly unit?: ChartUnit;
}): ReactNode {
  const { title, none, data, unit = "count" } = props;
  const kind: ChartKind = unit === "span" ? "lines" : "bars";
  const isEmpty = data.lines.every(({ values }) => values.every((value) => value === null));
  return (
    <Panel title={title}>
      {isEmpty ? (
        <p className={styles.none}>{none}</p>
      ) : (
        <Chart label={title} data={data} kind={kind} unit={unit} height={200} />
      )}
    </Panel>
  );
}

type Whole = NonNullable<ReturnType<typeof useFigures>["whole"]["data"]>;
type Jobs = NonNullable<ReturnType<typeof useFigures>["jobs"]["data"]>;

function Tiles({ whole: { total }, jobs }: { readonly whole: Whole; readonly jobs: Jobs }): ReactNode {
  const submitted = jobs.jobs.reduce((sum, point) => sum + point.submitted, 0);
  const facts = [
    [words.calls, total.calls.toLocaleString()],
    [words.succeeded, total.calls === 0 ? "–" : formatPercent(1 - total.failures / total.calls)],
    [words.p95, formatDuration(total.p95_ms)],
    [words.credits, formatCredits(total.credits)],
    [words.jobs, submitted.toLocaleString()],
    [words.queued, jobs.now.queued.toLocaleString()],
    [words.running, jobs.now.running.toLocaleString()],
    [words.stored, formatBytes(jobs.now.stored_bytes)],
  ] as const;
  return (
    <dl className={styles.tiles} aria-label={words.tiles}>
      {facts.map(([label, value]) => (
        <div key={label} className={kit.panel}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
