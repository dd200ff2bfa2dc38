// What usage figures are added up from: sums where they exist, and rows where they do not yet, at the edges of a span that
// starts or ends within an hour, and for details the sums lack. One snapshot decides where the sums end and reads both, so
// no row is counted twice or missed.
import { joinSql, type Statement, sql } from "../../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { cellOf, conditionsOf, dayOf, hourMs } from "./usage-filter-store.ts";
import type { UsageFilter } from "./usage-row.ts";

export interface LinesQuery {
  // Null: of all workspaces, for operators; the lines then have a workspace_id.
  readonly workspaceId: WorkspaceId | null;
  readonly filter: UsageFilter;
  // Whether to include cells of time.
  readonly withTimes: boolean;
  // The longest period one line may cover. Anything finer than an hour comes from rows alone.
  readonly atMost: "minute" | "hour" | "day";
  // Which columns are read besides those of the filter. Fewer is faster; the others are empty or null.
  // Tags and end users are in no sum: with them, as with a filter for one, everything comes from rows.
  readonly columns: "outcome" | "subject" | "everything" | "labels";
}

// A relation `(…) as line` of: at, subject, outcome, status, api_key_id, is_replay, calls, credits, first_at, last_at, cell,
// ms. With times, the calls of a sum are spread over its cells, and its credits come in a separate line.
export function usageLines(query: LinesQuery): Statement {
  const { from, to, ...narrowed } = query.filter;
  const matching = joinSql(conditionsOf(query.workspaceId, narrowed), sql` and `);
  const rows = (since: Statement | null, until: Statement | null) => {
    const bounds = [since && sql`at >= ${since}`, until && sql`at < ${until}`].filter((bound) => bound !== null);
    return rowLines(joinSql([matching, ...bounds], sql` and `), query);
  };
  const [given, ended] = [from && sql`${from}::timestamptz`, to && sql`${to}::timestamptz`];
  if (query.atMost === "minute" || isOfRowsAlone(query)) {
    return sql`(${rows(given ?? null, ended ?? null)}) as line`;
  }
  const edge = (name: Statement) => sql`(select ${name} from edges)`;
  const sums = (isDay: boolean, since: Statement, until: Statement) =>
    sumLines(
      sql`${matching} and detail = ${detailOf(query)} and is_day = ${isDay ? sql`true` : sql`false`} and slot >= ${edge(since)} and slot < ${edge(until)}`,
      query,
    );
  const parts = [
    rows(given ?? null, edge(sql`hours_from`)),
    rows(edge(sql`hours_until`), ended ?? null),
    sums(false, sql`hours_from`, sql`days_from`),
    sums(false, sql`days_until`, sql`hours_until`),
  ];
  if (query.atMost === "day") parts.push(sums(true, sql`days_from`, sql`days_until`));
  return sql`(with ${edges({ from, to, withDays: query.atMost === "day" })} ${joinSql(parts, sql` union all `)}) as line`;
}

function isOfRowsAlone({ columns, filter }: LinesQuery): boolean {
  const { requestOrCallId, tag, endUser } = filter;
  return columns === "labels" || [requestOrCallId, tag, endUser].some((given) => given !== undefined);
}

// 0 by outcome alone, 1 with the subject, 2 with key and status. Picks the smallest that answers the query.
function detailOf({ columns, filter }: LinesQuery): Statement {
  if (columns === "everything" || filter.apiKeyId !== undefined) return sql`2`;
  return columns === "subject" || filter.subject !== undefined || filter.family !== undefined ? sql`1` : sql`0`;
}

// The boundaries between rows, hours, days, hours and rows. Sums may end within an hour. The lines of that hour hold only
// what came before that point, so they count only for a span that reaches beyond it.
function edges(asked: { from: Date | undefined; to: Date | undefined; withDays: boolean }): Statement {
  const since =
    asked.from === undefined ? sql`rolled_from` : sql`greatest(rolled_from, ${wholeHour(asked.from, Math.ceil)})`;
  const until =
    asked.to === undefined
      ? sql`rolled_until`
      : sql`case when rolled_until <= ${asked.to} then rolled_until else ${wholeHour(asked.to, Math.floor)} end`;
  const nowhere = asked.to === undefined ? sql`'infinity'::timestamptz` : sql`${asked.to}::timestamptz`;
  const days = asked.withDays
    ? sql`${dayOf(sql`hours_from + interval '1 day' - interval '1 microsecond'`)} as days_from, ${dayOf(sql`hours_until`)} as days_until`
    : sql`hours_until as days_from, hours_until as days_until`;
  return sql`rolled as (
      select ${since} as since, ${until} as until from usage_sums_span
    ), whole as (
      select case when since < until then since else ${nowhere} end as hours_from,
             case when since < until then until else ${nowhere} end as hours_until
      from rolled
    ), dated as (
      select hours_from, hours_until, ${days} from whole
    ), edges as materialized (
      select hours_from, hours_until,
             case when days_from < days_until then days_from else hours_until end as days_from,
             case when days_from < days_until then days_until else hours_until end as days_until
      from dated
    )`;
}

function wholeHour(moment: Date, round: (hours: number) => number): Statement {
  return sql`${new Date(round(moment.getTime() / hourMs) * hourMs)}::timestamptz`;
}

type Shape = Pick<LinesQuery, "withTimes" | "columns" | "workspaceId">;

const ofAll = ({ workspaceId }: Shape) => (workspaceId === null ? sql`, workspace_id` : sql``);

function rowLines(where: Statement, shape: Shape): Statement {
  const { withTimes, columns } = shape;
  return sql`
    select at, subject, outcome, status, api_key_id, is_replay, 1 as calls, credits, at as first_at, at as last_at,
           ${withTimes ? cellOf : sql`null::int`} as cell,
           ${withTimes ? sql`case when not is_replay then total_ms end` : sql`null::int`} as ms${columns === "labels" ? sql`, tags, end_user` : sql``}${ofAll(shape)}
    from usage where ${where}`;
}

function sumLines(where: Statement, shape: Shape): Statement {
  const columns = sql`slot as at, subject, outcome, status, api_key_id, is_replay`;
  if (!shape.withTimes) {
    return sql`
    select ${columns}, calls, credits, first_at, last_at, null::int, null::int${ofAll(shape)} from usage_sums where ${where}`;
  }
  return sql`
    select ${columns}, case when is_replay then calls else 0 end, credits, first_at, last_at, null::int, null::int${ofAll(shape)}
    from usage_sums where ${where}
    union all
    select ${columns}, each.calls, 0, first_at, last_at, each.cell, each.ms${ofAll(shape)}
    from usage_sums cross join lateral unnest(cells, cell_calls, cell_ms) as each (cell, calls, ms) where ${where}`;
}
