// Usage from afar: over time, failures by kind, and how each model does. Each is one pass over the rows of the span, and
// what leaves the database is bounded by points and groups, however many rows there are.
import type { Queryable } from "../../../foundation/database/database.ts";
import { joinSql, type Statement, sql } from "../../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { conditionsOf, isFailed, type UsageFilter } from "./usage-store.ts";

export type UsageStep = "minute" | "hour" | "day";
export type UsageGrouping = "none" | "subject" | "outcome" | "api_key_id" | "family";

export interface UsageSums {
  readonly calls: number;
  readonly failures: number;
  readonly replays: number;
  // Micro-credits.
  readonly credits: bigint;
}

export interface UsageTimes {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export interface UsagePoint extends UsageSums, UsageTimes {
  readonly at: Date;
  // Null for those that are no group of their own.
  readonly key: string | null;
}

export interface UsageSeries {
  readonly points: readonly UsagePoint[];
  readonly groups: readonly (UsageSums & { readonly key: string | null })[];
  readonly total: UsageSums & UsageTimes;
}

export interface SeriesQuery {
  readonly workspaceId: WorkspaceId;
  readonly filter: UsageFilter;
  readonly step: UsageStep;
  readonly by: UsageGrouping;
  readonly withTimes: boolean;
  readonly groupsMax: number;
}

const keys = {
  none: sql`''::text`,
  subject: sql`subject`,
  outcome: sql`case when is_replay then 'replayed' else outcome end`,
  api_key_id: sql`coalesce(api_key_id::text, 'person')`,
  family: sql`split_part(subject, ':', 1)`,
} as const satisfies Record<UsageGrouping, Statement>;

// Times are counted in cells that are 5 % wide; the longest of a cell stands for it, so that a time that is told is one
// that was measured.
const cell = sql`case when not is_replay then floor(ln(total_ms + 1::float8) * 20)::int end`;
const sums = sql`sum(calls) as calls, sum(failures) as failures, sum(replays) as replays, sum(credits) as credits`;
const times = sql`min(ms) filter (where upto >= whole * 0.5) as p50_ms, min(ms) filter (where upto >= whole * 0.95) as p95_ms`;

export async function sumSeries(db: Queryable, query: SeriesQuery): Promise<UsageSeries> {
  const rows = await db.query<SeriesRow>(sql`
    with cells as materialized (
      select date_bin(${`1 ${query.step}`}::interval, at, '2000-01-01T00:00:00Z') as slot, ${keys[query.by]} as key,
             ${query.withTimes ? cell : sql`null::int`} as cell,
             count(*) filter (where not is_replay) as calls, count(*) filter (where ${isFailed}) as failures,
             count(*) filter (where is_replay) as replays, sum(credits) as credits,
             ${query.withTimes ? sql`max(total_ms) filter (where not is_replay)` : sql`null::int`} as ms
      from usage where ${joinSql(conditionsOf(query.workspaceId, query.filter), sql` and `)}
      group by 1, 2, 3
    ), ranked as (
      select key, row_number() over (order by sum(calls + replays) desc, key) as rank from cells group by key
    ), named as materialized (
      select slot, case when rank <= ${query.groupsMax} then key end as key, min(rank) as rank, cell, ${sums}, max(ms) as ms
      from cells join ranked using (key) group by 1, 2, cell
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

export interface FailureGroup {
  readonly outcome: string;
  readonly subject: string;
  readonly status: number | null;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly credits: bigint;
  readonly lastRequestId: string | null;
}

export interface FailureGroups {
  readonly groups: readonly FailureGroup[];
  readonly total: { readonly count: number; readonly groups: number; readonly credits: bigint };
}

// Failures have an index of their own, so that the calls that succeeded are not read.
export async function groupFailures(
  db: Queryable,
  query: { workspaceId: WorkspaceId; filter: UsageFilter; limit: number },
): Promise<FailureGroups> {
  const conditions = conditionsOf(query.workspaceId, { ...query.filter, isFailure: true });
  const rows = await db.query<FailureRow>(sql`
    select outcome, subject, status, count(*) as count, min(at) as first_at, max(at) as last_at, sum(credits) as credits,
           (array_agg(coalesce(request_id, call_id) order by at desc, id desc))[1] as last_request_id,
           sum(count(*)) over () as all_count, count(*) over () as all_groups, sum(sum(credits)) over () as all_credits
    from usage where ${joinSql(conditions, sql` and `)}
    group by outcome, subject, status order by count(*) desc, max(at) desc, outcome, subject limit ${query.limit}`);
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

export interface ModelFigures {
  readonly model: string;
  readonly calls: number;
  readonly successes: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly lastAt: Date;
}

export async function sumModels(
  db: Queryable,
  query: { workspaceId: WorkspaceId; since: Date; countMax: number },
): Promise<ModelFigures[]> {
  const rows = await db.query<ModelRow>(sql`
    select substr(subject, 7) as model, count(*) as calls, count(*) filter (where outcome = 'succeeded') as successes,
           percentile_disc(array[0.5, 0.95]) within group (order by total_ms) filter (where outcome = 'succeeded') as times,
           max(at) as last_at
    from usage
    where workspace_id = ${query.workspaceId} and at >= ${query.since} and not is_replay
      and split_part(subject, ':', 1) = 'model'
    group by subject order by count(*) desc, subject limit ${query.countMax}`);
  return rows.map((row) => ({
    model: row.model,
    calls: Number(row.calls),
    successes: Number(row.successes),
    p50Ms: row.times?.[0] ?? null,
    p95Ms: row.times?.[1] ?? null,
    lastAt: row.last_at,
  }));
}

interface SummedRow {
  // Null where there was no row at all.
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
  readonly times: readonly number[] | null;
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

function timesOf(row: SummedRow): UsageTimes {
  return { p50Ms: row.p50_ms, p95Ms: row.p95_ms };
}
