// The delivery log of one workspace: list, read, redeliver, and delete old entries. Every statement names the workspace.
import type { Queryable } from "../../foundation/database/database.ts";
import { fromRow, type RowOf } from "../../foundation/database/rows.ts";
import { joinSql, sql } from "../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryId,
  DeliveryStatus,
  EndpointId,
  FailingReceiver,
  Lane,
} from "./delivery.ts";

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly subjectId?: string | undefined;
  readonly type?: string | undefined;
  readonly receiver?: string | undefined;
  readonly endpointId?: EndpointId | undefined;
}

const statusNow = (now: Date) => sql`
  case when q.delivery_id is null then d.status
       when q.claim_id is not null and q.due_at > ${now} then 'sending' else 'pending' end`;

const columns = (now: Date) => sql`
  d.id, d.subject_id, d.sequence, d.type, d.url, d.endpoint_id, ${statusNow(now)} as status, d.attempts,
  case when q.is_manual then q.queued_at when q.claim_id is null or q.due_at <= ${now} then q.due_at end
    as next_attempt_at,
  d.last_status, d.last_error, d.created_at, d.delivered_at,
  (select a.duration_ms from webhook_attempts a
    where a.delivery_id = d.id and a.workspace_id = d.workspace_id order by a.number desc limit 1) as last_duration_ms`;

// Newest first.
export async function listDeliveries(
  db: Queryable,
  query: { workspaceId: WorkspaceId; filter: DeliveryFilter; before: DeliveryId | null; count: number; now: Date },
): Promise<Delivery[]> {
  const { filter, now } = query;
  const conditions = [sql`d.workspace_id = ${query.workspaceId}`];
  if (query.before !== null) conditions.push(sql`d.id < ${query.before}`);
  if (filter.subjectId !== undefined) conditions.push(sql`d.subject_id = ${filter.subjectId}`);
  if (filter.type !== undefined) conditions.push(sql`d.type = ${filter.type}`);
  if (filter.receiver !== undefined) conditions.push(sql`d.receiver = ${filter.receiver}`);
  if (filter.endpointId !== undefined) conditions.push(sql`d.endpoint_id = ${filter.endpointId}`);
  // Written out, so that each uses the partial index for that status.
  if (filter.status === "dead") conditions.push(sql`d.status = 'dead' and q.delivery_id is null`);
  else if (filter.status === "gone") conditions.push(sql`d.status = 'gone' and q.delivery_id is null`);
  else if (filter.status === "delivered") conditions.push(sql`d.status = 'delivered' and q.delivery_id is null`);
  else if (filter.status !== undefined)
    conditions.push(sql`q.delivery_id is not null and ${statusNow(now)} = ${filter.status}`);
  const rows = await db.query<RowOf<Delivery>>(sql`
    select ${columns(now)} from webhook_deliveries d
      left join webhook_queue q on q.delivery_id = d.id and q.workspace_id = d.workspace_id
    where ${joinSql(conditions, sql` and `)} order by d.id desc limit ${query.count}`);
  return rows.map((row) => fromRow<Delivery>(row));
}

export type WholeDelivery = Delivery & { readonly body: Buffer };

export async function findDelivery(
  db: Queryable,
  wanted: { workspaceId: WorkspaceId; id: DeliveryId; now: Date },
): Promise<WholeDelivery | null> {
  const [row] = await db.query<RowOf<WholeDelivery>>(sql`
    select ${columns(wanted.now)}, d.body from webhook_deliveries d
      left join webhook_queue q on q.delivery_id = d.id and q.workspace_id = d.workspace_id
    where d.workspace_id = ${wanted.workspaceId} and d.id = ${wanted.id}`);
  return row === undefined ? null : fromRow<WholeDelivery>(row);
}

export async function listAttempts(
  db: Queryable,
  wanted: { workspaceId: WorkspaceId; id: DeliveryId },
): Promise<DeliveryAttempt[]> {
  const rows = await db.query<RowOf<DeliveryAttempt>>(sql`
    select number, is_manual, at, duration_ms, status, error from webhook_attempts
    where workspace_id = ${wanted.workspaceId} and delivery_id = ${wanted.id} order by number`);
  return rows.map((row) => fromRow<DeliveryAttempt>(row));
}

export type QueuedByHand =
  | { readonly kind: "queued"; readonly url: string }
  | { readonly kind: "absent" }
  // It was for an endpoint that was deleted.
  | { readonly kind: "no_endpoint" }
  | { readonly kind: "sending" };

// Ahead of everything else that waits for the same receiver.
const firstDue = new Date(0);

// One attempt now, under the same id, even if the receiver or the endpoint is paused, to the endpoint's current address. A delivery
// still on its schedule continues with it afterwards.
export async function queueByHand(
  tx: Queryable,
  wanted: { workspaceId: WorkspaceId; id: DeliveryId; now: Date },
): Promise<QueuedByHand> {
  const { workspaceId, id, now } = wanted;
  const [found] = await tx.query<{ endpoint_id: string | null; url: string | null; receiver: string }>(sql`
    select d.endpoint_id, coalesce(e.url, case when d.endpoint_id is null then d.url end) as url,
           coalesce(e.receiver, d.receiver) as receiver
    from webhook_deliveries d left join webhook_endpoints e on e.id = d.endpoint_id and e.workspace_id = d.workspace_id
    where d.workspace_id = ${workspaceId} and d.id = ${id} for update of d`);
  if (found === undefined) return { kind: "absent" };
  const { url, receiver } = found;
  if (url === null) return { kind: "no_endpoint" };
  const changed = await tx.execute(sql`
    insert into webhook_queue as q (delivery_id, workspace_id, receiver, due_at, is_manual, queued_at)
    values (${id}, ${workspaceId}, ${receiver}, ${firstDue}, true, ${now})
    on conflict (delivery_id) do update set due_at = ${firstDue}, is_manual = true, claim_id = null, queued_at = ${now}
    where q.workspace_id = ${workspaceId} and (q.claim_id is null or q.due_at <= ${now})`);
  if (changed === 0) return { kind: "sending" };
  if (found.endpoint_id !== null)
    await tx.execute(sql`
      update webhook_deliveries set url = ${url}, receiver = ${receiver}
      where workspace_id = ${workspaceId} and id = ${id} and url <> ${url}`);
  await endRest(tx, { workspaceId, receiver }, now);
  return { kind: "queued", url };
}

async function endRest(tx: Queryable, lane: Lane, now: Date): Promise<void> {
  await tx.execute(sql`
    update webhook_receivers set resting_until = ${now}
    where workspace_id = ${lane.workspaceId} and receiver = ${lane.receiver} and resting_until > ${now}`);
}

export async function listFailingReceivers(db: Queryable, workspaceId: WorkspaceId): Promise<FailingReceiver[]> {
  const rows = await db.query<RowOf<FailingReceiver>>(sql`
    select receiver, failures, failing_since, resting_until, disabled_at from webhook_receivers
    where workspace_id = ${workspaceId} order by failing_since, receiver limit 1000`);
  return rows.map((row) => fromRow<FailingReceiver>(row));
}

// Deletes one batch past the retention, with its attempts. Fewer than `count` means that nothing is left.
export async function forgetDeliveries(db: Queryable, old: { before: Date; count: number }): Promise<number> {
  const rows = await db.query<{ id: string }>(sql`
    with old as (
      delete from webhook_deliveries where ctid = any(array(
        select ctid from webhook_deliveries where created_at < ${old.before} limit ${old.count}))
      returning id, workspace_id
    ), attempts as (
      delete from webhook_attempts a using old where a.delivery_id = old.id and a.workspace_id = old.workspace_id
    ), queued as (
      delete from webhook_queue q using old where q.delivery_id = old.id and q.workspace_id = old.workspace_id
    )
    select id from old`);
  return rows.length;
}

// Forgets receivers to which nothing was sent for that long; the next use starts fresh.
export async function forgetReceivers(db: Queryable, before: Date): Promise<number> {
  return db.execute(sql`
    delete from webhook_receivers r where r.failing_since < ${before} and not exists (
      select from webhook_queue q where q.receiver = r.receiver and q.workspace_id = r.workspace_id)
      and coalesce(r.disabled_at, r.resting_until, r.failing_since) < ${before}`);
}
