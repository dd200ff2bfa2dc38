// What went wrong, by kind and model: how often, since when, what it cost, and the requests behind it.
import type { ErrorGroup, UsageSeries } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { errors as words } from "#strings/errors";
import { errorGroupsQuery, seriesQuery } from "../../api/usage.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import { failureColourAt, usageChart } from "../../ui/chart/chart-data.ts";
import { Ago, formatCredits, useNow } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { familyWords, OutcomeChip, type OutcomeFamily, outcomeOf, subjectOf } from "../../ui/outcome.tsx";
import { PageHead, Panel, Stack } from "../../ui/panel.tsx";
import { type Range, type RangeSearch, rangeOf, rereadMs, zoomed } from "../../ui/range/range.ts";
import { RangeChoice } from "../../ui/range/range-choice.tsx";
import { Pending } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./errors.module.css";

const route = getRouteApi("/console/errors");

export function ErrorsPage(): ReactNode {
  const search = route.useSearch();
  const navigate = useNavigate();
  const range = rangeOf(search, "24h", useNow(60_000));
  const query = useQuery({
    ...errorGroupsQuery({ from: range.from, to: range.to, limit: 100 }),
    refetchInterval: rereadMs(range),
  });
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <RangeChoice
          search={search}
          otherwise="24h"
          onChoose={(next) => navigate({ to: "/console/errors", search: next })}
        />
      </PageHead>
      {query.data === undefined ? (
        <Pending fault={query.error} retry={query.refetch} height="12rem" count={2} />
      ) : query.data.total.count === 0 ? (
        <Quiet />
      ) : (
        <Stack>
          <OverTime range={range} />
          <Groups groups={query.data.data} total={query.data.total} search={search} />
        </Stack>
      )}
    </>
  );
}

function Quiet(): ReactNode {
  return (
    <Panel>
      <div className={styles.quiet}>
        <CircleCheck aria-hidden="true" />
        <h2>{words.none}</h2>
        <p className={kit.soft}>
          <Rich text={words.allSucceeded} requests={<Link to="/console/requests">{words.seeRequests}</Link>} />
        </p>
      </div>
    </Panel>
  );
}

function OverTime({ range }: { readonly range: Range }): ReactNode {
  const navigate = useNavigate();
  const query = useQuery(seriesQuery({ from: range.from, to: range.to, by: "outcome", failed: true }));
  return (
    <Panel title={words.overTime}>
      {query.data ? (
        <Chart
          label={words.byKind}
          kind="bars"
          height={170}
          data={failuresOf(query.data)}
          unit="count"
          onZoom={(from, to) => navigate({ to: "/console/errors", search: zoomed(from, to) })}
          onPick={(at) => {
            const { stepMs } = usageChart(query.data, "failures");
            navigate({ to: "/console/requests", search: { ...zoomed(at, at + stepMs), outcome: "failed" } });
          }}
        />
      ) : (
        <Pending fault={query.error} retry={query.refetch} height="13rem" />
      )}
    </Panel>
  );
}

function failuresOf(series: UsageSeries) {
  const data = usageChart(series, "failures", (key) => outcomeOf(key).words);
  return { ...data, lines: data.lines.map((line, index) => ({ ...line, colour: failureColourAt(index) })) };
}

const families: readonly OutcomeFamily[] = ["server", "provider", "caller"];

function Groups(props: {
  readonly groups: readonly ErrorGroup[];
  readonly total: { readonly count: number; readonly groups: number; readonly credits: string };
  readonly search: RangeSearch;
}): ReactNode {
  const byFamily = Map.groupBy(props.groups, ({ outcome }) => outcomeOf(outcome).family);
  const { count, groups, credits } = props.total;
  return (
    <>
      <p className={kit.soft} role="status">
        {words.summary(count, groups)}{" "}
        {Number(credits) === 0 ? words.noneCharged : words.charged(formatCredits(credits))}{" "}
        {groups > props.groups.length ? words.largestShown(props.groups.length) : ""}
      </p>
      {families.map((family) => {
        const own = byFamily.get(family) ?? [];
        return own.length === 0 ? null : (
          <Panel key={family} title={familyWords[family]} flush className={styles.group}>
            <Table
              label={familyWords[family]}
              rows={own}
              keyOf={({ outcome, subject, status }) => `${outcome} ${subject} ${status}`}
              columns={columnsOf(props.search)}
            />
          </Panel>
        );
      })}
    </>
  );
}

function columnsOf(search: RangeSearch): readonly Column<ErrorGroup>[] {
  return [
    {
      name: "outcome",
      head: words.columns.what,
      cell: ({ outcome, status }) => (
        <span className={styles.what}>
          <OutcomeChip outcome={outcome} />
          {status === null ? null : <span className={kit.soft}>{status}</span>}
        </span>
      ),
    },
    {
      name: "subject",
      head: words.columns.where,
      cell: ({ subject, outcome }) => (
        <Link
          className={styles.where}
          to="/console/requests"
          search={{ ...search, ...(search.from || search.range ? {} : { range: "24h" as const }), subject, outcome }}
        >
          {subjectOf(subject).name}
        </Link>
      ),
    },
    { name: "count", head: words.columns.count, align: "end", cell: ({ count }) => count.toLocaleString() },
    { name: "first", head: words.columns.first, align: "end", cell: ({ first_at }) => <Ago at={first_at} /> },
    { name: "last", head: words.columns.last, align: "end", cell: ({ last_at }) => <Ago at={last_at} /> },
    {
      name: "charged",
      head: words.columns.charged,
      align: "end",
      cell: ({ credits }) =>
        Number(credits) === 0 ? <span className={kit.soft}>{words.nothing}</span> : formatCredits(credits),
    },
    {
      name: "request",
      head: words.columns.latest,
      align: "end",
      cell: ({ last_request_id }) =>
        last_request_id === null ? null : (
          <Link to="/console/requests/$requestId" params={{ requestId: last_request_id }}>
            {words.open}
          </Link>
        ),
    },
  ];
}
