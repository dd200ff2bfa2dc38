// What the rows and books say about every queued call of a tortured router; and faults planted in them, to check that the
// judge finds them.
import { type Queryable, sql } from "../../src/foundation/database/index.ts";

export interface TorturedRequest {
  readonly id: string;
  readonly state: string;
  readonly errorType: string | null;
  readonly attempts: number;
  readonly callState: string | null;
  readonly hold: bigint;
  readonly creditsUsed: bigint;
  readonly settleLines: number;
  readonly settleSum: bigint;
  readonly delivered: number;
}

export async function listRequests(db: Queryable): Promise<TorturedRequest[]> {
  const rows = await db.query<Row>(sql`
    select r.id, r.state, r.error_type, r.attempts, c.state as call_state, r.hold, coalesce(r.credits_used, 0) as credits_used,
      (select count(*) from journal j where j.transaction_id = r.id and j.kind = 'settle') as settle_lines,
      (select coalesce(sum(amount), 0) from journal j where j.transaction_id = r.id and j.kind = 'settle') as settle_sum,
      (select count(*) from webhook_deliveries d where d.subject_id = r.id::text and d.status = 'delivered') as delivered
    from model_requests r left join calls c on c.id = r.id`);
  return rows.map((row) => ({
    id: row.id,
    state: row.state,
    errorType: row.error_type,
    attempts: row.attempts,
    callState: row.call_state,
    hold: BigInt(row.hold),
    creditsUsed: BigInt(row.credits_used),
    settleLines: Number(row.settle_lines),
    settleSum: BigInt(row.settle_sum),
    delivered: Number(row.delivered),
  }));
}

export const requestPlants = ["double-claim", "lost-request", "lost-notice", "free-ride"] as const;
export type RequestPlant = (typeof requestPlants)[number];

// Each leaves behind what a bug of that name would.
export async function plant(db: Queryable, name: RequestPlant): Promise<void> {
  if (name === "double-claim")
    // Running calls wait again with their slot given back, so the next round begins them once more.
    await db.execute(sql`
      with again as (
        update model_requests set state = 'queued', runner_id = null
        where state = 'running' and attempts = 1 returning id, workspace_id, is_costly
      ), freed as (
        update calls c set takes_slot = false, is_costly = false from again where c.id = again.id and c.state = 'open' and c.takes_slot
        returning c.workspace_id
      )
      update wallets w set in_flight = w.in_flight - (select count(*) from freed) where w.workspace_id in (select workspace_id from freed)`);
  else if (name === "lost-request")
    await db.execute(sql`delete from model_requests where id in (select id from model_requests order by id limit 1)`);
  else if (name === "lost-notice") {
    // From now on about every tenth notice is recorded but never sent.
    await db.execute(sql`
      create function lose_some() returns trigger language plpgsql as
        'begin if new.delivery_id::text like ''%0'' or new.delivery_id::text like ''%7'' then return null; end if; return new; end'`);
    await db.execute(sql`
      create trigger loses_some before insert on webhook_queue for each row execute function lose_some()`);
  } else
    await db.execute(sql`
      update model_requests set credits_used = 0
      where id in (select id from model_requests where credits_used > 0 order by id limit 1)`);
}

interface Row {
  readonly id: string;
  readonly state: string;
  readonly error_type: string | null;
  readonly attempts: number;
  readonly call_state: string | null;
  readonly hold: string;
  readonly credits_used: string;
  readonly settle_lines: string;
  readonly settle_sum: string;
  readonly delivered: string;
}
