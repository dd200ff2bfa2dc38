// Caps of single keys and what counts against them. Days and months are UTC, by the database's clock.
import type { Queryable } from "../../../foundation/database/database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import type { KeyId, WorkspaceId } from "../../../foundation/ids.ts";
import type { CallId } from "../call/call-opening.ts";
import { chargedForRun } from "../ledger/reservation-store.ts";
import type { KeyCap, KeySpending } from "./key-cap.ts";

export interface KeyOfWorkspace {
  readonly workspaceId: WorkspaceId;
  readonly apiKeyId: KeyId;
}

export interface CapChain {
  readonly capIds: readonly KeyId[];
  // Whether they have a cap or not.
  readonly ancestors: ReadonlySet<string>;
}

// The caps that a call of this key counts against: its own, and for a token those of everything it was made from.
export async function chainOf(db: Queryable, key: KeyOfWorkspace): Promise<CapChain> {
  const rows = await db.query<{ id: KeyId; ancestors: readonly string[] }>(sql`
    select cap.api_key_id as id, cap.ancestors from api_key_caps cap
    where cap.workspace_id = ${key.workspaceId} and (cap.api_key_id = ${key.apiKeyId} or cap.api_key_id = any (
      select unnest(own.ancestors) from api_key_caps own
      where own.api_key_id = ${key.apiKeyId} and own.workspace_id = ${key.workspaceId}))`);
  const own = rows.find(({ id }) => id === key.apiKeyId);
  return { capIds: rows.map(({ id }) => id), ancestors: new Set(own?.ancestors) };
}

// Locks the caps, in id order, until the transaction ends, so reservations of one key happen one after another.
export async function lockCaps(
  tx: Queryable,
  apiKeyIds: readonly KeyId[],
): Promise<ReadonlyMap<KeyId, KeyCap & { readonly isToken: boolean }>> {
  const rows = await tx.query<CapRow & { id: KeyId; is_token: boolean }>(sql`
    select api_key_id as id, day, month, total, is_token from api_key_caps
    where api_key_id = any (${apiKeyIds}::uuid[]) order by api_key_id for update`);
  return new Map(rows.map((row) => [row.id, { ...toCap(row), isToken: row.is_token }]));
}

export async function lockCap(tx: Queryable, key: KeyOfWorkspace): Promise<KeyCap | null> {
  const [row] = await tx.query<CapRow>(sql`
    select day, month, total from api_key_caps
    where api_key_id = ${key.apiKeyId} and workspace_id = ${key.workspaceId} for update`);
  return row ? toCap(row) : null;
}

// The cap of a new token, with everything that its calls count against.
export async function insertTokenCap(
  db: Queryable,
  token: KeyOfWorkspace & { readonly ancestors: readonly KeyId[]; readonly total: bigint | null },
): Promise<void> {
  await db.execute(sql`
    insert into api_key_caps (api_key_id, workspace_id, total, spent_on, spent_day, spent_month, ancestors, is_token)
    values (${token.apiKeyId}, ${token.workspaceId}, ${textOf(token.total)}::bigint, (now() at time zone 'UTC')::date, 0, 0,
            ${token.ancestors}::uuid[], true)`);
}

// Keys made from this one: what they spent is also its spending.
const madeFrom = ({ apiKeyId }: KeyOfWorkspace) =>
  sql`select api_key_id from api_key_caps where ancestors @> array[${apiKeyId}::uuid] and ancestors <> '{}'`;

// What tokens made from a key have cost since then.
export async function spentBelow(db: Queryable, key: KeyOfWorkspace, since: Date): Promise<bigint> {
  const [row] = await db.query<{ credits: string }>(sql`
    select coalesce(sum(credits), 0) as credits from usage
    where workspace_id = ${key.workspaceId} and at >= ${since} and api_key_id in (${madeFrom(key)})
      and exists (${madeFrom(key)})`);
  return BigInt(row?.credits ?? 0);
}

// A first cap starts from the usage rows of this month, the key's and those of tokens made from it; a changed cap keeps the sums it has.
export async function putCap(tx: Queryable, key: KeyOfWorkspace, cap: KeyCap): Promise<void> {
  await tx.execute(sql`
    with today as (
      select (now() at time zone 'UTC')::date as date,
             date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' as day_start,
             date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' as month_start
    ), spent as (
      select coalesce(sum(credits) filter (where at >= day_start), 0) as of_day, coalesce(sum(credits), 0) as of_month
      from usage, today
      where workspace_id = ${key.workspaceId} and at >= month_start
        and (api_key_id = ${key.apiKeyId} or api_key_id in (${madeFrom(key)}))
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

// Run this under the caps' locks. It adds calls that ended since last time to the day and month they ended in, starts a new
// day or month, and drops reservations of calls that never began.
export async function addUpCaps(
  tx: Queryable,
  apiKeyIds: readonly KeyId[],
  unbegunSeconds: number,
): Promise<ReadonlyMap<KeyId, KeySpending>> {
  const rows = await tx.query<{ id: KeyId; spent_day: string; spent_month: string; spent_total: string }>(sql`
    with ended as (
      delete from api_key_calls k using calls c
      where k.api_key_id = any (${apiKeyIds}::uuid[]) and c.id = k.call_id and c.state <> 'open'
      returning k.api_key_id, c.settled + ${chargedForRun} as settled, (c.finished_at at time zone 'UTC')::date as date
    ), unbegun as (
      delete from api_key_calls k
      where k.api_key_id = any (${apiKeyIds}::uuid[]) and k.reserved_at < now() - ${unbegunSeconds} * interval '1 second'
        and not exists (select 1 from calls c where c.id = k.call_id)
    ), today as (
      select api_key_id, date, date_trunc('month', date::timestamp)::date as month_start from (
        select api_key_id, greatest(spent_on, (clock_timestamp() at time zone 'UTC')::date) as date
        from api_key_caps where api_key_id = any (${apiKeyIds}::uuid[])
      ) as clock
    ), added as (
      select today.api_key_id, today.date, today.month_start, coalesce(sum(settled), 0) as of_all,
             coalesce(sum(settled) filter (where ended.date >= today.date), 0) as of_day,
             coalesce(sum(settled) filter (where ended.date >= today.month_start), 0) as of_month
      from today left join ended on ended.api_key_id = today.api_key_id
      group by today.api_key_id, today.date, today.month_start
    )
    update api_key_caps cap
    set spent_day = case when cap.spent_on = added.date then cap.spent_day else 0 end + added.of_day,
        spent_month = case when cap.spent_on >= added.month_start then cap.spent_month else 0 end + added.of_month,
        spent_total = cap.spent_total + added.of_all,
        spent_on = added.date
    from added where cap.api_key_id = added.api_key_id
    returning cap.api_key_id as id, cap.spent_day, cap.spent_month, cap.spent_total`);
  const open = await tx.query<{ id: KeyId; held: string }>(sql`
    select api_key_id as id, sum(hold) as held from api_key_calls
    where api_key_id = any (${apiKeyIds}::uuid[]) group by api_key_id`);
  const held = new Map(open.map((row) => [row.id, BigInt(row.held)]));
  return new Map(
    rows.map((row) => [
      row.id,
      {
        spentDay: BigInt(row.spent_day),
        spentMonth: BigInt(row.spent_month),
        spentTotal: BigInt(row.spent_total),
        held: held.get(row.id) ?? 0n,
      },
    ]),
  );
}

// What keys with a cap have spent in all, by key.
export async function findTotals(
  db: Queryable,
  workspaceId: WorkspaceId,
  apiKeyIds: readonly KeyId[],
): Promise<ReadonlyMap<string, { readonly total: bigint | null; readonly spent: bigint }>> {
  const rows = await db.query<{ id: string; total: string | null; spent: string }>(sql`
    select cap.api_key_id as id, cap.total::text as total, (cap.spent_total + coalesce((
        select sum(c.settled + ${chargedForRun}) from api_key_calls k join calls c on c.id = k.call_id
        where k.api_key_id = cap.api_key_id and c.state <> 'open'), 0))::text as spent
    from api_key_caps cap where cap.workspace_id = ${workspaceId} and cap.api_key_id = any (${apiKeyIds}::uuid[])`);
  return new Map(
    rows.map(({ id, total, spent }) => [id, { total: total === null ? null : BigInt(total), spent: BigInt(spent) }]),
  );
}

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
    on conflict (call_id, api_key_id) do nothing`);
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
