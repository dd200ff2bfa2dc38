// Brings one payment's credits in line with everything known about it: who paid, for which plan, what was refunded or disputed, and
// whether its period is over. It decides from states and not from steps, so it may run in any order and any number of times. The
// caller's transaction has the payments' turn, so no other process settles at the same time.
import type { Queryable } from "../../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { spentSince } from "../../calls/shared-sql.ts";
import { clearNotes } from "../event-store.ts";
import { findClaim, findPayables, findReversal, findSubscription, type Payable } from "../object-store.ts";
import type { Payment } from "../payment.ts";
import {
  findEarlierPeriods,
  findOwing,
  hasLaterPeriod,
  lockPayment,
  savePayment,
  takePeriod,
} from "../payment-store.ts";
import type { Plan, ProviderName } from "../plan.ts";
import { findPlansByPrice } from "../plan-store.ts";
import type { PaidItem } from "../reading/object-facts.ts";
import { addCredits, type Granted, type Moving, takeCredits } from "./move-credits.ts";

export interface SettleDeps extends Moving {
  readonly graceMs: number;
  hasWorkspace(tx: Queryable, id: WorkspaceId): Promise<boolean>;
}

export type Settled =
  | { readonly kind: "settled"; readonly payment: Payment }
  | { readonly kind: "waiting"; readonly payment: Payment; readonly why: string };

// Null: nothing of that name was paid.
export async function settlePayment(
  tx: Queryable,
  deps: SettleDeps,
  named: { readonly provider: ProviderName; readonly reference: string },
): Promise<Settled | null> {
  const payables = await findPayables(tx, named.provider, named.reference);
  const [first] = payables;
  if (first === undefined) return null;
  const items = payables.map(({ facts }) => facts.items).find(({ length }) => length > 0) ?? [];
  const known = await openPayment(tx, named, payables, first);
  const workspaceId = known.workspaceId ?? (await findWorkspace(tx, deps, named.provider, payables));
  let payment: Payment = { ...known, workspaceId };
  const granted = payment.grantedAt === null ? await grant(tx, deps, payment, items) : { payment, why: null };
  payment = granted.payment;
  if (isGranted(payment)) payment = await reconcile(tx, deps, payment, items);
  await savePayment(tx, payment);
  return granted.why === null ? { kind: "settled", payment } : { kind: "waiting", payment, why: granted.why };
}

async function openPayment(
  tx: Queryable,
  named: { readonly provider: ProviderName; readonly reference: string },
  payables: readonly Payable[],
  first: Payable,
): Promise<Payment> {
  const { document, currency, paidAt } = first.facts;
  const seen = {
    customer: payables.find(({ customer }) => customer !== null)?.customer ?? null,
    subscription: payables.find(({ subscription }) => subscription !== null)?.subscription ?? null,
    amountMinor: document.paid,
    document,
    paidAt: new Date(paidAt * 1000),
  };
  const payment = await lockPayment(tx, { ...named, ...seen, id: newId(), currency });
  return { ...payment, ...seen };
}

async function findWorkspace(
  tx: Queryable,
  deps: SettleDeps,
  provider: ProviderName,
  payables: readonly Payable[],
): Promise<WorkspaceId | null> {
  for (const payable of payables) {
    const claim = await findClaim(tx, provider, payable);
    // Buyers can write any id into the address of the provider's page.
    if (claim !== null && (await deps.hasWorkspace(tx, claim))) return claim;
  }
  return null;
}

interface Grant {
  readonly payment: Payment;
  // Why nothing was granted yet.
  readonly why: string | null;
}

async function grant(tx: Queryable, deps: SettleDeps, payment: Payment, items: readonly PaidItem[]): Promise<Grant> {
  const { provider, workspaceId } = payment;
  const plans = await findPlansByPrice(
    tx,
    provider,
    items.map(({ price }) => price),
  );
  const bought = items.flatMap((item) => {
    const plan = plans.get(item.price);
    return plan === undefined ? [] : [{ item, plan }];
  });
  const [main] = bought;
  if (workspaceId === null) return { payment, why: "No workspace is known for this payment: assign it." };
  if (main === undefined) {
    const prices = items.map(({ price }) => price).join(", ");
    const why = prices === "" ? "Nothing with a price was paid for." : `No plan has the price ${prices}: create one.`;
    return { payment, why };
  }
  let credits = 0n;
  for (const { item, plan } of bought) {
    if (await countsOnce(tx, payment, item, plan)) credits += plan.credits * BigInt(Math.max(1, item.quantity));
  }
  const fresh: Granted = {
    ...{ ...payment, workspaceId },
    planId: main.plan.id,
    grantedAt: deps.now,
    credits,
    periodFrom: dateOf(main.item.from),
    // From here on reconcile() keeps it.
    expiresAt: main.plan.rollsOver ? null : dateOf(main.item.until),
  };
  await clearNotes(tx, payment);
  await addCredits(tx, deps, fresh, { kind: "grant", amount: credits, reason: `${main.plan.name}, paid` });
  return { payment: fresh, why: null };
}

async function countsOnce(tx: Queryable, payment: Payment, { price, from }: PaidItem, plan: Plan): Promise<boolean> {
  const { provider, subscription, id: paymentId } = payment;
  const start = dateOf(from);
  if (plan.kind === "once" || subscription === null || start === null) return true;
  return takePeriod(tx, { provider, subscription, priceId: price, from: start, paymentId });
}

const isGranted = (payment: Payment): payment is Granted => payment.grantedAt !== null && payment.workspaceId !== null;

async function reconcile(
  tx: Queryable,
  deps: SettleDeps,
  granted: Granted,
  items: readonly PaidItem[],
): Promise<Granted> {
  let payment: Granted = await takeBack(tx, deps, granted);
  for (const other of await findOwing(tx, payment.workspaceId)) {
    if (other.id !== payment.id && isGranted(other)) await savePayment(tx, await takeBack(tx, deps, other));
  }
  if (payment.expiresAt === null || payment.endedAt !== null) return payment;
  payment = { ...payment, expiresAt: await endOf(tx, deps, payment, items) };
  for (const earlier of await findEarlierPeriods(tx, payment)) {
    if (isGranted(earlier)) await savePayment(tx, await expire(tx, deps, earlier));
  }
  const isOver = payment.expiresAt !== null && payment.expiresAt <= deps.now;
  return isOver || (await hasLaterPeriod(tx, payment)) ? expire(tx, deps, payment) : payment;
}

// With its period, if the plan was cancelled; else after the days of grace, in which the next payment may still arrive.
async function endOf(
  tx: Queryable,
  { graceMs }: SettleDeps,
  { provider, subscription, periodFrom, expiresAt }: Payment,
  items: readonly PaidItem[],
): Promise<Date | null> {
  const until = dateOf(items.find(({ from }) => dateOf(from)?.getTime() === periodFrom?.getTime())?.until ?? null);
  if (until === null) return expiresAt;
  const facts = subscription === null ? null : await findSubscription(tx, provider, subscription);
  return new Date(until.getTime() + (facts?.status === "canceled" ? 0 : graceMs));
}

// Refunds and disputes take back the same share of the credits as of the money. What was spent by then stays owed. Expired credits
// count as taken.
async function takeBack(tx: Queryable, deps: SettleDeps, granted: Granted): Promise<Granted> {
  const { refunded, disputed } = await findReversal(tx, granted.provider, granted);
  const amount = BigInt(granted.amountMinor);
  const back = least(BigInt(refunded + disputed), amount);
  const share = amount > 0n ? (granted.credits * back) / amount : 0n;
  const payment: Granted = { ...granted, refundedMinor: Number(back), owed: 0n };
  const missing = share - granted.expired - granted.takenBack;
  if (missing > 0n) {
    const wanted = { kind: "take_back", amount: missing, reason: "refund or dispute" } as const;
    const taken = await takeCredits(tx, deps, payment, wanted);
    return { ...payment, takenBack: payment.takenBack + taken, owed: missing - taken };
  }
  const surplus = least(-missing, granted.takenBack);
  await addCredits(tx, deps, payment, { kind: "give_back", amount: surplus, reason: "dispute won" });
  return { ...payment, takenBack: payment.takenBack - surplus };
}

// Spending counts against the plan's credits first.
async function expire(tx: Queryable, deps: SettleDeps, payment: Granted): Promise<Granted> {
  const { now } = deps;
  const spent = await spentSince(tx, payment.workspaceId, payment.grantedAt ?? now);
  const unused = payment.credits - payment.takenBack - spent;
  const wanted = { kind: "expire", amount: unused, reason: "period over" } as const;
  const taken = await takeCredits(tx, deps, payment, wanted);
  return { ...payment, expired: payment.expired + taken, endedAt: now };
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);

function dateOf(seconds: number | null): Date | null {
  return seconds === null ? null : new Date(seconds * 1000);
}
