// The books of a server from before migration 0035: three journal lines per call, and keys that know their answer. There
// are ten kinds of calls in equal parts; the table `old_calls` records which is which.
import type { CallId, OwnerId } from "../../src/capabilities/calls/index.ts";
import { type Database, type Queryable, sql } from "../../src/foundation/database/index.ts";
import type { WorkspaceId } from "../../src/foundation/ids.ts";

export interface OldStock {
  readonly workspaces: readonly WorkspaceId[];
  readonly ownerId: OwnerId;
  readonly callCount: number;
}

export const oldFingerprint = Buffer.alloc(32, 1);

export interface OldCall {
  readonly id: CallId;
  readonly workspaceId: WorkspaceId;
  readonly story: number;
  readonly key: string | null;
}

// 0 open under a key · 1 open without one · 2 open and free · 3 charged in part · 4 charged in full · 5 given back, its key
// free · 6 unknown · 7 charged without a key · 8 charged, 26 hours ago · 9 free
export async function writeOldCalls(db: Database, { workspaces, ownerId, callCount }: OldStock): Promise<void> {
  await db.execute(sql`insert into call_owners (id) values (${ownerId})`);
  await db.execute(sql`
    insert into workspaces (id, name, created_at) select id, 'old', now() from unnest(${workspaces}::uuid[]) as given (id)`);
  await db.execute(sql`
    create table old_calls as
    select rpad(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - ${callCount}::bigint + n), 12, '0') || '7', 32, '0')::uuid as id,
           (${workspaces}::uuid[])[1 + n % 4] as workspace_id, n % 10 as story,
           case when n % 10 not in (1, 7) then 'key-' || n end as key,
           case when n % 10 in (2, 9) then 0 else 10 end as hold,
           case n % 10 when 3 then 4 when 4 then 10 when 7 then 1 when 8 then 3 when 5 then 0 when 6 then 0 when 9 then 0 end as settled,
           case when n % 10 > 2 then now() - case when n % 10 = 8 then interval '26 hours' else interval '1 hour' end end as ended
    from generate_series(1, ${callCount}) n`);
  await db.execute(sql`
    insert into calls (id, workspace_id, subject, idempotency_key, fingerprint, state, owner_id, takes_slot, is_costly, hold, settled,
                       recovery, longest_run_seconds, begun_at, finished_at, outcome)
    select id, workspace_id, 'model:old/one', key, ${oldFingerprint},
           case when ended is null then 'open' when story = 6 then 'unknown' else 'finished' end,
           case when ended is null then ${ownerId}::uuid end, true, story = 0, hold, settled, 'ask', 600,
           coalesce(ended, now()), ended, case when ended is not null then 'succeeded' end
    from old_calls`);
  await db.execute(sql`
    insert into call_keys (workspace_id, idempotency_key, call_id, fingerprint, answered_at)
    select workspace_id, key, id, ${oldFingerprint}, ended from old_calls where key is not null and story <> 5`);
  await db.execute(sql`
    insert into call_answers (call_id, answered_at, status, headers, body, body_bytes)
    select id, ended, 200, '{}', '\\x7b7d', 2 from old_calls where ended is not null and key is not null and story <> 5`);
  await db.execute(sql`
    insert into usage (id, workspace_id, call_id, subject, outcome, status, credits, is_replay, at, total_ms)
    select id, workspace_id, id, 'model:old/one', 'succeeded', 200, settled, false, ended, 1 from old_calls where ended is not null`);
  await db.execute(sql`
    insert into journal (transaction_id, kind, workspace_id, debit, credit, amount, at)
    select id, 'fund', id, 'funding', 'available', 1000000, now() - interval '1 day' from unnest(${workspaces}::uuid[]) as given (id)
    union all select id, 'hold', workspace_id, 'available', 'held', hold, coalesce(ended, now()) from old_calls where hold > 0
    union all select id, 'settle', workspace_id, 'held', 'revenue', settled, ended from old_calls where settled > 0
    union all select id, 'release', workspace_id, 'held', 'available', hold - settled, ended from old_calls where hold > settled
    union all select id, 'suspense', workspace_id, 'provider_cost', 'suspense', hold, ended from old_calls where story = 6`);
  await db.execute(sql`
    insert into wallets (workspace_id, available, held, in_flight, costly_in_flight)
    select workspace_id, 1000000 - coalesce(sum(settled), 0) - sum(hold) filter (where ended is null),
           sum(hold) filter (where ended is null), count(*) filter (where ended is null), count(*) filter (where story = 0)
    from old_calls group by workspace_id`);
}

export const oldCalls = (db: Queryable) =>
  db.query<OldCall>(sql`select id, workspace_id as "workspaceId", story, key from old_calls order by id`);

// The invariants as stated for the old schema: each wallet equals its journal, to the line, and an ended call holds
// nothing.
export async function brokenOldInvariants(db: Queryable): Promise<object[]> {
  const wallets = await db.query(sql`
      select w.workspace_id from wallets w join (
        select workspace_id,
          sum(case when credit = 'available' then amount when debit = 'available' then -amount else 0 end) as available,
          sum(case when credit = 'held' then amount when debit = 'held' then -amount else 0 end) as held
        from journal group by workspace_id) j using (workspace_id)
      where w.available <> j.available or w.held <> j.held`);
  const keys = await db.query(sql`
      select k.call_id from call_keys k left join calls c on c.id = k.call_id
      where c.id is null or (k.answered_at is null) <> (c.state = 'open')`);
  return [...wallets, ...keys];
}
