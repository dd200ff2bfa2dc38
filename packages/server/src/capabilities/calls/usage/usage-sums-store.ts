// Maintains the sums of usage behind the rows: which stretch is added up (the span), adding up the next one, and dropping
// what is too old. The migration says what must hold; usage-lines-store.ts reads the sums.
// Why a stretch can be closed: every row carries the time its transaction began. Once no open transaction began before a
// given time, no row from before that time can still arrive.
import type { Queryable } from "../../../foundation/database/database.ts";
import { type Statement, sql } from "../../../foundation/database/sql.ts";
import { cellOf, dayOf, hourOf, sumOrigin } from "./usage-filter-store.ts";

export interface SumsSpan {
  readonly from: Date;
  readonly until: Date;
}

// Locks the span until the transaction ends. Null if another process has it.
export async function lockSpan(tx: Queryable): Promise<SumsSpan | null> {
  const [span] = await tx.query<SumsSpan>(sql`
    select rolled_from as from, rolled_until as until from usage_sums_span for update skip locked`);
  return span ?? null;
}

// The time before which no row can arrive any more, rounded down to five minutes. Sessions of other roles hide their
// transactions, but all of ours have one role. The minute allows for clocks that are set back.
const closing = { grain: "5 minutes", grace: "1 minute" };

export async function closableUntil(tx: Queryable, { grain, grace } = closing): Promise<Date> {
  const [row] = await tx.query<{ until: Date }>(sql`
    select date_bin(${grain}::interval, least(clock_timestamp() - ${grace}::interval, min(xact_start)), ${sumOrigin}) as until
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`);
  return row?.until ?? new Date(0);
}

// Where to start if nothing is added up yet: the day of the oldest row, or null without rows. Walks an index from workspace
// to workspace.
export async function oldestDay(tx: Queryable): Promise<Date | null> {
  const [row] = await tx.query<{ day: Date | null }>(sql`
    with recursive ${owners}
    select ${dayOf(sql`min(oldest.at)`)} as day
    from owner cross join lateral (select at from usage u where u.workspace_id = owner.id order by at limit 1) as oldest`);
  return row?.day ?? null;
}

export async function moveSpan(tx: Queryable, span: SumsSpan): Promise<void> {
  await tx.execute(sql`update usage_sums_span set rolled_from = ${span.from}, rolled_until = ${span.until}`);
}

// Adds up the rows of a stretch by hour. The span must be locked, and moved in the same transaction.
export async function addUpRows(tx: Queryable, stretch: SumsSpan): Promise<void> {
  await tx.execute(sql`
    insert into usage_sums (${columns})
    with recursive ${owners}, cells as (
      select owner.id as workspace_id, ${hourOf(sql`at`)} as slot, ${dimensions}, ${cellOf} as cell,
             count(*) as calls, sum(credits) as credits, min(at) as first_at, max(at) as last_at, max(total_ms) as ms
      from owner cross join lateral (
        select * from usage u
        where u.workspace_id = owner.id and u.at >= ${stretch.from} and u.at < ${stretch.until} offset 0) as used
      group by 1, 2, ${dimensions}, cell
    )
    ${summed(sql`false`, sql`slot`, sql`cells`)}`);
}

// Merges an hour that was added up in parts back into one line per dimension.
export async function joinHour(tx: Queryable, hour: Date): Promise<void> {
  await tx.execute(sql`
    with gone as (delete from usage_sums where not is_day and slot = ${hour} returning *),
    parts as (select * from gone where detail = 2), cells as (${cellsOf(sql`parts`)})
    insert into usage_sums (${columns}) ${summed(sql`false`, sql`slot`, sql`cells`)}`);
}

// Whole days, from hours that are all added up.
export async function addUpDays(tx: Queryable, days: SumsSpan): Promise<void> {
  await tx.execute(sql`
    insert into usage_sums (${columns})
    with parts as (select * from usage_sums where detail = 2 and not is_day and slot >= ${days.from} and slot < ${days.until}),
    cells as (${cellsOf(sql`parts`)})
    ${summed(sql`true`, dayOf(sql`slot`), sql`cells`)}`);
}

// Call before deleting rows: older ones are then read as rows, not as sums. Returns the cutoff, a full hour.
export async function forgetSums(db: Queryable, keepDays: number): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(sql`
    with bound as (
      select ${hourOf(sql`now() - ${keepDays} * interval '1 day'`)} as at
    ), moved as (
      update usage_sums_span set rolled_from = bound.at, rolled_until = greatest(rolled_until, bound.at)
      from bound where rolled_from < bound.at and rolled_from < rolled_until
    ), gone as (
      delete from usage_sums using bound where slot < bound.at
    )
    select at from bound`);
  return row?.at ?? new Date(0);
}

// One batch of rows from before the cutoff, workspace by workspace along an index: the cost does not grow with what is kept.
export async function deleteUsageBefore(db: Queryable, old: { before: Date; batchRows: number }): Promise<number> {
  return db.execute(sql`
    delete from usage where ctid = any(array(
      with recursive ${owners}
      select old.ctid from owner cross join lateral (
        select u.ctid from usage u where u.workspace_id = owner.id and u.at < ${old.before}
        order by u.at limit ${old.batchRows}) as old
      limit ${old.batchRows}))`);
}

// For checks of the whole database: where the sums of the last two days differ from the rows.
export const sumsAreRows = sql`
    with span as (
      select greatest(rolled_from, ${hourOf(sql`now() - interval '2 days'`)}) as since, rolled_until as until from usage_sums_span
    ), summed as (
      select workspace_id, slot, sum(calls) as calls, sum(credits) as credits
      from usage_sums, span where not is_day and slot >= since group by 1, 2, detail
    ), counted as (
      select workspace_id, ${hourOf(sql`at`)} as slot, count(*) as calls, sum(credits) as credits
      from usage, span where at >= since and at < until group by 1, 2
    )
    select workspace_id from summed full join counted using (workspace_id, slot)
    where (summed.calls, summed.credits) is distinct from (counted.calls, counted.credits)
    union all
    select d.workspace_id from (
      select workspace_id, slot, sum(calls) as calls, sum(credits) as credits
      from usage_sums, span where is_day and slot >= since group by 1, 2, detail) as d
    left join lateral (
      select sum(calls) as calls, sum(credits) as credits from usage_sums h
      where h.workspace_id = d.workspace_id and h.detail = 2 and not h.is_day and h.slot >= d.slot
        and h.slot < d.slot + interval '24 hours') as h on true
    where (d.calls, d.credits) is distinct from (h.calls, h.credits)`;

// Every workspace that has a row, at one index step each.
const owners = sql`owner as (
      (select workspace_id as id from usage order by workspace_id limit 1)
      union all
      select (select u.workspace_id from usage u where u.workspace_id > owner.id order by u.workspace_id limit 1)
      from owner where owner.id is not null
    )`;

const dimensions = sql`subject, outcome, status, api_key_id, is_replay`;
const columns = sql`workspace_id, is_day, detail, slot, ${dimensions}, calls, credits, first_at, last_at, cells, cell_calls, cell_ms`;

// Splits lines into one row per cell. Replays, which have no cell, and credits, which are not in cells, get their own row.
function cellsOf(lines: Statement): Statement {
  return sql`
    select workspace_id, slot, ${dimensions}, null::int as cell, case when is_replay then calls else 0 end as calls, credits,
           first_at, last_at, null::int as ms
    from ${lines}
    union all
    select workspace_id, slot, ${dimensions}, each.cell, each.calls, 0, first_at, last_at, each.ms
    from ${lines} cross join lateral unnest(cells, cell_calls, cell_ms) as each (cell, calls, ms)`;
}

// Sums in all three levels of detail.
function summed(isDay: Statement, slot: Statement, cells: Statement): Statement {
  return sql`
    select workspace_id, ${isDay}, detail, slot, ${dimensions}, sum(calls), sum(credits), min(first_at), max(last_at),
           array_agg(cell order by cell) filter (where cell is not null),
           array_agg(calls order by cell) filter (where cell is not null),
           array_agg(ms order by cell) filter (where cell is not null)
    from (
      select workspace_id, detail, ${slot} as slot, case when detail > 0 then subject else '' end as subject, outcome,
             case when detail > 1 then status end as status, case when detail > 1 then api_key_id end as api_key_id, is_replay,
             cell, sum(calls) as calls, sum(credits) as credits, min(first_at) as first_at, max(last_at) as last_at, max(ms) as ms
      from ${cells} cross join generate_series(0, 2) as detail
      group by 1, 2, 3, 4, outcome, 6, 7, is_replay, cell
    ) as joined
    group by workspace_id, detail, slot, ${dimensions}`;
}
