// The checker's queries, and the workspaces that the run spends from.
import { fundWallet } from "../../src/capabilities/calls/shared-sql.ts";
import { type Queryable, sql } from "../../src/foundation/database/index.ts";
import { newId } from "../../src/foundation/ids.ts";
import type { RecordedCall, RecordedKey, RecordedWallet } from "./checker.ts";

export async function makeWorkspace(db: Queryable, credits: bigint): Promise<string> {
  const workspaceId = newId<"workspace">();
  await db.execute(sql`insert into workspaces (id, name, created_at) values (${workspaceId}, 'torture', now())`);
  await fundWallet(db, { transactionId: newId(), workspaceId, amount: credits });
  return workspaceId;
}

export async function countOpenCalls(db: Queryable): Promise<number> {
  const [row] = await db.query<{ open: string }>(sql`select count(*) as open from calls where state = 'open'`);
  return Number(row?.open ?? 0);
}

export async function listOpenCalls(db: Queryable): Promise<object[]> {
  return db.query(sql`
    select id, recovery, fence, owner_id, begun_at, adopted_at, look_again_at, not_found_times, now(),
           (select heartbeat_at from call_owners o where o.id = owner_id) as heartbeat_at
    from calls where state = 'open' limit 20`);
}

// What planted bugs do to the books. From now on about every tenth journal line of a charged call is not written; the
// rest of its ending is.
export async function loseLines(db: Queryable): Promise<void> {
  await db.execute(sql`
    create or replace function lose_lines() returns trigger language plpgsql as
      'begin if new.kind = ''settle'' and new.transaction_id::text ~ ''[07]$'' then return null; end if; return new; end'`);
  await db.execute(sql`
    create or replace trigger loses_lines before insert on journal for each row execute function lose_lines()`);
}

export async function freeKeyOf(db: Queryable, callId: string): Promise<void> {
  await db.execute(sql`delete from call_keys where call_id = ${callId}`);
}

export async function keepSlot(db: Queryable, workspaceId: string): Promise<void> {
  await db.execute(sql`update wallets set in_flight = in_flight + 1 where workspace_id = ${workspaceId}`);
}

export async function listRecordedCalls(db: Queryable): Promise<RecordedCall[]> {
  const rows = await db.query<CallRow>(sql`
    select c.id, c.workspace_id, c.idempotency_key, c.state, c.recovery, c.hold, c.settled, c.fence, c.outcome,
           coalesce(j.amount, 0) as suspense
    from calls c left join journal j on j.transaction_id = c.id and j.kind = 'suspense'`);
  return rows.map((row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    key: row.idempotency_key,
    state: row.state,
    recovery: row.recovery,
    hold: BigInt(row.hold),
    settled: BigInt(row.settled ?? 0),
    suspense: BigInt(row.suspense),
    fence: row.fence,
    outcome: row.outcome ?? "",
  }));
}

export async function listRecordedKeys(db: Queryable): Promise<RecordedKey[]> {
  const rows = await db.query<KeyRow>(sql`
    select k.workspace_id, k.idempotency_key, k.call_id, a.status, encode(sha256(a.body), 'hex') as sha256
    from call_keys k join call_answers a on a.call_id = k.call_id`);
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    key: row.idempotency_key,
    callId: row.call_id,
    status: row.status,
    sha256: row.sha256,
  }));
}

export async function listRecordedWallets(db: Queryable): Promise<RecordedWallet[]> {
  const rows = await db.query<WalletRow>(sql`select workspace_id, available, held, in_flight from wallets`);
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    available: BigInt(row.available),
    held: BigInt(row.held),
    inFlight: row.in_flight,
  }));
}

interface CallRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly idempotency_key: string | null;
  readonly state: RecordedCall["state"];
  readonly recovery: RecordedCall["recovery"];
  readonly hold: string;
  readonly settled: string | null;
  readonly suspense: string;
  readonly fence: number;
  readonly outcome: string | null;
}

interface KeyRow {
  readonly workspace_id: string;
  readonly idempotency_key: string;
  readonly call_id: string;
  readonly status: number;
  readonly sha256: string;
}

interface WalletRow {
  readonly workspace_id: string;
  readonly available: string;
  readonly held: string;
  readonly in_flight: number;
}
