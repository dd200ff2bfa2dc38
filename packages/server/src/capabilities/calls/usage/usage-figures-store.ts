// Aggregated usage: over time, failures by kind, and how each model does. Each query is one pass over the sums plus the rows
// not yet in a sum. Points and groups bound what leaves the database.
import type { Queryable } from "../../../foundation/database/database.ts";
import { joinSql, type Statement, sql } from "../../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type {
  FailureGroups,
  ModelFigures,
  UsageGrouping,
  UsageSeries,
  UsageStep,
  UsageSums,
  UsageTimes,
} from "./usage-figures.ts";
import { conditionsOf, isFailed } from "./usage-filter-store.ts";
import { type LinesQuery, usageLines } from "./usage-lines-store.ts";
import type { UsageFilter } from "./usage-row.ts";

export interface SeriesQuery {
  // Null: all workspaces, for operators. Only they group by workspace.
  readonly workspaceId: WorkspaceId | null;
  readonly filter: UsageFilter;
  readonly step: UsageStep;
  readonly by: UsageGrouping | "workspace";
  // With by "tag": whose values are the groups.
  readonly tagKey?: string | undefined;
  readonly withTimes: boolean;
  readonly groupsMax: number;
}

const keys = {
  none: sql`''::text`,
  subject: sql`subject`,
  outcome: sql`case when is_replay then 'replayed' else outcome end`,
  api_key_id: sql`coalesce(api_key_id::text, 'person')`,
  family: sql`split_part(subject, ':', 1)`,
  end_user: sql`coalesce(end_user, '(none)')`,
  workspace: sql`workspace_id::text`,
} as const satisfies Record<Exclude<SeriesQuery["by"], "tag">, Statement>;

const keyOf = ({ by, tagKey = "" }: SeriesQuery) =>
  by === "tag" ? sql`coalesce(tags ->> ${tagKey}::text, '(none)')` : keys[by];

const columnsFor = {
  none: "outcome",
  subject: "subject",
  outcome: "outcome",
  api_key_id: "everything",
  family: "subject",
  tag: "labels",
  end_user: "labels",
  workspace: "outcome",
} as const satisfies Record<SeriesQuery["by"], LinesQuery["columns"]>;

const sums = sql`sum(calls) as calls, sum(failures) as failures, sum(replays) as replays, sum(credits) as credits`;
const times = sql`min(ms) filter (where upto >= whole * 0.5) as p50_ms, min(ms) filter (where upto >= whole * 0.95) as p95_ms`;

export async function sumSeries(db: Queryable, query: SeriesQuery): Promise<UsageSeries> {
  const rows = await db.query<SeriesRow>(sql`
    with cells as materialized (
      select date_bin(${`1 ${query.step}`}::interval, at, '2000-01-01T00:00:00Z') as slot, ${keyOf(query)} as key,
             cell, coalesce(sum(calls) filter (where not is_replay), 0) as calls,
             coalesce(sum(calls) filter (where ${isFailed}), 0) as failures,
             coalesce(sum(calls) filter (where is_replay), 0) as replays, sum(credits) as credits, max(ms) as ms
      from ${usageLines({ ...query, atMost: query.step, columns: columnsFor[query.by] })}
      group by 1, 2, cell
    ), weighed as (
      select *, sum(calls + replays) over (partition by key) as weight from cells
    ), ranked as (
      -- Without a join: with a key for each call and no statistics yet, it would compare every row with every other.
      select *, dense_rank() over (order by weight desc, key) as rank from weighed
    ), named as materialized (
      select slot, case when rank <= ${query.groupsMax} then key end as key, min(rank) as rank, cell, ${sums}, max(ms) as ms
      from ranked group by 1, 2, cell
    ), counted as (
      select *, sum(calls) over (partition by slot, key order by cell) as upto,
             sum(calls) over (partition by slot, key) as whole
      from named
    ), whole as (
      select ${sums}, max(ms) as ms, sum(sum(calls)) over (order by cell) as upto, sum(sum(calls)) over () as whole
      from cells group by cell
    )
    select 'point' as level, slot, key, null::bigint as rank, ${sums}, ${times} from counted group by slot, key
    union all
    select 'group', null, key, min(rank), ${sums}, null, null from named group by key
    union all
    select 'total', null, null, null, ${sums}, ${times} from whole
    order by slot, rank, key`);
  const level = (wanted: SeriesRow["level"]) => rows.filter((row) => row.level === wanted);
  const [total] = level("total");
  return {
    points: level("point").flatMap((row) =>
      row.slot === null ? [] : [{ at: row.slot, key: row.key, ...sumsOf(row), ...timesOf(row) }],
    ),
    groups: level("group").map((row) => ({ key: row.key, ...sumsOf(row) })),
    total: total ? { ...sumsOf(total), ...timesOf(total) } : nothing,
  };
}

// Rows of failures have a separate index, so successful calls are not read. A group's newest row is found by its time.
export async function groupFailures(
  db: Queryable,
  query: { workspaceId: WorkspaceId; filter: UsageFilter; limit: number },
): Promise<FailureGroups> {
  const filter = { ...query.filter, isFailure: true };
  const { workspaceId } = query;
  const rows = await db.query<FailureRow>(sql`
    with grouped as (
      select outcome, subject, status, sum(calls) as count, min(first_at) as first_at, max(last_at) as last_at,
             sum(credits) as credits, sum(sum(calls)) over () as all_count, count(*) over () as all_groups,
             sum(sum(credits)) over () as all_credits
      from ${usageLines({ workspaceId, filter, withTimes: false, atMost: "day", columns: "everything" })}
      group by outcome, subject, status order by sum(calls) desc, max(last_at) desc, outcome, subject limit ${query.limit}
    )
    select grouped.*, (
        select coalesce(request_id, call_id) from usage
        where ${joinSql(conditionsOf(workspaceId, filter), sql` and `)} and at = grouped.last_at
          and outcome = grouped.outcome and subject = grouped.subject and status is not distinct from grouped.status
        order by id desc limit 1
      ) as last_request_id
    from grouped order by count desc, last_at desc, outcome, subject`);
  const [first] = rows;
  return {
    groups: rows.map((row) => ({
      outcome: row.outcome,
      subject: row.subject,
      status: row.status,
      count: Number(row.count),
      firstAt: row.first_at,
      lastAt: row.last_at,
      credits: BigInt(row.credits),
      lastRequestId: row.last_request_id,
    })),
    total: {
      count: Number(first?.all_count ?? 0),
      groups: Number(first?.all_groups ?? 0),
      credits: BigInt(first?.all_credits ?? 0),
    },
  };
}

export async function sumModels(
  db: Queryable,
  query: { workspaceId: WorkspaceId; since: Date; countMax: number },
): Promise<ModelFigures[]> {
  const filter = { from: query.since, isReplay: false, family: "model" };
  const rows = await db.query<ModelRow>(sql`
    with cells as (
      select subject, cell, sum(calls) as calls, coalesce(sum(calls) filter (where outcome = 'succeeded'), 0) as successes,
             max(ms) filter (where outcome = 'succeeded') as ms, max(last_at) as last_at
      from ${usageLines({ workspaceId: query.workspaceId, filter, withTimes: true, atMost: "day", columns: "subject" })}
      group by subject, cell
    ), counted as (
      select *, sum(successes) over (partition by subject order by cell) as upto,
             sum(successes) over (partition by subject) as whole
      from cells
    )
    select substr(subject, 7) as model, sum(calls) as calls, sum(successes) as successes, ${times}, max(last_at) as last_at
    from counted group by subject order by sum(calls) desc, subject limit ${query.countMax}`);
  return rows.map((row) => ({
    model: row.model,
    calls: Number(row.calls),
    successes: Number(row.successes),
    ...timesOf(row),
    lastAt: row.last_at,
  }));
}

interface SummedRow {
  // Null if there was no row.
  readonly calls: string | null;
  readonly failures: string | null;
  readonly replays: string | null;
  readonly credits: string | null;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

interface SeriesRow extends SummedRow {
  readonly level: "point" | "group" | "total";
  readonly slot: Date | null;
  readonly key: string | null;
}

interface FailureRow {
  readonly outcome: string;
  readonly subject: string;
  readonly status: number | null;
  readonly count: string;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly credits: string;
  readonly last_request_id: string | null;
  readonly all_count: string;
  readonly all_groups: string;
  readonly all_credits: string;
}

interface ModelRow {
  readonly model: string;
  readonly calls: string;
  readonly successes: string;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly last_at: Date;
}

const nothing = { calls: 0, failures: 0, replays: 0, credits: 0n, p50Ms: null, p95Ms: null } as const;

function sumsOf(row: SummedRow): UsageSums {
  return {
    calls: Number(row.calls ?? 0),
    failures: Number(row.failures ?? 0),
    replays: Number(row.replays ?? 0),
    credits: BigInt(row.credits ?? 0),
  };
}

function timesOf(row: Pick<SummedRow, "p50_ms" | "p95_ms">): UsageTimes {
  return { p50Ms: row.p50_ms, p95Ms: row.p95_ms };
}
