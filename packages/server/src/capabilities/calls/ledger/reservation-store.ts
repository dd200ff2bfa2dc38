// Credits held inside another capability's transaction: for a job, in parts, for as long as it lives. Wallets are locked in
// id order and written from the locked row, as calls do. Each part is a separate journal transaction, so one part can be
// given back alone. Call each function at most once per transaction, or the lock order of wallets is lost.
import type { Queryable } from "../../../foundation/database/database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import type { ReservationEnd } from "./reservation.ts";

export interface ReservationRequest {
  readonly holderId: string;
  readonly workspaceId: WorkspaceId;
  readonly parts: readonly { readonly part: string; readonly amount: bigint }[];
  // What the charge is counted under.
  readonly labels?: Labels;
}

const chargedPart = "run";

// What the job of a call `c` was charged for its running time. A job that a call started has the call's id.
export const chargedForRun = sql`coalesce((select sum(r.settled) from reservations r where r.holder_id = c.id), 0)`;

// For each request, null if the wallet covers it, otherwise what was available. First come, first served; a request that
// does not fit does not block the ones after it.
export async function reserveCredits(
  tx: Queryable,
  requests: readonly ReservationRequest[],
): Promise<(bigint | null)[]> {
  const available = await lockWallets(tx, requests);
  const taken: { id: string; request: ReservationRequest; part: string; amount: bigint }[] = [];
  const verdicts = requests.map((request) => {
    const room = available.get(request.workspaceId) ?? 0n;
    const sum = request.parts.reduce((total, { amount }) => total + amount, 0n);
    if (sum > room) return room;
    available.set(request.workspaceId, room - sum);
    for (const { part, amount } of request.parts) if (amount > 0n) taken.push({ id: newId(), request, part, amount });
    return null;
  });
  if (taken.length === 0) return verdicts;
  await tx.execute(sql`
    with item as (
      select * from unnest(
        ${taken.map(({ id }) => id)}::uuid[],
        ${taken.map(({ request }) => request.holderId)}::uuid[],
        ${taken.map(({ part }) => part)}::text[],
        ${taken.map(({ request }) => request.workspaceId)}::uuid[],
        ${taken.map(({ amount }) => String(amount))}::bigint[],
        ${taken.map(({ request }) => (request.labels?.tags ? JSON.stringify(request.labels.tags) : null))}::jsonb[],
        ${taken.map(({ request }) => request.labels?.endUser ?? null)}::text[]
      ) as given (id, holder_id, part, workspace_id, amount, tags, end_user)
    ), spent as (
      select workspace_id, sum(amount) as amount from item group by workspace_id
    ), paid as (
      update wallets w set available = w.available - spent.amount, held = w.held + spent.amount
      from spent where w.workspace_id = spent.workspace_id
    ), noted as (
      insert into journal (transaction_id, kind, workspace_id, debit, credit, amount)
      select id, 'hold', workspace_id, 'available', 'held', amount from item
    )
    insert into reservations (id, holder_id, part, workspace_id, amount, tags, end_user)
    select id, holder_id, part, workspace_id, amount, tags, end_user from item`);
  return verdicts;
}

// Ends open parts; parts that have already ended stay as they are. Returns how much each holder was charged.
export async function endReservations(
  tx: Queryable,
  ends: readonly ReservationEnd[],
): Promise<ReadonlyMap<string, bigint>> {
  if (ends.length === 0) return new Map();
  await lockWallets(tx, ends);
  const rows = await tx.query<{ holder_id: string; settled: string }>(sql`
    with item as (
      select * from unnest(
        ${ends.map(({ holderId }) => holderId)}::uuid[],
        ${ends.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${ends.map(({ part }) => part)}::text[],
        ${ends.map(({ charge }) => String(charge))}::bigint[],
        ${ends.map(() => newId())}::uuid[],
        ${ends.map(({ usage }) => usage?.apiKeyId ?? null)}::uuid[],
        ${ends.map(({ usage }) => usage?.subject ?? null)}::text[],
        ${ends.map(({ usage }) => usage?.outcome ?? null)}::text[],
        ${ends.map(({ usage }) => Math.min(2 ** 31 - 1, Math.round(usage?.totalMs ?? 0)))}::int[]
      ) as given (holder_id, workspace_id, part, charge, usage_id, api_key_id, subject, outcome, total_ms)
    ), ended as (
      update reservations r
      set settled = case when r.part = ${chargedPart} then least(item.charge, r.amount) else 0 end, ended_at = now()
      from item
      where r.holder_id = item.holder_id and r.workspace_id = item.workspace_id and r.settled is null
        and (item.part is null or r.part = item.part)
      returning r.id, r.holder_id, r.workspace_id, r.amount, r.settled, r.tags, r.end_user
    ), back as (
      select workspace_id, sum(amount) as amount, sum(amount - settled) as released from ended group by workspace_id
    ), paid as (
      update wallets w set held = w.held - back.amount, available = w.available + back.released
      from back where w.workspace_id = back.workspace_id
    ), noted as (
      insert into journal (transaction_id, kind, workspace_id, debit, credit, amount)
      select id, 'settle', workspace_id, 'held', 'revenue', settled from ended where settled > 0
      union all
      select id, 'release', workspace_id, 'held', 'available', amount - settled from ended where amount > settled
    ), charged as (
      select holder_id, sum(settled) as settled, (array_agg(tags))[1] as tags, (array_agg(end_user))[1] as end_user
      from ended group by holder_id
    ), used as (
      insert into usage (id, workspace_id, api_key_id, subject, outcome, credits, is_replay, total_ms,
                         tags, end_user)
      select item.usage_id, item.workspace_id, item.api_key_id, item.subject, item.outcome, charged.settled, false, item.total_ms,
             charged.tags, charged.end_user
      from item join charged using (holder_id) where item.subject is not null and charged.settled > 0
    )
    select holder_id, settled from charged`);
  return new Map(rows.map((row) => [row.holder_id, BigInt(row.settled)]));
}

// A separate statement, so the statements after it in the transaction see the locked rows as they are.
async function lockWallets(
  tx: Queryable,
  items: readonly { readonly workspaceId: WorkspaceId }[],
): Promise<Map<WorkspaceId, bigint>> {
  const rows = await tx.query<{ workspace_id: WorkspaceId; available: string }>(sql`
    select workspace_id, available from wallets
    where workspace_id = any (${[...new Set(items.map(({ workspaceId }) => workspaceId))]}::uuid[])
    order by workspace_id for update`);
  return new Map(rows.map((row) => [row.workspace_id, BigInt(row.available)]));
}
