// Caps of single keys and what counts against them. Days and months are UTC, by the database's clock.
import type { Queryable } from "../../../foundation/database/database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import type { KeyId, WorkspaceId } from "../../../foundation/ids.ts";
import type { CallId } from "../call/call-opening.ts";
import type { KeyCap, KeySpending } from "./key-cap.ts";

export interface KeyOfWorkspace {
  readonly workspaceId: WorkspaceId;
  readonly apiKeyId: KeyId;
}

export async function capOf(db: Queryable, key: KeyOfWorkspace): Promise<KeyCap | null> {
  const [row] = await db.query<CapRow>(sql`
    select day, month, total from api_key_caps where api_key_id = ${key.apiKeyId} and workspace_id = ${key.workspaceId}`);
  return row ? toCap(row) : null;
}

// Locks the cap until the transaction ends, so reservations of one key happen one after another.
export async function lockCap(tx: Queryable, key: KeyOfWorkspace): Promise<KeyCap | null> {
  const [row] = await tx.query<CapRow>(sql`
    select day, month, total from api_key_caps
    where api_key_id = ${key.apiKeyId} and workspace_id = ${key.workspaceId} for update`);
  return row ? toCap(row) : null;
}

// A first cap starts from the key's usage rows of this month; a changed cap keeps the sums it has.
export async function putCap(tx: Queryable, key: KeyOfWorkspace, cap: KeyCap): Promise<void> {
  await tx.execute(sql`
    with today as (
      select (now() at time zone 'UTC')::date as date,
             date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' as day_start,
             date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' as month_start
    ), spent as (
      select coalesce(sum(credits) filter (where at >= day_start), 0) as of_day, coalesce(sum(credits), 0) as of_month
      from usage, today
      where workspace_id = ${key.workspaceId} and at >= month_start and api_key_id = ${key.apiKeyId}
    )
    insert into api_key_caps (api_key_id, workspace_id, day, month, total, spent_on, spent_day, spent_month)
    select ${key.apiKeyId}::uuid, ${key.workspaceId}::uuid, ${textOf(cap.day)}::bigint, ${textOf(cap.month)}::bigint,
           ${textOf(cap.total ?? null)}::bigint, today.date, spent.of_day, spent.of_month
    from today, spent
    on conflict (api_key_id) do update set day = excluded.day, month = excluded.month, total = excluded.total`);
}

export async function deleteCap(tx: Queryable, key: KeyOfWorkspace): Promise<void> {
  await tx.execute(sql`
    delete from api_key_caps where api_key_id = ${key.apiKeyId} and workspace_id = ${key.workspaceId}`);
}

// Run this under the cap's lock. It adds calls that ended since last time to the day and month they ended in, starts a new
// day or month, and drops reservations of calls that never began.
export async function addUpCap(tx: Queryable, apiKeyId: KeyId, unbegunSeconds: number): Promise<KeySpending> {
  const [row] = await tx.query<{ spent_day: string; spent_month: string; spent_total: string }>(sql`
    with ended as (
      delete from api_key_calls k using calls c
      where k.api_key_id = ${apiKeyId} and c.id = k.call_id and c.state <> 'open'
      returning c.settled + ${runningTime} as settled, (c.finished_at at time zone 'UTC')::date as date
    ), unbegun as (
      delete from api_key_calls k
      where k.api_key_id = ${apiKeyId} and k.reserved_at < now() - ${unbegunSeconds} * interval '1 second'
        and not exists (select 1 from calls c where c.id = k.call_id)
    ), today as (
      select date, date_trunc('month', date::timestamp)::date as month_start from (
        select greatest(spent_on, (clock_timestamp() at time zone 'UTC')::date) as date
        from api_key_caps where api_key_id = ${apiKeyId}
      ) as clock
    ), added as (
      select coalesce(sum(settled), 0) as of_all,
             coalesce(sum(settled) filter (where ended.date >= today.date), 0) as of_day,
             coalesce(sum(settled) filter (where ended.date >= today.month_start), 0) as of_month
      from today left join ended on true
    )
    update api_key_caps cap
    set spent_day = case when cap.spent_on = today.date then cap.spent_day else 0 end + added.of_day,
        spent_month = case when cap.spent_on >= today.month_start then cap.spent_month else 0 end + added.of_month,
        spent_total = cap.spent_total + added.of_all,
        spent_on = today.date
    from today, added where cap.api_key_id = ${apiKeyId}
    returning cap.spent_day, cap.spent_month, cap.spent_total`);
  const [open] = await tx.query<{ held: string }>(
    sql`select coalesce(sum(hold), 0) as held from api_key_calls where api_key_id = ${apiKeyId}`,
  );
  return {
    spentDay: BigInt(row?.spent_day ?? 0),
    spentMonth: BigInt(row?.spent_month ?? 0),
    spentTotal: BigInt(row?.spent_total ?? 0),
    held: BigInt(open?.held ?? 0),
  };
}

// What keys with a cap have spent in all, by key.
export async function findTotals(
  db: Queryable,
  workspaceId: WorkspaceId,
  apiKeyIds: readonly KeyId[],
): Promise<ReadonlyMap<string, { readonly total: bigint | null; readonly spent: bigint }>> {
  const rows = await db.query<{ id: string; total: string | null; spent: string }>(sql`
    select cap.api_key_id as id, cap.total::text as total, (cap.spent_total + coalesce((
        select sum(c.settled + ${runningTime}) from api_key_calls k join calls c on c.id = k.call_id
        where k.api_key_id = cap.api_key_id and c.state <> 'open'), 0))::text as spent
    from api_key_caps cap where cap.workspace_id = ${workspaceId} and cap.api_key_id = any (${apiKeyIds}::uuid[])`);
  return new Map(
    rows.map(({ id, total, spent }) => [id, { total: total === null ? null : BigInt(total), spent: BigInt(spent) }]),
  );
}

// What the job of a call was charged for its running time. A job that a call started has the call's id.
const runningTime = sql`coalesce((select sum(r.settled) from reservations r where r.holder_id = c.id), 0)`;

export async function insertCappedCalls(
  tx: Queryable,
  calls: readonly { callId: CallId; apiKeyId: KeyId; hold: bigint }[],
): Promise<void> {
  await tx.execute(sql`
    insert into api_key_calls (call_id, api_key_id, hold)
    select * from unnest(
      ${calls.map((call) => call.callId)}::uuid[],
      ${calls.map((call) => call.apiKeyId)}::uuid[],
      ${calls.map((call) => String(call.hold))}::bigint[])
    on conflict (call_id) do nothing`);
}

// Deletes only calls that never began. A call that has begun counts until it is added up.
export async function deleteUnbegunCall(db: Queryable, callId: CallId): Promise<void> {
  await db.execute(sql`
    delete from api_key_calls where call_id = ${callId} and not exists (select 1 from calls where id = ${callId})`);
}

interface CapRow {
  readonly day: string | null;
  readonly month: string | null;
  readonly total: string | null;
}

function toCap({ day, month, total }: CapRow): KeyCap {
  return { day: amountOf(day), month: amountOf(month), total: amountOf(total) };
}

const amountOf = (text: string | null) => (text === null ? null : BigInt(text));

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : String(amount);
}
