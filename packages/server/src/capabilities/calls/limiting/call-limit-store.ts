// Limits of calls, and the calls that count against them.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { CallId } from "../call/call-opening.ts";
import type { CallLimit, CallLimitId, LimitRule, LimitState } from "./call-limit.ts";

export interface LimitSubject {
  // Null: the operator's.
  readonly workspaceId: WorkspaceId | null;
  readonly scope: LimitRule["scope"];
  readonly subject: string;
}

// Of one workspace, or the operator's.
export async function listLimitRules(db: Queryable, workspaceId: WorkspaceId | null): Promise<readonly LimitRule[]> {
  return db.query<LimitRule>(sql`
    select id, scope, subject from call_limits where workspace_id is not distinct from ${workspaceId}::uuid order by id`);
}

// Locks the limits in id order until the transaction ends, then counts what is in flight: a second statement, because the first one
// cannot see what was committed while it waited.
export async function lockLimits(
  tx: Queryable,
  ids: readonly CallLimitId[],
  unbegunSeconds: number,
): Promise<Map<CallLimitId, LimitState>> {
  const rows = await tx.query<Omit<LimitState, "inFlight">>(sql`
    select id, scope, subject, per_minute as "perMinute", concurrency,
           extract(epoch from spent_until - clock_timestamp())::double precision * 1000 as "aheadMs"
    from call_limits where id = any (${ids}::uuid[]) order by id for update`);
  const counted = rows.filter(({ concurrency }) => concurrency !== null).map(({ id }) => id);
  const inFlight =
    counted.length === 0 ? new Map<CallLimitId, number>() : await countInFlight(tx, counted, unbegunSeconds);
  return new Map(rows.map((row) => [row.id, { ...row, inFlight: inFlight.get(row.id) ?? 0 }]));
}

// Drops the calls that ended, and those that never began.
export async function countInFlight(
  tx: Queryable,
  ids: readonly CallLimitId[],
  unbegunSeconds: number,
): Promise<Map<CallLimitId, number>> {
  const rows = await tx.query<{ id: CallLimitId; count: number }>(sql`
    with seen as (
      select k.call_id, k.limit_id,
             coalesce(c.state = 'open', k.reserved_at >= now() - ${unbegunSeconds} * interval '1 second') as is_open
      from limited_calls k left join calls c on c.id = k.call_id where k.limit_id = any (${ids}::uuid[])
    ), gone as (
      delete from limited_calls k using seen
      where not seen.is_open and k.call_id = seen.call_id and k.limit_id = seen.limit_id
    )
    select limit_id as id, count(*)::int as count from seen where is_open group by limit_id`);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

// The calls that may begin: each takes its part of the rates, and counts as in flight.
export async function insertLimitedCalls(
  tx: Queryable,
  calls: readonly { readonly callId: CallId; readonly limitId: CallLimitId }[],
): Promise<void> {
  await tx.execute(sql`
    with given as (
      select * from unnest(
        ${calls.map(({ callId }) => callId)}::uuid[],
        ${calls.map(({ limitId }) => limitId)}::uuid[]
      ) as g (call_id, limit_id)
    ), spent as (
      update call_limits l
      set spent_until = greatest(l.spent_until, clock_timestamp()) + own.count * interval '1 minute' / l.per_minute
      from (select limit_id, count(*) as count from given group by limit_id) as own
      where l.id = own.limit_id and l.per_minute is not null
    )
    insert into limited_calls (call_id, limit_id)
    select given.call_id, given.limit_id from given join call_limits l on l.id = given.limit_id
    where l.concurrency is not null
    on conflict do nothing`);
}

// For a call that did not begin: it leaves no trace.
export async function giveBackLimited(
  db: Queryable,
  { callId, limitIds }: { readonly callId: CallId; readonly limitIds: readonly CallLimitId[] },
): Promise<void> {
  await db.execute(sql`
    with gone as (
      delete from limited_calls where call_id = ${callId} and not exists (select 1 from calls where id = ${callId})
    )
    update call_limits set spent_until = spent_until - interval '1 minute' / per_minute
    where id = any (${limitIds}::uuid[]) and per_minute is not null`);
}

export async function lockLimit(
  tx: Queryable,
  { workspaceId, scope, subject }: LimitSubject,
): Promise<(CallLimit & { readonly id: CallLimitId }) | null> {
  const [row] = await tx.query<CallLimit & { id: CallLimitId }>(sql`
    select id, per_minute as "perMinute", concurrency from call_limits
    where workspace_id is not distinct from ${workspaceId}::uuid and scope = ${scope} and subject = ${subject} for update`);
  return row ?? null;
}

// Starts with an empty bucket, so that a raised rate helps at once.
export async function putLimit(tx: Queryable, of: LimitSubject, { perMinute, concurrency }: CallLimit): Promise<void> {
  await tx.execute(sql`
    insert into call_limits (id, workspace_id, scope, subject, per_minute, concurrency)
    values (${newId<"call-limit">()}, ${of.workspaceId}, ${of.scope}, ${of.subject}, ${perMinute}, ${concurrency})
    on conflict (workspace_id, scope, subject) do update
    set per_minute = excluded.per_minute, concurrency = excluded.concurrency, spent_until = now()`);
}

export async function deleteLimit(tx: Queryable, { workspaceId, scope, subject }: LimitSubject): Promise<void> {
  await tx.execute(sql`
    delete from call_limits
    where workspace_id is not distinct from ${workspaceId}::uuid and scope = ${scope} and subject = ${subject}`);
}

export async function listLimits(
  db: Queryable,
  workspaceId: WorkspaceId | null,
): Promise<readonly (CallLimit & LimitRule)[]> {
  return db.query<CallLimit & LimitRule>(sql`
    select id, scope, subject, per_minute as "perMinute", concurrency from call_limits
    where workspace_id is not distinct from ${workspaceId}::uuid order by subject`);
}
