// Budgets and what counts against them. Periods are UTC, by the database's clock.
import type { Queryable } from "../../../foundation/database/database.ts";
import { type Statement, sql } from "../../../foundation/database/sql.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { CallId } from "../call/call-opening.ts";
import { chargedForRun } from "../ledger/reservation-store.ts";
import type { Budget, BudgetAlert, BudgetId, BudgetRule, NamedBudget, WaitingAlert } from "./budget.ts";

// The rules of a workspace's budgets: which calls count against each.
export async function listRules(
  db: Queryable,
  workspaceId: WorkspaceId,
): Promise<readonly (Pick<BudgetRule, "scope" | "subject"> & { readonly id: BudgetId })[]> {
  return db.query(sql`select id, scope, subject from budgets where workspace_id = ${workspaceId} order by id`);
}

export async function listIds(db: Queryable, workspaceId: WorkspaceId, name?: string): Promise<BudgetId[]> {
  const rows = await db.query<{ id: BudgetId }>(sql`
    select id from budgets where workspace_id = ${workspaceId} and ${name === undefined ? sql`true` : sql`name = ${name}`}`);
  return rows.map(({ id }) => id);
}

// Locks the budgets in id order until the transaction ends, so reservations happen one after another. Adds the calls that
// ended since last time to the period they ended in, starts a new period, and drops reservations of calls that never began.
export async function lockBudgets(
  tx: Queryable,
  ids: readonly BudgetId[],
  unbegunSeconds: number,
): Promise<Map<BudgetId, Budget>> {
  if (ids.length === 0) return new Map();
  await tx.query(sql`select id from budgets where id = any (${ids}::uuid[]) order by id for update`);
  const rows = await tx.query<BudgetRow>(sql`
    with ended as (
      delete from budget_calls k using calls c
      where k.budget_id = any (${ids}::uuid[]) and c.id = k.call_id and c.state <> 'open'
      returning k.call_id, k.budget_id, c.settled + ${chargedForRun} as settled, (c.finished_at at time zone 'UTC')::date as date
    ), ended_jobs as (
      -- Jobs that no call started count with their running time alone.
      delete from budget_calls k using (
        select r.holder_id, sum(r.settled) as settled, max(r.ended_at) as ended_at, bool_and(r.settled is not null) as is_over
        from budget_calls own join reservations r on r.holder_id = own.call_id
        where own.budget_id = any (${ids}::uuid[]) group by r.holder_id, own.budget_id
      ) as run
      where k.budget_id = any (${ids}::uuid[]) and run.holder_id = k.call_id and run.is_over
        and not exists (select 1 from calls c where c.id = k.call_id)
      returning k.call_id, k.budget_id, run.settled, (run.ended_at at time zone 'UTC')::date as date
    ), unbegun as (
      delete from budget_calls k
      where k.budget_id = any (${ids}::uuid[]) and k.reserved_at < now() - ${unbegunSeconds} * interval '1 second'
        and not exists (select 1 from calls c where c.id = k.call_id)
        and not exists (select 1 from reservations r where r.holder_id = k.call_id)
      returning k.call_id, k.budget_id
    ), gone as (
      select call_id, budget_id from ended union all select call_id, budget_id from ended_jobs
      union all select call_id, budget_id from unbegun
    ), open as (
      -- Of the same snapshot as the deletions, so what they delete is still seen and must be left out.
      select k.budget_id, sum(k.hold) as held from budget_calls k
      where k.budget_id = any (${ids}::uuid[])
        and not exists (select from gone where gone.call_id = k.call_id and gone.budget_id = k.budget_id)
      group by k.budget_id
    ), current as (
      select id, greatest(period_start, date_trunc(period, clock_timestamp() at time zone 'UTC')::date) as start
      from budgets where id = any (${ids}::uuid[])
    ), added as (
      select current.id, current.start, coalesce(sum(settled) filter (where ended.date >= current.start), 0) as settled
      from current left join (select * from ended union all select * from ended_jobs) as ended on ended.budget_id = current.id
      group by current.id, current.start
    )
    update budgets b
    set spent = case when b.period_start = added.start then b.spent else 0 end + added.settled,
        alerted = case when b.period_start = added.start then b.alerted else 0 end, period_start = added.start,
        held = coalesce((select open.held from open where open.budget_id = b.id), 0)
    from added where b.id = added.id
    returning b.id, b.workspace_id, b.name, b.scope, b.subject, b.period, b.amount, b.at_limit, b.webhook_url, b.emails, b.created_at,
              to_char(b.period_start, 'YYYY-MM-DD') as period_start, b.spent, b.alerted, b.alert_count, b.held`);
  return new Map(rows.map((row) => [row.id, toBudget(row)]));
}

// Ended calls are in usage, open ones in calls: one snapshot reads both, so none is missed and none counts twice. A budget that
// still counts the same calls keeps what it has counted; a changed amount may announce its thresholds again.
export async function putBudget(
  tx: Queryable,
  { workspaceId, name }: NamedBudget,
  rule: BudgetRule,
): Promise<{ id: BudgetId; isNew: boolean }> {
  const { scope, subject, period, atLimit, webhookUrl, emails } = rule;
  const amount = String(rule.amount);
  const [kept] = await tx.query<{ id: BudgetId }>(sql`
    update budgets set amount = ${amount}::bigint, at_limit = ${atLimit}, webhook_url = ${webhookUrl},
      emails = ${emails}::text[],
      alerted = case when amount = ${amount}::bigint then alerted else 0 end
    where workspace_id = ${workspaceId} and name = ${name} and scope = ${scope} and subject = ${subject} and period = ${period}
    returning id`);
  if (kept) return { id: kept.id, isNew: false };
  const gone = await deleteBudget(tx, { workspaceId, name });
  const id = newId<"budget">();
  await tx.execute(sql`
    with start as (
      select date_trunc(${period}, now() at time zone 'UTC')::date as date
    ), spent as (
      select coalesce(sum(credits), 0) as credits from usage, start
      where workspace_id = ${workspaceId} and at >= start.date::timestamp at time zone 'UTC' and ${isCounted(rule, sql`usage`)}
    ), made as (
      insert into budgets (id, workspace_id, name, scope, subject, period, amount, at_limit, webhook_url, emails,
                           created_at, period_start, spent)
      select ${id}::uuid, ${workspaceId}::uuid, ${name}, ${scope}, ${subject}, ${period}, ${amount}::bigint, ${atLimit},
             ${webhookUrl}, ${emails}::text[], now(), start.date, spent.credits
      from start, spent returning id
    )
    insert into budget_calls (call_id, budget_id, hold)
    select calls.id, made.id, calls.hold from calls, made
    where calls.workspace_id = ${workspaceId} and calls.state = 'open' and calls.hold > 0 and ${isCounted(rule, sql`calls`)}`);
  await tx.execute(sql`
    update budgets set held = (select coalesce(sum(hold), 0) from budget_calls where budget_id = ${id})
    where id = ${id} and workspace_id = ${workspaceId}`);
  return { id, isNew: gone === null };
}

// Usage rows and calls have the same columns for it.
function isCounted({ scope, subject }: BudgetRule, of: Statement): Statement {
  switch (scope) {
    case "workspace":
      return sql`true`;
    case "key":
      return sql`(${of}.api_key_id = ${subject}::uuid or ${of}.api_key_id in (
        select api_key_id from api_key_caps where ancestors @> array[${subject}::uuid] and ancestors <> '{}'))`;
    case "tag": {
      const at = subject.indexOf("=");
      return sql`${of}.tags @> ${JSON.stringify({ [subject.slice(0, at)]: subject.slice(at + 1) })}::jsonb`;
    }
    case "end_user":
      return sql`${of}.end_user = ${subject}`;
  }
}

export async function deleteBudget(tx: Queryable, { workspaceId, name }: NamedBudget): Promise<BudgetId | null> {
  const [row] = await tx.query<{ id: BudgetId }>(sql`
    delete from budgets where workspace_id = ${workspaceId} and name = ${name} returning id`);
  return row?.id ?? null;
}

export async function countBudgets(tx: Queryable, workspaceId: WorkspaceId): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from budgets where workspace_id = ${workspaceId}`);
  return row?.count ?? 0;
}

// Under the budgets' locks.
export async function insertCountedCalls(
  tx: Queryable,
  calls: readonly { callId: CallId; budgetId: BudgetId; hold: bigint }[],
): Promise<void> {
  await tx.execute(sql`
    with made as (
      insert into budget_calls (call_id, budget_id, hold)
      select * from unnest(
        ${calls.map((call) => call.callId)}::uuid[],
        ${calls.map((call) => call.budgetId)}::uuid[],
        ${calls.map((call) => String(call.hold))}::bigint[])
      on conflict (call_id, budget_id) do nothing returning budget_id, hold
    )
    update budgets b set held = b.held + own.hold
    from (select budget_id, sum(hold) as hold from made group by budget_id) as own where b.id = own.budget_id`);
}

// Deletes only what never began. A call that has begun counts until it is added up. The budget's row holds it until then, too.
export async function deleteUnbegun(db: Queryable, callId: CallId): Promise<void> {
  await db.execute(sql`
    delete from budget_calls where call_id = ${callId} and not exists (select 1 from calls where id = ${callId})`);
}

// Budgets after this one that may have something to add up: some of their calls ended, and beginning others does not notice it.
export async function listUncounted(db: Queryable, after: BudgetId | null, count: number): Promise<BudgetId[]> {
  const rows = await db.query<{ id: BudgetId }>(sql`
    select distinct k.budget_id as id from budget_calls k left join calls c on c.id = k.call_id
    where (c.state <> 'open' or c.id is null) and (${after}::uuid is null or k.budget_id > ${after}::uuid)
    order by k.budget_id limit ${count}`);
  return rows.map(({ id }) => id);
}

// Each with the next sequence of its budget, and the highest threshold remembered.
export async function insertAlerts(
  tx: Queryable,
  alerts: readonly (Omit<BudgetAlert, "at"> & { readonly budget: Budget })[],
): Promise<void> {
  await tx.execute(sql`
    with given as (
      select * from unnest(
        ${alerts.map(() => newId())}::uuid[],
        ${alerts.map(({ budget }) => budget.workspaceId)}::uuid[],
        ${alerts.map(({ budget }) => budget.id)}::uuid[],
        ${alerts.map(({ sequence }) => sequence)}::int[],
        ${alerts.map(({ threshold }) => threshold)}::int[],
        ${alerts.map(({ periodStart }) => periodStart)}::date[],
        ${alerts.map(({ amount }) => String(amount))}::bigint[],
        ${alerts.map(({ spent }) => String(spent))}::bigint[],
        ${alerts.map(({ held }) => String(held))}::bigint[]
      ) as g (id, workspace_id, budget_id, sequence, threshold, period_start, amount, spent, held)
    ), told as (
      update budgets b set alerted = last.threshold, alert_count = last.sequence
      from (select budget_id, max(threshold) as threshold, max(sequence) as sequence from given group by budget_id) as last
      where b.id = last.budget_id
    )
    insert into budget_alerts (id, workspace_id, budget_id, sequence, threshold, period_start, amount, spent, held)
    select * from given`);
}

// Locks them; other processes skip them.
export async function takeWaitingAlerts(tx: Queryable, count: number): Promise<WaitingAlert[]> {
  const rows = await tx.query<AlertRow & BudgetRow & { alert_id: string; budget_amount: string }>(sql`
    select a.id as alert_id, a.sequence, a.threshold, to_char(a.period_start, 'YYYY-MM-DD') as period_start, a.amount, a.spent,
           a.held, a.at, b.id, b.workspace_id, b.name, b.scope, b.subject, b.period, b.amount as budget_amount, b.at_limit,
           b.webhook_url, b.emails
    from budget_alerts a join budgets b on b.id = a.budget_id
    where a.handed_on_at is null order by a.id limit ${count} for update of a skip locked`);
  return rows.map(({ alert_id, budget_amount, ...row }) => ({
    ...toAlert(row),
    id: alert_id,
    budget: {
      ...{ id: row.id, workspaceId: row.workspace_id, name: row.name, scope: row.scope, subject: row.subject },
      ...{ period: row.period, amount: BigInt(budget_amount), atLimit: row.at_limit, webhookUrl: row.webhook_url },
      emails: row.emails,
    },
  }));
}

export async function markHandedOn(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`update budget_alerts set handed_on_at = now() where id = any (${ids}::uuid[])`);
}

// Newest first.
export async function listAlerts(db: Queryable, budgetId: BudgetId, count: number): Promise<BudgetAlert[]> {
  const rows = await db.query<AlertRow>(sql`
    select sequence, threshold, to_char(period_start, 'YYYY-MM-DD') as period_start, amount, spent, held, at
    from budget_alerts where budget_id = ${budgetId} order by sequence desc limit ${count}`);
  return rows.map(toAlert);
}

interface BudgetRow extends NamedRow {
  readonly id: BudgetId;
  readonly amount: string;
  readonly created_at: Date;
  readonly period_start: string;
  readonly spent: string;
  readonly held: string;
  readonly alerted: number;
  readonly alert_count: number;
}

interface NamedRow {
  readonly workspace_id: WorkspaceId;
  readonly name: string;
  readonly scope: BudgetRule["scope"];
  readonly subject: string;
  readonly period: BudgetRule["period"];
  readonly at_limit: BudgetRule["atLimit"];
  readonly webhook_url: string | null;
  readonly emails: string[];
}

interface AlertRow {
  readonly sequence: number;
  readonly threshold: number;
  readonly period_start: string;
  readonly amount: string;
  readonly spent: string;
  readonly held: string;
  readonly at: Date;
}

function toBudget(row: BudgetRow): Budget {
  return {
    ...{ id: row.id, workspaceId: row.workspace_id, name: row.name, scope: row.scope, subject: row.subject },
    ...{ period: row.period, amount: BigInt(row.amount), atLimit: row.at_limit, webhookUrl: row.webhook_url },
    emails: row.emails,
    ...{ createdAt: row.created_at, periodStart: row.period_start, spent: BigInt(row.spent), held: BigInt(row.held) },
    ...{ alerted: row.alerted, alertCount: row.alert_count },
  };
}

function toAlert(row: AlertRow): BudgetAlert {
  const { sequence, threshold, at } = row;
  const figures = { amount: BigInt(row.amount), spent: BigInt(row.spent), held: BigInt(row.held) };
  return { sequence, threshold, periodStart: row.period_start, ...figures, at };
}
