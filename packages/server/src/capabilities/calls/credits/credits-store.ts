// The journal as its workspace reads it.
import type { Queryable } from "../../../foundation/database/database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";

export interface CreditLine {
  // The call, top-up or withdrawal.
  readonly transactionId: string;
  readonly kind: "fund" | "hold" | "settle" | "release" | "refund" | "withdraw";
  // Micro-credits, always above 0. The kind says in which direction they moved.
  readonly amount: bigint;
  readonly at: Date;
  readonly position: CreditPosition;
}

// The time is text with microseconds, which a Date would lose.
export interface CreditPosition {
  readonly at: string;
  readonly transactionId: string;
  readonly kind: string;
}

const columns = sql`
  transaction_id, kind, amount, at, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exact_at`;

// Every line that changed what the workspace owns, newest first.
export async function listCreditLines(
  db: Queryable,
  query: { workspaceId: WorkspaceId; before: CreditPosition | null; count: number },
): Promise<CreditLine[]> {
  const { before } = query;
  const earlier = before
    ? sql`and (at, transaction_id, kind) < (${before.at}::timestamptz, ${before.transactionId}::uuid, ${before.kind}::text)`
    : sql``;
  const rows = await db.query<LineRow>(sql`
    select ${columns} from journal
    where workspace_id = ${query.workspaceId} and kind in ('fund', 'settle', 'refund', 'withdraw') ${earlier}
    order by at desc, transaction_id desc, kind desc limit ${query.count}`);
  return rows.map(toLine);
}

// All lines of one transaction, including holds and releases. Suspense lines are our cost, not the workspace's. A call's
// hold is in the call's row and not in the journal, except for calls that began before migration 0035. A call that waited
// for a slot gets a new begin time with the slot; its id holds the time its credits were held from.
export async function findCreditLines(
  db: Queryable,
  query: { workspaceId: WorkspaceId; transactionId: string },
): Promise<CreditLine[]> {
  const rows = await db.query<LineRow>(sql`
    select ${columns}
    from (
      select transaction_id, kind, amount, at from journal
      where transaction_id = ${query.transactionId} and workspace_id = ${query.workspaceId} and kind <> 'suspense'
      union all
      select c.id, side.kind, side.amount, side.at
      from calls c cross join lateral (values
        ('hold', c.hold, least(c.begun_at, to_timestamp(('x' || left(replace(c.id::text, '-', ''), 12))::bit(48)::bigint / 1000.0))),
        ('release', c.hold - c.settled, c.finished_at)
      ) as side (kind, amount, at)
      where c.id = ${query.transactionId} and c.workspace_id = ${query.workspaceId} and side.amount > 0
        and not exists (select from journal j where j.transaction_id = c.id and j.kind = 'hold')
    ) as lines
    order by at desc, kind desc`);
  return rows.map(toLine);
}

export interface CreditFigures {
  readonly available: bigint;
  readonly held: bigint;
  readonly inFlight: number;
  // PostgreSQL's estimate: an exact count would read every line.
  readonly journalLines: number;
  // The first day of the last month whose books are closed.
  readonly closedMonth: string | null;
}

export async function findCreditFigures(db: Queryable): Promise<CreditFigures> {
  const [row] = await db.query<FiguresRow>(sql`
    select (select sum(available) from wallets) as available, (select sum(held) from wallets) as held,
           (select sum(in_flight) from wallets) as in_flight,
           (select greatest(reltuples, 0) from pg_class where oid = 'journal'::regclass) as lines,
           (select max(month)::text from journal_closings) as closed`);
  return {
    available: BigInt(row?.available ?? 0),
    held: BigInt(row?.held ?? 0),
    inFlight: Number(row?.in_flight ?? 0),
    journalLines: Number(row?.lines ?? 0),
    closedMonth: row?.closed ?? null,
  };
}

interface FiguresRow {
  readonly available: string | null;
  readonly held: string | null;
  readonly in_flight: string | null;
  readonly lines: number;
  readonly closed: string | null;
}

interface LineRow {
  readonly transaction_id: string;
  readonly kind: CreditLine["kind"];
  readonly amount: string;
  readonly at: Date;
  readonly exact_at: string;
}

function toLine(row: LineRow): CreditLine {
  return {
    transactionId: row.transaction_id,
    kind: row.kind,
    amount: BigInt(row.amount),
    at: row.at,
    position: { at: row.exact_at, transactionId: row.transaction_id, kind: row.kind },
  };
}
