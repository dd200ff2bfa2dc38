// Moves of credits outside calls: top-ups, withdrawals, refunds. Each is one statement that writes a journal line and
// updates a wallet. The transaction id makes a repeated request the same move.
import type { Queryable } from "../../../foundation/database/database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Wallet } from "./wallet.ts";

export async function findWallet(db: Queryable, workspaceId: WorkspaceId): Promise<Wallet> {
  const [row] = await db.query<{ available: string; held: string; in_flight: number }>(
    sql`select available, held, in_flight from wallets where workspace_id = ${workspaceId}`,
  );
  return row
    ? { available: BigInt(row.available), held: BigInt(row.held), inFlight: row.in_flight }
    : { available: 0n, held: 0n, inFlight: 0 };
}

// True the first time, false if this transaction was made before.
export async function fundWallet(
  db: Queryable,
  fund: { transactionId: string; workspaceId: WorkspaceId; amount: bigint },
): Promise<boolean> {
  const rows = await db.query<{ moved: boolean }>(sql`
    with line as (
      insert into journal (transaction_id, kind, workspace_id, debit, credit, amount)
      values (${fund.transactionId}, 'fund', ${fund.workspaceId}, 'funding', 'available', ${String(fund.amount)}::bigint)
      on conflict do nothing returning amount
    ), moved as (
      insert into wallets (workspace_id, available) select ${fund.workspaceId}::uuid, amount from line
      on conflict (workspace_id) do update set available = wallets.available + excluded.available returning true as moved
    )
    select moved from moved`);
  return rows.length === 1;
}

// Takes credits that are not held. False if there are not enough, or if it was done before.
export async function withdrawFromWallet(
  db: Queryable,
  withdrawal: { transactionId: string; workspaceId: WorkspaceId; amount: bigint },
): Promise<boolean> {
  const rows = await db.query<{ moved: boolean }>(sql`
    with wallet as (
      update wallets set available = available - ${String(withdrawal.amount)}::bigint
      where workspace_id = ${withdrawal.workspaceId} and available >= ${String(withdrawal.amount)}::bigint
        and not exists (select 1 from journal where transaction_id = ${withdrawal.transactionId} and kind = 'withdraw')
      returning workspace_id
    )
    insert into journal (transaction_id, kind, workspace_id, debit, credit, amount)
    select ${withdrawal.transactionId}::uuid, 'withdraw', workspace_id, 'available', 'funding', ${String(withdrawal.amount)}::bigint
    from wallet returning true as moved`);
  return rows.length === 1;
}

// Gives back what a call was charged: a new line, never an edit, and never more than was settled.
export async function refundCall(
  db: Queryable,
  refund: { callId: string; workspaceId: WorkspaceId },
): Promise<bigint | null> {
  const rows = await db.query<{ amount: string }>(sql`
    with line as (
      insert into journal (transaction_id, kind, workspace_id, debit, credit, amount)
      select id, 'refund', workspace_id, 'revenue', 'available', settled from calls
      where id = ${refund.callId} and workspace_id = ${refund.workspaceId} and settled > 0
      on conflict do nothing returning workspace_id, amount
    ), moved as (
      update wallets w set available = w.available + line.amount from line where w.workspace_id = line.workspace_id
    )
    select amount from line`);
  return rows[0] ? BigInt(rows[0].amount) : null;
}

// Closes the books of a past month: its sums plus those of the months before it. We sum hour by hour, so no statement gets
// slower as sales grow; nothing is written into a past month any more.
export async function closeMonth(db: Queryable, month: string): Promise<number> {
  const sums = new Map<string, [available: bigint, held: bigint, revenue: bigint]>();
  for (const [from, until] of hoursOf(month)) {
    for (const { workspace_id, available, held, revenue } of await sumLines(db, from, until)) {
      const [a, h, r] = sums.get(workspace_id) ?? [0n, 0n, 0n];
      sums.set(workspace_id, [a + BigInt(available), h + BigInt(held), r + BigInt(revenue)]);
    }
  }
  const rows = [...sums.values()];
  return db.execute(sql`
    insert into journal_closings (workspace_id, month, available, held, revenue)
    select workspace_id, ${month}::date, sum(available), sum(held), sum(revenue) from (
      select workspace_id, available, held, revenue from journal_closings where month = (${month}::date - interval '1 month')::date
      union all
      select * from unnest(${[...sums.keys()]}::uuid[], ${rows.map(([available]) => available)}::bigint[],
        ${rows.map(([, held]) => held)}::bigint[], ${rows.map(([, , revenue]) => revenue)}::bigint[])
    ) as parts group by workspace_id
    on conflict do nothing`);
}

interface SummedLines {
  readonly workspace_id: string;
  readonly available: string;
  readonly held: string;
  readonly revenue: string;
}

function sumLines(db: Queryable, from: Date, until: Date): Promise<SummedLines[]> {
  return db.query<SummedLines>(sql`
    select workspace_id,
      sum(case when credit = 'available' then amount when debit = 'available' then -amount else 0 end) as available,
      sum(case when credit = 'held' then amount when debit = 'held' then -amount else 0 end) as held,
      sum(case when credit = 'revenue' then amount when debit = 'revenue' then -amount else 0 end) as revenue
    from journal where at >= ${from} and at < ${until}
    group by workspace_id`);
}

const hourMs = 3_600_000;

// The hours of a month, given as "2026-11-01", in UTC.
function* hoursOf(month: string): Iterable<readonly [Date, Date]> {
  const first = new Date(`${month}T00:00:00Z`);
  const end = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1);
  for (let at = first.getTime(); at < end; at += hourMs) yield [new Date(at), new Date(at + hourMs)];
}
