// What the books say about a test's calls: by key, by request, line by line.
import { type Queryable, sql } from "../../src/foundation/database/index.ts";

export interface RecordedInvocation {
  readonly callId: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly hold: bigint;
  readonly settled: bigint;
  // Journal lines that charge this call, and their sum.
  readonly settleLines: number;
  readonly settleSum: bigint;
  readonly fence: number;
}

const columns = sql`
  c.id, c.state, c.outcome, c.hold, c.settled, c.fence,
  (select count(*) from journal j where j.transaction_id = c.id and j.kind = 'settle') as settle_lines,
  (select coalesce(sum(amount), 0) from journal j where j.transaction_id = c.id and j.kind = 'settle') as settle_sum`;

// The calls that the key names now: one, or none if it was given back.
export async function recordedUnderKey(db: Queryable, key: string): Promise<RecordedInvocation[]> {
  const rows = await db.query<Row>(sql`
    select ${columns} from calls c join call_keys k on k.call_id = c.id where k.idempotency_key = ${key}`);
  return rows.map(toRecorded);
}

// How often each key was charged, by any call that was ever begun under it.
export async function chargesByKey(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ idempotency_key: string; lines: string }>(sql`
    select c.idempotency_key, count(*) as lines from calls c join journal j on j.transaction_id = c.id and j.kind = 'settle'
    where c.idempotency_key is not null group by c.idempotency_key`);
  return new Map(rows.map((row) => [row.idempotency_key, Number(row.lines)]));
}

export async function recordedByRequest(db: Queryable, requestId: string): Promise<RecordedInvocation | null> {
  const [row] = await db.query<Row>(sql`
    select ${columns} from calls c join usage u on u.call_id = c.id where u.request_id = ${requestId} limit 1`);
  return row ? toRecorded(row) : null;
}

// What each request of a test held and was charged.
export async function recordedByRequests(
  db: Queryable,
): Promise<ReadonlyMap<string, Pick<RecordedInvocation, "hold" | "settled">>> {
  const rows = await db.query<Pick<Row, "hold" | "settled"> & { request_id: string }>(sql`
    select u.request_id, c.hold, c.settled from calls c join usage u on u.call_id = c.id where not u.is_replay`);
  return new Map(rows.map((row) => [row.request_id, { hold: BigInt(row.hold), settled: BigInt(row.settled ?? 0) }]));
}

export async function recordedByCall(db: Queryable, callId: string): Promise<RecordedInvocation | null> {
  const [row] = await db.query<Row>(sql`select ${columns} from calls c where c.id = ${callId}`);
  return row ? toRecorded(row) : null;
}

// A call of one of the job's nodes that its provider has accepted.
export async function acceptedCallOfJob(db: Queryable, jobId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from calls where idempotency_key like ${`job:${jobId}:%`} and handle is not null`);
  return row?.id ?? null;
}

// Makes calls look as if they had begun that much earlier, and makes them due now.
export async function ageCalls(db: Queryable, subject: string, seconds: number): Promise<void> {
  await db.execute(sql`
    update calls set begun_at = begun_at - ${seconds} * interval '1 second',
      adopted_at = adopted_at - ${seconds} * interval '1 second', look_again_at = now()
    where state = 'open' and subject = ${subject}`);
}

export async function linesOf(db: Queryable, callId: string): Promise<string[]> {
  const rows = await db.query<{ kind: string }>(sql`
    select kind from journal where transaction_id = ${callId} order by kind`);
  return rows.map(({ kind }) => kind);
}

// The call that each request began.
export async function callsByRequest(db: Queryable): Promise<Map<string, string>> {
  const rows = await db.query<{ request_id: string; call_id: string }>(sql`
    select request_id, call_id from usage where request_id is not null and call_id is not null and not is_replay`);
  return new Map(rows.map((row) => [row.request_id, row.call_id]));
}

export async function openInvocations(db: Queryable): Promise<RecordedInvocation[]> {
  return (await db.query<Row>(sql`select ${columns} from calls c where c.state = 'open'`)).map(toRecorded);
}

export async function allInvocations(db: Queryable): Promise<RecordedInvocation[]> {
  return (await db.query<Row>(sql`select ${columns} from calls c`)).map(toRecorded);
}

export async function walletOf(db: Queryable, workspaceId: string): Promise<{ held: bigint; inFlight: number }> {
  const [row] = await db.query<{ held: string; in_flight: string | number }>(sql`
    select held, in_flight from wallets where workspace_id = ${workspaceId}`);
  return { held: BigInt(row?.held ?? 0), inFlight: Number(row?.in_flight ?? 0) };
}

// A real internal fault: a table that every call needs is not where the statements look for it.
export async function hideKeys(db: Queryable): Promise<void> {
  await db.execute(sql`alter table call_keys rename to call_keys_hidden`);
}

export async function showKeys(db: Queryable): Promise<void> {
  await db.execute(sql`alter table call_keys_hidden rename to call_keys`);
}

interface Row {
  readonly id: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly hold: string;
  readonly settled: string | null;
  readonly fence: number;
  readonly settle_lines: string;
  readonly settle_sum: string;
}

function toRecorded(row: Row): RecordedInvocation {
  return {
    callId: row.id,
    state: row.state,
    outcome: row.outcome,
    hold: BigInt(row.hold),
    settled: BigInt(row.settled ?? 0),
    settleLines: Number(row.settle_lines),
    settleSum: BigInt(row.settle_sum),
    fence: row.fence,
  };
}
