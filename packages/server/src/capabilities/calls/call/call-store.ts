// Calls outside the two batched statements: reading a call, noting the provider's handle, owners and their heartbeat, and
// taking over calls a dead owner left.
import type { Queryable } from "../../../foundation/database/database.ts";
import { fromRow, type RowOf } from "../../../foundation/database/rows.ts";
import { type Statement, sql } from "../../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { CallId, OpenCall, OwnerId, Redirection, SeenAnswer } from "./call-opening.ts";
import type { StoredCall } from "./stored-call.ts";

const columns = sql`
  id, workspace_id, fence, subject, state, outcome, owner_id, hold, recovery, price_record_id, priced_input, handle, longest_run_seconds, begun_at,
  finished_at as answered_at, not_found_times, look_again_at is not null as is_followed, api_key_id, request_id, tags, end_user, definition_version, context, extract(epoch from now() - begun_at)::float8 as age_seconds,
  extract(epoch from now() - sender_died_at)::float8 as sender_dead_seconds`;

export async function findCalls(db: Queryable, ids: readonly CallId[]): Promise<StoredCall[]> {
  const rows = await db.query<CallRow>(sql`select ${columns} from calls where id = any(${ids}::uuid[])`);
  return rows.map(toCall);
}

// Open calls that nodes of these jobs made: their keys begin with the job.
export async function findCallsOfJobs(
  db: Queryable,
  { workspaceId, jobIds }: { readonly workspaceId: WorkspaceId; readonly jobIds: readonly string[] },
): Promise<StoredCall[]> {
  const rows = await db.query<CallRow>(sql`
    select ${columns} from calls
    where idempotency_key like 'job:%' and substring(idempotency_key from 5 for 36) = any(${jobIds}::text[])
      and state = 'open' and workspace_id = ${workspaceId}`);
  return rows.map(toCall);
}

// Whether it is open and no other process has taken it over.
export async function ownsCall(db: Queryable, call: OpenCall): Promise<boolean> {
  const rows = await db.query(sql`
    select from calls
    where id = ${call.id} and workspace_id = ${call.workspaceId} and fence = ${call.fence} and state = 'open'`);
  return rows.length === 1;
}

// Changes the definition and credential an unsent call continues with. Fenced.
export async function renewCall(
  db: Queryable,
  call: OpenCall,
  by: { readonly definitionVersion: number | null; readonly context: unknown },
): Promise<boolean> {
  const changed = await db.execute(sql`
    update calls set definition_version = ${by.definitionVersion}, context = ${JSON.stringify(by.context)}::jsonb
    where id = ${call.id} and workspace_id = ${call.workspaceId} and fence = ${call.fence} and state = 'open'`);
  return changed === 1;
}

// Before anything is sent there: a process that takes the call over asks the new place about it. Fenced.
export async function redirectCall(db: Queryable, call: OpenCall, to: Redirection): Promise<boolean> {
  const input = to.pricedInput === null ? null : JSON.stringify(to.pricedInput);
  const changed = await db.execute(sql`
    update calls set definition_version = ${to.definitionVersion}, price_record_id = ${to.priceRecordId}::uuid,
        priced_input = ${input}::jsonb, recovery = ${to.recovery}, handle = null,
        context = coalesce(context, '{}') || ${JSON.stringify(to.context)}::jsonb
    where id = ${call.id} and workspace_id = ${call.workspaceId} and fence = ${call.fence} and state = 'open'`);
  return changed === 1;
}

// Fenced: false if another process owns the call by now.
export async function noteHandle(db: Queryable, call: OpenCall, handle: unknown): Promise<boolean> {
  const changed = await db.execute(sql`
    update calls set handle = ${JSON.stringify(handle)}::jsonb
    where id = ${call.id} and workspace_id = ${call.workspaceId} and fence = ${call.fence} and state = 'open'`);
  return changed === 1;
}

// False if our row is gone: we were silent for so long that a sweep gave our calls away.
export async function beatHeart(db: Queryable, ownerId: OwnerId): Promise<boolean> {
  return (await db.execute(sql`update call_owners set heartbeat_at = now() where id = ${ownerId}`)) === 1;
}

export async function insertOwner(db: Queryable, ownerId: OwnerId, processIdentity: string | null): Promise<void> {
  await db.execute(sql`
    insert into call_owners (id, process) values (${ownerId}, ${processIdentity})
    on conflict (id) do update set heartbeat_at = now()`);
}

// All other processes that have not been found gone.
export async function listOwnerProcesses(
  db: Queryable,
  ownId: OwnerId,
): Promise<{ readonly id: OwnerId; readonly process: string }[]> {
  return db.query<{ id: OwnerId; process: string }>(sql`
    select id, process from call_owners where process is not null and died_at is null and id <> ${ownId}`);
}

export async function noteDeaths(db: Queryable, ids: readonly OwnerId[]): Promise<void> {
  await db.execute(sql`update call_owners set died_at = now() where id = any(${ids}::uuid[]) and died_at is null`);
}

// For an orderly exit: the owner's remaining calls can be adopted immediately instead of after the lease.
export async function deleteOwner(db: Queryable, ownerId: OwnerId): Promise<void> {
  await db.execute(sql`delete from call_owners where id = ${ownerId}`);
}

// Takes over calls whose owner is gone. The fence rises, so nothing the old owner still writes has any effect. If a call was
// not being followed yet, its old owner is the process that may have sent it. We never adopt our own calls: if the database
// was away for longer than a lease, our own heartbeat looks dead too, and we know better.
export async function adoptCalls(
  db: Queryable,
  adopt: { ownerId: OwnerId; leaseSeconds: number; count: number },
): Promise<StoredCall[]> {
  const rows = await db.query<CallRow>(sql`
    with orphan as (
      select c.id as orphan_id, o.died_at as owner_died_at from calls c left join call_owners o on o.id = c.owner_id
      where c.state = 'open' and c.owner_id is distinct from ${adopt.ownerId}
        and (o.id is null or o.died_at is not null or o.heartbeat_at < now() - ${adopt.leaseSeconds} * interval '1 second')
      limit ${adopt.count}
      for update of c skip locked
    )
    update calls set owner_id = ${adopt.ownerId}, fence = fence + 1, adopted_at = coalesce(adopted_at, now()), look_again_at = now(),
      sender_died_at = case when look_again_at is null then owner_died_at else sender_died_at end
    from orphan where id = orphan_id
    returning ${columns}`);
  return rows.map(toCall);
}

export async function forgetDeadOwners(db: Queryable): Promise<void> {
  await db.execute(sql`
    delete from call_owners o where heartbeat_at < now() - interval '1 hour'
      and not exists (select 1 from calls c where c.owner_id = o.id and c.state = 'open')`);
}

// Open calls under our own id that this process may not know: they were begun by a statement whose answer got lost.
export async function findOwnCalls(db: Queryable, ownerId: OwnerId, olderThanSeconds: number): Promise<StoredCall[]> {
  const rows = await db.query<CallRow>(sql`
    select ${columns} from calls
    where state = 'open' and owner_id = ${ownerId} and adopted_at is null
      and begun_at < now() - ${olderThanSeconds} * interval '1 second'`);
  return rows.map(toCall);
}

// Adopted calls whose next look is due. The same statement schedules the next look, so two loops never pick the same call.
export async function takeDueCalls(
  db: Queryable,
  take: { ownerId: OwnerId; count: number; againSeconds: number },
): Promise<StoredCall[]> {
  const rows = await db.query<CallRow>(sql`
    with due as (
      select id as due_id from calls
      where state = 'open' and owner_id = ${take.ownerId} and look_again_at <= now()
      order by look_again_at limit ${take.count} for update skip locked
    )
    update calls set look_again_at = now() + ${take.againSeconds} * interval '1 second'
    from due where id = due_id returning ${columns}`);
  return rows.map(toCall);
}

// Hands one of our own calls to the follower: the connection is gone, but the call continues. `seen` is what its caller was
// answered; the process that ends the call writes it into the usage row.
export async function followCall(
  db: Queryable,
  call: OpenCall,
  afterSeconds: number,
  seen: SeenAnswer | null = null,
): Promise<void> {
  await db.execute(sql`
    update calls set adopted_at = coalesce(adopted_at, now()), look_again_at = now() + ${afterSeconds} * interval '1 second',
        context = case when ${seen === null}::boolean then context
                       else coalesce(context, '{}') || ${JSON.stringify(seen === null ? {} : { seen })}::jsonb end
    where id = ${call.id} and fence = ${call.fence} and state = 'open'`);
}

// Keeps a call open without following it: the code that parked it knows when it ends, and ends it. Fenced, because a process
// that has taken it since may want it followed.
export async function parkCall(db: Queryable, call: OpenCall): Promise<void> {
  await db.execute(sql`
    update calls set adopted_at = coalesce(adopted_at, now()), look_again_at = null
    where id = ${call.id} and fence = ${call.fence} and state = 'open'`);
}

// The same as part of another capability's statement, which saves a round trip. Returns the ids.
export function parking(ids: readonly CallId[]): Statement {
  return sql`
    update calls set adopted_at = coalesce(adopted_at, now()), look_again_at = null
    where id = any(${ids}::uuid[]) and state = 'open' returning id`;
}

// What a call is counted under, while its row has not ended, to be put into another capability's statement.
export const tagsOfCall = (id: Statement): Statement => sql`(select c.tags from calls c where c.id = ${id})`;

// The fences of the calls that are still open.
export async function findFences(db: Queryable, ids: readonly CallId[]): Promise<Map<CallId, number>> {
  const rows = await db.query<{ id: CallId; fence: number }>(sql`
    select id, fence from calls where id = any(${ids}::uuid[]) and state = 'open'`);
  return new Map(rows.map(({ id, fence }) => [id, fence]));
}

export async function noteNotFound(db: Queryable, call: OpenCall, againSeconds: number): Promise<void> {
  await db.execute(sql`
    update calls set not_found_times = not_found_times + 1, look_again_at = now() + ${againSeconds} * interval '1 second'
    where id = ${call.id} and fence = ${call.fence} and state = 'open'`);
}

export async function lookAgain(db: Queryable, call: OpenCall, afterSeconds: number): Promise<void> {
  await db.execute(sql`
    update calls set look_again_at = now() + ${afterSeconds} * interval '1 second'
    where id = ${call.id} and fence = ${call.fence} and state = 'open'`);
}

type CallRow = RowOf<Omit<StoredCall, "hold">> & { readonly hold: string };

function toCall({ hold, ...row }: CallRow): StoredCall {
  return { ...fromRow<Omit<StoredCall, "hold">>(row), hold: BigInt(hold) };
}
