// Hands waiting requests to a process that runs them. One statement for many workspaces: it locks their wallets, takes as
// many requests from the front as there are free slots, and gives the calls these slots. Each workspace has two lanes, so a
// costly request waiting for one of its few slots does not block the others. First come, first served within a lane.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { OpenCall, OwnerId, SlotBounds } from "../calls/index.ts";
import { freeSlots, lockingSlots, takingSlots } from "../calls/shared-sql.ts";
import type { ClaimedRequest, ModelRequestId } from "./model-request.ts";

// Workspaces with waiting requests, in id order, starting behind `after`: one index step each.
export async function listWaitingWorkspaces(
  db: Queryable,
  wanted: { readonly after: WorkspaceId | null; readonly count: number },
): Promise<WorkspaceId[]> {
  const rows = await db.query<{ workspace_id: WorkspaceId }>(sql`
    with recursive waiting as (
      (select workspace_id from model_requests
       where state = 'queued' and (${wanted.after}::uuid is null or workspace_id > ${wanted.after}::uuid)
       order by workspace_id limit 1)
      union all
      select (select r.workspace_id from model_requests r
              where r.state = 'queued' and r.workspace_id > waiting.workspace_id order by r.workspace_id limit 1)
      from waiting where waiting.workspace_id is not null
    )
    select workspace_id from waiting where workspace_id is not null limit ${wanted.count}`);
  return rows.map((row) => row.workspace_id);
}

export async function claimRequests(
  db: Queryable,
  bounds: readonly SlotBounds[],
  runnerId: OwnerId,
): Promise<ClaimedRequest[]> {
  const rows = await db.query<ClaimRow>(sql`
    with free as materialized (${lockingSlots(bounds)}), costly as (
      select first.id, first.workspace_id from free cross join lateral (
        select r.id, r.workspace_id from model_requests r
        where r.workspace_id = free.workspace_id and r.state = 'queued' and r.is_costly
        order by r.workspace_id, r.is_costly, r.id limit free.costly_slots) first
    ), plain as (
      select first.id, first.workspace_id from free cross join lateral (
        select r.id, r.workspace_id from model_requests r
        where r.workspace_id = free.workspace_id and r.state = 'queued' and not r.is_costly
        order by r.workspace_id, r.is_costly, r.id limit free.slots) first
    ), front as (
      select picked.id, picked.workspace_id from (
        select id, workspace_id, row_number() over (partition by workspace_id order by id) as turn
        from (select * from costly union all select * from plain) both_lanes) picked
      join free using (workspace_id) where picked.turn <= free.slots
    ), picked as (
      select r.id, r.workspace_id from model_requests r join front using (workspace_id, id)
      where r.state = 'queued' for update of r skip locked
    ), claimed as (
      update model_requests r
      set state = 'running', runner_id = ${runnerId}::uuid, attempts = r.attempts + 1,
          started_at = coalesce(r.started_at, now())
      from picked where r.workspace_id = picked.workspace_id and r.id = picked.id
      returning r.id, r.workspace_id, r.model, r.is_costly, r.longest_run_seconds, r.hold, r.body, r.body_blob,
                r.created_at, r.attempts
    ), ${takingSlots(runnerId)}
    select claimed.id, claimed.workspace_id, slotted.fence, claimed.model, claimed.hold, claimed.body, claimed.body_blob,
           claimed.created_at, claimed.attempts,
           extract(epoch from now() - claimed.created_at)::float8 * 1000 as waited_ms,
           slotted.api_key_id, slotted.request_id, slotted.price_record_id, slotted.definition_version, slotted.context,
           slotted.tags, slotted.end_user
    from claimed join slotted using (id) order by claimed.id`);
  return rows.map(toClaimed);
}

// Puts a request that was begun but never sent back to its old position. False if another process owns it by now.
export async function putBack(tx: Queryable, call: OpenCall, queueSeconds: number): Promise<boolean> {
  const changed = await tx.execute(sql`
    update model_requests set state = 'queued', runner_id = null
    where workspace_id = ${call.workspaceId} and id = ${call.id} and state = 'running'`);
  return changed === 1 && (await freeSlots(tx, [call], queueSeconds)).has(call.id);
}

// Requests that have waited too long, oldest first.
export async function listOverdue(
  db: Queryable,
  wanted: { readonly queueSeconds: number; readonly count: number },
): Promise<{ readonly id: ModelRequestId; readonly workspaceId: WorkspaceId }[]> {
  const rows = await db.query<{ id: ModelRequestId; workspace_id: WorkspaceId }>(sql`
    select id, workspace_id from model_requests
    where state = 'queued' and created_at < now() - ${wanted.queueSeconds} * interval '1 second'
    order by created_at limit ${wanted.count}`);
  return rows.map((row) => ({ id: row.id, workspaceId: row.workspace_id }));
}

interface ClaimRow extends RowOf<Omit<ClaimedRequest, "hold">> {
  readonly hold: string;
}

function toClaimed({ hold, waited_ms, ...row }: ClaimRow): ClaimedRequest {
  const read = fromRow<Omit<ClaimedRequest, "hold" | "waitedMs">>(row);
  return { ...read, hold: BigInt(hold), waitedMs: Math.max(0, waited_ms) };
}
