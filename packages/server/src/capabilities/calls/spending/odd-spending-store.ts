// Hours that were looked at, and what was odd about them. Everything is read from the hourly sums of usage, and nothing is
// written while calls run.
import { type Queryable, type Statement, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { OddHour, OddRule, OddSpending } from "./odd-hour.ts";

// How far sums are complete, and which hour comes next. Null if another process is looking.
export async function lockLook(tx: Queryable): Promise<{ lookedUntil: Date | null; summedUntil: Date } | null> {
  const [row] = await tx.query<{ lookedUntil: Date | null; summedUntil: Date }>(sql`
    select looked_until as "lookedUntil", (select rolled_until from usage_sums_span) as "summedUntil"
    from spending_looks for update skip locked`);
  return row ?? null;
}

export async function moveLook(tx: Queryable, until: Date): Promise<void> {
  await tx.execute(sql`update spending_looks set looked_until = ${until}`);
}

// Workspaces of an hour whose spending is odd by the rule, with their alerts written. Only those that spent the amount are compared,
// each with at most eight probes of an index.
interface Looked {
  readonly hour: Date;
  readonly rule: OddRule;
  readonly at: Date;
}

export async function insertOddHours(tx: Queryable, looked: Looked): Promise<OddSpending[]> {
  const rows = await tx.query<OddRow>(oddHours(looked));
  return rows.map((row) => ({ workspaceId: row.workspace_id, ...toOddHour(row) }));
}

export const oddHours = ({ hour, rule, at }: Looked): Statement => sql`
    with spent as (
      select s.workspace_id, sum(s.credits)::bigint as credits
      from usage_sums s where s.slot = ${hour} and s.detail = 0 and not s.is_day and s.credits > 0
      group by s.workspace_id
    ), much as (
      select spent.* from spent left join spending_watches w on w.workspace_id = spent.workspace_id
      where coalesce(w.is_on, true) and spent.credits >= coalesce(w.at_least, ${String(rule.atLeast)}::bigint)
    ), known as (
      -- Weeks before the workspace's first usage say nothing about what is usual.
      select much.*, least(${rule.weeksMax}::int, floor(extract(epoch from ${hour}::timestamptz - greatest(
        (select rolled_from from usage_sums_span),
        (select min(f.slot) from usage_sums f where f.workspace_id = much.workspace_id and f.detail = 0 and not f.is_day)
      )) / 604800)::int) as weeks
      from much
    ), usual as (
      select known.workspace_id, known.credits, known.weeks, (sum(past.credits) / known.weeks)::bigint as average,
             max(past.credits)::bigint as highest
      from known cross join lateral generate_series(1, known.weeks) as week cross join lateral (
        select coalesce(sum(p.credits), 0)::bigint as credits from usage_sums p
        where p.workspace_id = known.workspace_id and p.detail = 0 and not p.is_day
          and p.slot = ${hour}::timestamptz - week * interval '168 hours') as past
      where known.weeks >= ${rule.weeksMin}
      group by known.workspace_id, known.credits, known.weeks
    ), odd as (
      select * from usual where credits > highest and credits >= ${rule.times}::int * average
    ), counted as (
      insert into spending_watches as w (workspace_id, alert_count)
      select workspace_id, 1 from odd order by workspace_id
      on conflict (workspace_id) do update set alert_count = w.alert_count + 1
      returning workspace_id, alert_count
    )
    insert into spending_alerts (workspace_id, hour, sequence, spent, average, highest, weeks, at)
    select odd.workspace_id, ${hour}, counted.alert_count, odd.credits, odd.average, odd.highest, odd.weeks, ${at}
    from odd join counted using (workspace_id)
    returning workspace_id, hour, sequence, spent, average, highest, weeks, at`;

export async function findWatch(
  db: Queryable,
  workspaceId: WorkspaceId,
): Promise<{ isOn: boolean; atLeast: bigint | null }> {
  const [row] = await db.query<{ is_on: boolean; at_least: string | null }>(sql`
    select is_on, at_least from spending_watches where workspace_id = ${workspaceId}`);
  const atLeast = row?.at_least ?? null;
  return { isOn: row?.is_on ?? true, atLeast: atLeast === null ? null : BigInt(atLeast) };
}

export async function putWatch(
  tx: Queryable,
  { workspaceId, isOn, atLeast }: { workspaceId: WorkspaceId; isOn: boolean; atLeast: bigint | null },
): Promise<void> {
  const amount = atLeast === null ? null : String(atLeast);
  await tx.execute(sql`
    insert into spending_watches (workspace_id, is_on, at_least) values (${workspaceId}, ${isOn}, ${amount}::bigint)
    on conflict (workspace_id) do update set is_on = excluded.is_on, at_least = excluded.at_least`);
}

// Newest first.
export async function listOddHours(db: Queryable, workspaceId: WorkspaceId, count: number): Promise<OddHour[]> {
  const rows = await db.query<OddRow>(sql`
    select workspace_id, hour, sequence, spent, average, highest, weeks, at
    from spending_alerts where workspace_id = ${workspaceId} order by hour desc limit ${count}`);
  return rows.map(toOddHour);
}

interface OddRow {
  readonly workspace_id: WorkspaceId;
  readonly hour: Date;
  readonly sequence: number;
  readonly spent: string;
  readonly average: string;
  readonly highest: string;
  readonly weeks: number;
  readonly at: Date;
}

function toOddHour({ hour, sequence, spent, average, highest, weeks, at }: OddRow): OddHour {
  return { hour, sequence, spent: BigInt(spent), average: BigInt(average), highest: BigInt(highest), weeks, at };
}
