import type { CurrentPlan, Invoice, PlanOffer } from "@atelier/contract";
import { creditsText } from "../../../capabilities/prices/index.ts";
import type { Payment, Plan, SeenSubscription } from "../../../capabilities/selling/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";

export function presentOffer(plan: Plan, workspaceId: WorkspaceId): PlanOffer {
  const { id, name, kind, credits, priceMinor, currency, rollsOver, checkoutUrl } = plan;
  return {
    ...{ id, name, kind, currency },
    credits: creditsText(credits),
    price_minor: Number(priceMinor),
    rolls_over: rollsOver,
    checkout_url: checkoutUrl && buyLink(checkoutUrl, workspaceId),
  };
}

// The provider sends it back with the payment.
function buyLink(checkoutUrl: string, workspaceId: WorkspaceId): string {
  const url = new URL(checkoutUrl);
  url.searchParams.set("client_reference_id", workspaceId);
  return url.href;
}

const dayMs = 86_400_000;
const shownEndedMs = 90 * dayMs;

// Null: it ended long ago, or never began.
export function presentSubscription(
  { objectId, facts }: SeenSubscription,
  plans: readonly Plan[],
  { now, graceMs }: { readonly now: Date; readonly graceMs: number },
): CurrentPlan | null {
  const plan = plans.find(({ priceId }) => facts.prices.includes(priceId));
  // When a renewal fails, the provider's period has moved on already: what was paid for ended where it begins.
  const end = facts.status === "past_due" ? facts.from : facts.until;
  const until = end === null ? null : new Date(end * 1000);
  const state = stateOf(facts, until, now, graceMs);
  if (state === "ended" && until !== null && now.getTime() - until.getTime() > shownEndedMs) return null;
  const graceUntil = state === "grace" && until !== null ? new Date(until.getTime() + graceMs) : null;
  return {
    subscription: objectId,
    plan_id: plan?.id ?? null,
    name: plan?.name ?? "A plan that is no longer sold",
    state,
    period_end: until?.toISOString() ?? null,
    grace_until: graceUntil?.toISOString() ?? null,
  };
}

function stateOf(
  { status, endsWithPeriod }: SeenSubscription["facts"],
  until: Date | null,
  now: Date,
  graceMs: number,
): CurrentPlan["state"] {
  const msOver = until === null ? 0 : now.getTime() - until.getTime();
  if (status === "canceled") return msOver < 0 ? "ending" : "ended";
  if (status === "active" || status === "trialing") {
    if (msOver > graceMs) return "ended";
    return endsWithPeriod ? "ending" : "active";
  }
  if (status === "past_due") return msOver <= graceMs ? "grace" : "ended";
  return "ended";
}

export function presentInvoice(payment: Payment, plan: Plan | null): Invoice {
  const { document, currency } = payment;
  const { customer } = document;
  return {
    id: payment.id,
    number: document.number,
    paid_at: payment.paidAt.toISOString(),
    plan: plan?.name ?? null,
    credits: creditsText(payment.credits),
    currency,
    customer: {
      name: customer.name,
      email: customer.email,
      address: [...customer.address],
      tax_ids: [...customer.taxIds],
    },
    lines: document.lines.map(({ text, quantity, amount }) => ({ text, quantity, amount_minor: amount })),
    subtotal_minor: document.subtotal,
    discount_minor: document.discount,
    taxes: document.taxes.map(({ label, amount }) => ({ label, amount_minor: amount })),
    total_minor: document.total,
    paid_minor: document.paid,
    refunded_minor: payment.refundedMinor,
    provider_url: document.url,
  };
}
