// Payments and the credits they brought. A row is locked while credits move because of it.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Payment, PaymentId, PaymentPosition } from "./payment.ts";
import type { ProviderName } from "./plan.ts";

// One after another, over all processes: payments are few, and each may touch others of its customer.
export async function takePaymentsTurn(tx: Queryable): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('atelier payments', 0))`);
}

export type NewPayment = Pick<
  Payment,
  "id" | "provider" | "reference" | "customer" | "subscription" | "paidAt" | "amountMinor" | "currency" | "document"
>;

// The payment, new or known.
export async function lockPayment(tx: Queryable, payment: NewPayment): Promise<Payment> {
  await tx.execute(sql`
    insert into payments (id, provider, reference, customer, subscription, email, paid_at, amount_minor, currency, document)
    values (${payment.id}, ${payment.provider}, ${payment.reference}, ${payment.customer}, ${payment.subscription},
            ${payment.document.customer.email}, ${payment.paidAt}, ${payment.amountMinor}::bigint, ${payment.currency},
            ${JSON.stringify(payment.document)}::jsonb)
    on conflict (provider, reference) do nothing`);
  const [row] = await tx.query<Row>(sql`
    select ${columns} from payments
    where provider = ${payment.provider} and reference = ${payment.reference} for update`);
  if (row === undefined) throw new Error("a payment that was just written is missing");
  return toPayment(row);
}

// Everything of it that changes.
export async function savePayment(tx: Queryable, payment: Payment): Promise<void> {
  await tx.execute(sql`
    update payments set workspace_id = ${payment.workspaceId}, customer = ${payment.customer},
      subscription = ${payment.subscription}, plan_id = ${payment.planId}, amount_minor = ${payment.amountMinor}::bigint,
      refunded_minor = ${payment.refundedMinor}::bigint, document = ${JSON.stringify(payment.document)}::jsonb,
      email = ${payment.document.customer.email}, paid_at = ${payment.paidAt}, granted_at = ${payment.grantedAt},
      credits = ${String(payment.credits)}::bigint, taken_back = ${String(payment.takenBack)}::bigint,
      expired = ${String(payment.expired)}::bigint, owed = ${String(payment.owed)}::bigint,
      period_from = ${payment.periodFrom}, expires_at = ${payment.expiresAt}, ended_at = ${payment.endedAt}
    where id = ${payment.id}`);
}

// False if another payment counts for this period of the subscription.
export async function takePeriod(
  tx: Queryable,
  period: {
    readonly provider: ProviderName;
    readonly subscription: string;
    readonly priceId: string;
    readonly from: Date;
    readonly paymentId: PaymentId;
  },
): Promise<boolean> {
  const taken = await tx.execute(sql`
    insert into payment_periods (provider, subscription, price_id, period_from, payment_id)
    values (${period.provider}, ${period.subscription}, ${period.priceId}, ${period.from}, ${period.paymentId})
    on conflict do nothing`);
  return taken === 1;
}

export interface PaymentMove {
  readonly transactionId: string;
  readonly paymentId: PaymentId;
  readonly kind: "grant" | "take_back" | "give_back" | "expire";
  readonly amount: bigint;
  readonly at: Date;
}

export async function insertMove(tx: Queryable, move: PaymentMove): Promise<void> {
  await tx.execute(sql`
    insert into payment_moves (transaction_id, payment_id, kind, amount, at)
    values (${move.transactionId}, ${move.paymentId}, ${move.kind}, ${String(move.amount)}::bigint, ${move.at})`);
}

export async function countMoves(tx: Queryable, paymentId: PaymentId): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from payment_moves where payment_id = ${paymentId}`);
  return row?.count ?? 0;
}

export async function findPayment(
  db: Queryable,
  id: PaymentId,
  options: { readonly workspaceId?: WorkspaceId; readonly isLocked?: boolean } = {},
): Promise<Payment | null> {
  const { workspaceId = null, isLocked = false } = options;
  const [row] = await db.query<Row>(sql`
    select ${columns} from payments
    where id = ${id} and (${workspaceId}::uuid is null or workspace_id = ${workspaceId})
    ${isLocked ? sql`for update` : sql``}`);
  return row ? toPayment(row) : null;
}

// Newest first.
export async function listPayments(
  db: Queryable,
  page: {
    // Null: everyone's.
    readonly workspaceId: WorkspaceId | null;
    readonly isWaiting: boolean;
    readonly before: PaymentPosition | null;
    readonly count: number;
  },
): Promise<Payment[]> {
  const { workspaceId, before } = page;
  const rows = await db.query<Row>(sql`
    select ${columns} from payments
    where (${workspaceId}::uuid is null or workspace_id = ${workspaceId})
      and (not ${page.isWaiting}::boolean or granted_at is null)
      and (${before?.at ?? null}::timestamptz is null
        or (paid_at, id) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::uuid))
    order by paid_at desc, id desc limit ${page.count}`);
  return rows.map(toPayment);
}

// Of one subscription, granted and not ended, that began before this period.
export async function findEarlierPeriods(tx: Queryable, payment: Payment): Promise<Payment[]> {
  const rows = await tx.query<Row>(sql`
    select ${columns} from payments
    where provider = ${payment.provider} and subscription = ${payment.subscription} and granted_at is not null
      and expires_at is not null and ended_at is null and period_from < ${payment.periodFrom}
    order by period_from for update`);
  return rows.map(toPayment);
}

// Whether a later period of the same subscription was granted already.
export async function hasLaterPeriod(tx: Queryable, payment: Payment): Promise<boolean> {
  const rows = await tx.query(sql`
    select from payments
    where provider = ${payment.provider} and subscription = ${payment.subscription} and granted_at is not null
      and period_from > ${payment.periodFrom} limit 1`);
  return rows.length > 0;
}

export async function findOwing(tx: Queryable, workspaceId: WorkspaceId): Promise<Payment[]> {
  const rows = await tx.query<Row>(sql`
    select ${columns} from payments where workspace_id = ${workspaceId} and owed > 0 order by paid_at, id for update`);
  return rows.map(toPayment);
}

// Payments for which time or new credits may have something to do.
export async function findDuePayments(db: Queryable, now: Date, count: number): Promise<PaymentId[]> {
  const rows = await db.query<{ id: PaymentId }>(sql`
    (select id from payments where expires_at <= ${now} and ended_at is null order by expires_at limit ${count})
    union (select id from payments where owed > 0 order by id limit ${count})`);
  return rows.map(({ id }) => id);
}

export async function countWaiting(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from payments where granted_at is null`);
  return row?.count ?? 0;
}

const columns = sql`id, provider, reference, workspace_id, customer, subscription, plan_id, paid_at, amount_minor, refunded_minor,
  currency, document, granted_at, credits, taken_back, expired, owed, period_from, expires_at, ended_at`;

type Amounts = "credits" | "takenBack" | "expired" | "owed" | "amountMinor" | "refundedMinor";
type PlainPayment = Omit<Payment, Amounts> & Readonly<Record<Amounts, string>>;
type Row = RowOf<PlainPayment>;

function toPayment(row: Row): Payment {
  const { credits, takenBack, expired, owed, amountMinor, refundedMinor, ...rest } = fromRow<PlainPayment>(row);
  return {
    ...rest,
    credits: BigInt(credits),
    takenBack: BigInt(takenBack),
    expired: BigInt(expired),
    owed: BigInt(owed),
    amountMinor: Number(amountMinor),
    refundedMinor: Number(refundedMinor),
  };
}
