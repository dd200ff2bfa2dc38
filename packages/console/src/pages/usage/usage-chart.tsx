// A metric by group over time, next to it the table of groups, and totals over everything the filters match.

import type { UsageSeries } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChartColumn, X } from "lucide-react";
import type { ReactNode } from "react";
import { usage as words } from "#strings/usage";
import { keysQuery } from "../../api/account.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Chart } from "../../ui/chart/chart.tsx";
import { isTime, unitOf, usageChart, usageMetrics } from "../../ui/chart/chart-data.ts";
import { Select } from "../../ui/fields.tsx";
import { formatCredits, formatDuration, formatPercent } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { zoomed } from "../../ui/range/range.ts";
import { Scrollable } from "../../ui/scrollable.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import styles from "./usage.module.css";
import { seriesQuery } from "./usage-queries.ts";
import { groupings, metrics, type UsageSearch } from "./usage-search.ts";

const filterWords = words.filterNames;
type FilterName = keyof typeof filterWords;

export function UsageChart(): ReactNode {
  const search = useSearch({ from: "/console/usage" });
  const { data, error, refetch } = useQuery(seriesQuery(search));
  return (
    <Panel title={words.overTime} actions={<Choices />}>
      {data === undefined ? (
        <Pending fault={error} retry={refetch} height="23.7rem" />
      ) : (
        <Figures series={data} search={search} />
      )}
    </Panel>
  );
}

function useChange() {
  const navigate = useNavigate({ from: "/console/usage" });
  return (more: UsageSearch) =>
    navigate({
      search: (now) =>
        Object.fromEntries(Object.entries({ ...now, ...more }).filter(([, value]) => value !== undefined)),
    });
}

function Choices(): ReactNode {
  const { metric = "calls", by = "none" } = useSearch({ from: "/console/usage" });
  const change = useChange();
  return (
    <div className={kit.actions}>
      <Select
        label={words.metric}
        choices={metrics.map((name) => ({ value: name, label: usageMetrics[name] }))}
        value={metric}
        onChange={({ target }) => change({ metric: metrics.find((name) => name === target.value) })}
      />
      <Select
        label={words.grouping}
        choices={groupings.map((name) => ({ value: name, label: words.groups[name] }))}
        value={by}
        onChange={({ target }) => change({ by: groupings.find((name) => name === target.value) })}
      />
    </div>
  );
}

function Figures({ series, search }: { readonly series: UsageSeries; readonly search: UsageSearch }): ReactNode {
  const { metric = "calls" } = search;
  const change = useChange();
  const labelOf = useLabels(series.by);
  const isEmpty = series.total.calls + series.total.replays === 0;
  return (
    <div className={styles.figures}>
      <Filters search={search} onRemove={(name) => change({ [name]: undefined })} />
      <Totals of={series.total} />
      {isEmpty ? (
        <Empty icon={ChartColumn} title={words.nothing}>
          {words.nothingText}
        </Empty>
      ) : (
        <div className={styles.columns} data-grouped={series.groups.length > 0}>
          <Chart
            label={usageMetrics[metric]}
            data={usageChart(series, metric, labelOf)}
            kind={isTime(metric) ? "lines" : "bars"}
            unit={unitOf(metric)}
            height={280}
            onZoom={(from, to) => change({ ...zoomed(from, to), range: undefined })}
          />
          {series.groups.length > 0 ? <Groups series={series} labelOf={labelOf} onPick={change} /> : null}
        </div>
      )}
    </div>
  );
}

// Keys by name; models without the `model:` prefix.
function useLabels(by: string): (key: string) => string {
  const { data: keys } = useQuery({ ...keysQuery, staleTime: 60_000 });
  return (key) => {
    if (key === "other") return words.others;
    if (by !== "api_key_id") return key.replace(/^model:/, "");
    if (key === "person") return words.people;
    return keys?.find(({ id }) => id === key)?.name ?? words.key(key.slice(0, 8));
  };
}

function Filters(props: { readonly search: UsageSearch; readonly onRemove: (name: FilterName) => void }): ReactNode {
  const nameOf = useLabels("api_key_id");
  const set = (["subject", "outcome", "api_key_id"] as const).flatMap((name) => {
    const value = props.search[name];
    return value === undefined ? [] : [{ name, value }];
  });
  if (set.length === 0) return null;
  return (
    <ul className={styles.filters} aria-label={words.filters}>
      {set.map(({ name, value }) => (
        <li key={name} className={styles.filter}>
          <span className={kit.soft}>{filterWords[name]}</span> {name === "api_key_id" ? nameOf(value) : value}
          <IconButton small label={words.removeFilter(filterWords[name])} onClick={() => props.onRemove(name)}>
            <X aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function Totals({ of }: { readonly of: UsageSeries["total"] }): ReactNode {
  const facts = [
    [words.requests, of.calls.toLocaleString(), "calls"],
    [words.succeeded, of.calls === 0 ? "–" : formatPercent(1 - of.failures / of.calls), null],
    [words.failures, of.failures.toLocaleString(), "failures"],
    [words.replays, of.replays.toLocaleString(), "replays"],
    [words.credits, formatCredits(of.credits), "credits"],
    ["p50", formatDuration(of.p50_ms), null],
    ["p95", formatDuration(of.p95_ms), null],
  ] as const;
  return (
    <dl className={styles.totals} aria-label={words.totals}>
      {facts.map(([label, value, name]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd {...(name === null ? {} : { "data-total": name })}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Groups(props: {
  readonly series: UsageSeries;
  readonly labelOf: (key: string) => string;
  readonly onPick: (more: UsageSearch) => void;
}): ReactNode {
  const { by, groups } = props.series;
  const mayPick = (key: string) => key !== "other" && key !== "person" && by in filterWords;
  return (
    <Scrollable className={styles.groups} label={words.groupTable}>
      <table className={kit.table}>
        <thead>
          <tr>
            <th scope="col">{words.groupHeads[by]}</th>
            <th scope="col" data-align="end">
              {words.requests}
            </th>
            <th scope="col" data-align="end">
              {words.failures}
            </th>
            <th scope="col" data-align="end">
              {words.credits}
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ key, calls, failures, credits }) => (
            <tr key={key}>
              <th scope="row" className={styles.groupName}>
                {mayPick(key) ? (
                  <Button
                    small
                    look="quiet"
                    title={words.onlyThis}
                    onClick={() => props.onPick({ [by]: key, by: undefined })}
                  >
                    {props.labelOf(key)}
                  </Button>
                ) : (
                  props.labelOf(key)
                )}
              </th>
              <td data-align="end">{calls.toLocaleString()}</td>
              <td data-align="end">{failures.toLocaleString()}</td>
              <td data-align="end">{formatCredits(credits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
