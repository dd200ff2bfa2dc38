// The queue: which lanes have something to send, claims under a lease, and the results of attempts. A claim sets a row's
// due time to the end of its lease, so a dead process's claims come due again on their own. Every result names its claim,
// so a late result changes nothing.
import type { Queryable } from "../../foundation/database/database.ts";
import { fromRow, type RowOf } from "../../foundation/database/rows.ts";
import { sql } from "../../foundation/database/sql.ts";
import type { ClaimedDelivery, Lane } from "./delivery.ts";
import type { Settlement } from "./settle-attempt.ts";

export interface FoundLane extends Lane {
  // When its first delivery is due; a claimed one counts with the end of its lease.
  readonly dueAt: Date;
  readonly failures: number;
  readonly restingUntil: Date | null;
}

// Walks the index from lane to lane, one probe each, so the cost depends on the number of lanes and not on what waits in
// them.
export async function findLanes(db: Queryable): Promise<FoundLane[]> {
  const rows = await db.query<RowOf<FoundLane>>(sql`
    with recursive lanes as (
      (select receiver, workspace_id, due_at from webhook_queue order by receiver, workspace_id, due_at limit 1)
      union all
      select next.receiver, next.workspace_id, next.due_at from lanes, lateral (
        select q.receiver, q.workspace_id, q.due_at from webhook_queue q
        where (q.receiver, q.workspace_id) > (lanes.receiver, lanes.workspace_id)
        order by q.receiver, q.workspace_id, q.due_at limit 1
      ) next
    )
    select lanes.receiver, lanes.workspace_id, lanes.due_at, coalesce(r.failures, 0) as failures, r.resting_until
    from lanes left join webhook_receivers r
      on r.workspace_id = lanes.workspace_id and r.receiver = lanes.receiver`);
  return rows.map((row) => fromRow<FoundLane>(row));
}

export interface ClaimRequest {
  readonly claimId: string;
  readonly lanes: readonly (Lane & { readonly count: number })[];
  readonly now: Date;
  readonly leaseSeconds: number;
  readonly restSeconds: number;
}

// A paused receiver's one attempt per minute is taken together with the claim, so that several processes do not each make
// one. Rows of a lane are ordered by due time.
export async function claimDeliveries(db: Queryable, request: ClaimRequest): Promise<ClaimedDelivery[]> {
  const { claimId, lanes, now } = request;
  const rows = await db.query<RowOf<ClaimedDelivery>>(sql`
    with wanted as (
      select * from unnest(
        ${lanes.map((lane) => lane.receiver)}::text[],
        ${lanes.map((lane) => lane.workspaceId)}::uuid[],
        ${lanes.map((lane) => lane.count)}::int[]
      ) as w (receiver, workspace_id, count)
    ), picked as (
      select first.delivery_id from wanted, lateral (
        select q.delivery_id from webhook_queue q
        where q.receiver = wanted.receiver and q.workspace_id = wanted.workspace_id and q.due_at <= ${now}
        order by q.due_at limit wanted.count for update skip locked
      ) first
    ), claimed as (
      update webhook_queue q
      set due_at = ${now}::timestamptz + ${request.leaseSeconds} * interval '1 second', claim_id = ${claimId}
      from picked where q.delivery_id = picked.delivery_id
      returning q.delivery_id as id, q.claim_id, q.workspace_id, q.receiver, q.step, q.is_manual, q.queued_at
    ), tried as (
      update webhook_receivers r
      set resting_until = ${now}::timestamptz + ${request.restSeconds} * interval '1 second'
      where r.resting_until is not null
        and (r.workspace_id, r.receiver) in (select workspace_id, receiver from claimed)
    )
    select claimed.*, d.subject_id, d.type, d.url, d.endpoint_id, d.body, d.status as state, d.attempts, d.next_attempt_at
    from claimed join webhook_deliveries d on d.id = claimed.id and d.workspace_id = claimed.workspace_id`);
  return rows.map((row) => fromRow<ClaimedDelivery>(row));
}

export interface ReceiverRules {
  readonly failuresUntilRest: number;
  readonly restSeconds: number;
  readonly disableAfterSeconds: number;
}

export interface RecordedSettlement extends Lane {
  readonly id: string;
  // Both are set only if this attempt failed because of the receiver.
  readonly isResting: boolean;
  readonly isDisabled: boolean;
}

// Writes everything an attempt changes, for many attempts in one statement. Returns the deliveries whose claim still
// held.
export async function recordSettlements(
  db: Queryable,
  settlements: readonly Settlement[],
  now: Date,
  rules: ReceiverRules,
): Promise<RecordedSettlement[]> {
  const rows = await db.query<RowOf<RecordedSettlement>>(sql`
    with given as (
      select * from unnest(
        ${settlements.map(({ delivery }) => delivery.id)}::uuid[],
        ${settlements.map(({ delivery }) => delivery.claimId)}::uuid[],
        ${settlements.map(({ state }) => state)}::text[],
        ${settlements.map(({ step }) => step)}::smallint[],
        ${settlements.map(({ dueAt }) => dueAt)}::timestamptz[],
        ${settlements.map(({ at }) => at)}::timestamptz[],
        ${settlements.map(({ durationMs }) => Math.round(durationMs))}::int[],
        ${settlements.map(({ status }) => status)}::int[],
        ${settlements.map(({ error }) => error)}::text[],
        ${settlements.map(({ receiver }) => receiver)}::text[]
      ) as g (id, claim_id, standing, step, due_at, at, duration_ms, status, error, receiver_is)
    ), held as (
      select given.*, q.workspace_id, q.receiver, q.is_manual
      from given join webhook_queue q on q.delivery_id = given.id and q.claim_id = given.claim_id
      order by given.id for update of q
    ), left_queue as (
      delete from webhook_queue q using held where q.delivery_id = held.id and held.due_at is null
    ), stays as (
      update webhook_queue q set due_at = held.due_at, step = held.step, claim_id = null, is_manual = false
      from held where q.delivery_id = held.id and held.due_at is not null
    ), written as (
      update webhook_deliveries d
      set status = held.standing, attempts = d.attempts + 1, next_attempt_at = held.due_at,
          last_status = held.status, last_error = held.error,
          delivered_at = case when held.status between 200 and 299 then ${now} else d.delivered_at end
      from held where d.id = held.id and d.workspace_id = held.workspace_id
      returning d.id, d.workspace_id, d.attempts, held.is_manual, held.at, held.duration_ms, held.status, held.error
    ), logged as (
      insert into webhook_attempts (delivery_id, workspace_id, number, is_manual, at, duration_ms, status, error)
      select id, workspace_id, attempts, is_manual, at, duration_ms, status, error from written
    ), works as (
      delete from webhook_receivers r using held
      where r.workspace_id = held.workspace_id and r.receiver = held.receiver and held.receiver_is = 'works'
    ), fails as (
      insert into webhook_receivers as r (workspace_id, receiver, failures, failing_since, resting_until)
      select workspace_id, receiver, count(*), ${now},
             case when count(*) >= ${rules.failuresUntilRest}::int
                  then ${now}::timestamptz + ${rules.restSeconds} * interval '1 second' end
      from held where receiver_is = 'fails'
        and (workspace_id, receiver) not in (select workspace_id, receiver from held where receiver_is = 'works')
      group by workspace_id, receiver order by workspace_id, receiver
      on conflict (workspace_id, receiver) do update
      set failures = r.failures + excluded.failures,
          resting_until = case when r.failures + excluded.failures >= ${rules.failuresUntilRest}::int
                               then ${now}::timestamptz + ${rules.restSeconds} * interval '1 second' end,
          disabled_at = case when r.disabled_at is null
                              and r.failing_since <= ${now}::timestamptz - ${rules.disableAfterSeconds} * interval '1 second'
                             then ${now} else r.disabled_at end
      returning workspace_id, receiver, resting_until is not null as is_resting, disabled_at is not null as is_disabled
    )
    select held.id, held.workspace_id, held.receiver, coalesce(fails.is_resting, false) as is_resting,
           coalesce(fails.is_disabled, false) as is_disabled
    from held left join fails on fails.workspace_id = held.workspace_id and fails.receiver = held.receiver`);
  return rows.map((row) => fromRow<RecordedSettlement>(row));
}

// After a 410, stops this subject's remaining deliveries to this address, or to this endpoint.
export async function stopSubjects(
  db: Queryable,
  stopped: readonly Pick<ClaimedDelivery, "workspaceId" | "subjectId" | "url" | "endpointId">[],
  error: string,
): Promise<void> {
  await db.execute(sql`
    with ended as (
      update webhook_deliveries d set status = 'gone', next_attempt_at = null, last_error = ${error}
      from unnest(
        ${stopped.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${stopped.map(({ subjectId }) => subjectId)}::text[],
        ${stopped.map(({ url }) => url)}::text[],
        ${stopped.map(({ endpointId }) => endpointId)}::uuid[]
      ) as s (workspace_id, subject_id, url, endpoint_id)
      where d.workspace_id = s.workspace_id and d.subject_id = s.subject_id and d.url = s.url
        and d.endpoint_id is not distinct from s.endpoint_id and d.status = 'pending'
      returning d.id
    )
    delete from webhook_queue q using ended where q.delivery_id = ended.id`);
}

// Claimed but not tried: puts it back without counting an attempt.
export async function releaseDeliveries(db: Queryable, claims: readonly ClaimedDelivery[], dueAt: Date): Promise<void> {
  await db.execute(sql`
    update webhook_queue q set due_at = ${dueAt}, claim_id = null
    from unnest(${claims.map(({ id }) => id)}::uuid[], ${claims.map(({ claimId }) => claimId)}::uuid[]) as g (id, claim_id)
    where q.delivery_id = g.id and q.claim_id = g.claim_id`);
}

// For failing receivers: deliveries queued before then become dead, except those being sent now or requested by a person.
export async function endLanes(
  db: Queryable,
  given: { lanes: readonly Lane[]; queuedBefore: Date; now: Date; error: string },
): Promise<number> {
  return db.execute(sql`
    with ended as (
      delete from webhook_queue q
      using unnest(
        ${given.lanes.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${given.lanes.map(({ receiver }) => receiver)}::text[]
      ) as lane (workspace_id, receiver)
      where q.workspace_id = lane.workspace_id and q.receiver = lane.receiver
        and (q.claim_id is null or q.due_at <= ${given.now}) and q.queued_at <= ${given.queuedBefore} and not q.is_manual
      returning q.delivery_id, q.workspace_id
    )
    update webhook_deliveries d set status = 'dead', next_attempt_at = null, last_error = ${given.error}
    from ended where d.id = ended.delivery_id and d.workspace_id = ended.workspace_id`);
}
