// A workspace's plan, what it can buy, and its invoices. If nothing is sold, none of this exists.
import { operations } from "@atelier/contract";
import { requireScope } from "../../../capabilities/identity/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";
import {
  invoicePdf,
  type Payment,
  type PaymentId,
  type Plan,
  type Selling,
} from "../../../capabilities/selling/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Cursors } from "../../../foundation/cursor.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { pageBody, QueryReader, refuseCursor } from "../../../foundation/http/page-query.ts";
import { parseId, requireId } from "../../../foundation/ids.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentInvoice, presentOffer, presentSubscription } from "./present-selling.ts";

export interface SellingRouteDeps {
  // Null: nothing is sold.
  readonly selling: Selling | null;
  readonly invoiceSeller: readonly string[];
  readonly cursors: Cursors;
  readonly clock: Clock;
}

const fresh = { "cache-control": "no-store" } as const;

export function requireSelling(selling: Selling | null): Selling {
  if (selling === null) throw new Fault("not_found", "No credits are sold on this server.");
  return selling;
}

export function getPlansRoute({ selling: given, clock }: SellingRouteDeps): Route<AccountCaller> {
  return route(operations.getPlans, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    const selling = requireSelling(given);
    const { workspaceId } = principal;
    const [plans, subscriptions] = await Promise.all([selling.plans(), selling.subscriptions(workspaceId)]);
    const at = { now: clock.now(), graceMs: selling.graceMs };
    const current = subscriptions.map((each) => presentSubscription(each, plans, at)).filter((each) => each !== null);
    const offers = plans.filter(({ retiredAt }) => retiredAt === null).map((plan) => presentOffer(plan, workspaceId));
    return jsonAnswer(200, { current, offers }, fresh);
  });
}

export function listInvoicesRoute({ selling: given, cursors }: SellingRouteDeps): Route<AccountCaller> {
  return route(operations.listInvoices, async ({ caller: { principal }, query }) => {
    requireScope(principal, "account");
    const selling = requireSelling(given);
    const { workspaceId } = principal;
    const reader = new QueryReader(query);
    const [limit, cursor] = [reader.readLimit(), reader.readCursor()];
    reader.requireNoProblem();
    const purpose = `invoices ${workspaceId}`;
    const before = cursor === undefined ? null : readPosition(cursors.read(purpose, cursor));
    const wanted = { workspaceId, isWaiting: false, before, count: limit + 1 };
    const [found, plans] = await Promise.all([selling.payments(wanted), selling.plans()]);
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    const next = last ? cursors.issue(purpose, [last.paidAt.toISOString(), last.id]) : null;
    const invoices = shown.map((payment) => presentInvoice(payment, planOf(plans, payment)));
    return jsonAnswer(200, pageBody(invoices, next, limit), fresh);
  });
}

function readPosition(parts: readonly string[] | null) {
  const [at = "", id = ""] = parts ?? [];
  const [moment, parsed] = [new Date(at), parseId<"payment">(id)];
  if (parsed === null || Number.isNaN(moment.getTime())) throw refuseCursor();
  return { at: moment, id: parsed };
}

const planOf = (plans: readonly Plan[], { planId }: Payment) => plans.find(({ id }) => id === planId) ?? null;

async function requireInvoice({ selling: given }: SellingRouteDeps, { caller, params }: Incoming<AccountCaller>) {
  requireScope(caller.principal, "account");
  const selling = requireSelling(given);
  const id: PaymentId = requireId(params["invoiceId"], "There is no such invoice.");
  const [payment, plans] = await Promise.all([selling.payment(id, caller.principal.workspaceId), selling.plans()]);
  return { payment, plan: planOf(plans, payment) };
}

export function getInvoiceRoute(deps: SellingRouteDeps): Route<AccountCaller> {
  return route(operations.getInvoice, async (incoming) => {
    const { payment, plan } = await requireInvoice(deps, incoming);
    return jsonAnswer(200, presentInvoice(payment, plan), fresh);
  });
}

export function getInvoicePdfRoute(deps: SellingRouteDeps): Route<AccountCaller> {
  return route(operations.getInvoicePdf, async (incoming) => {
    const { payment, plan } = await requireInvoice(deps, incoming);
    const body = invoicePdf({
      ...payment,
      plan: plan?.name ?? null,
      credits: creditsText(payment.credits),
      seller: deps.invoiceSeller,
    });
    const name = (payment.document.number ?? payment.id).replace(/[^A-Za-z0-9._-]/g, "-");
    const headers = {
      ...fresh,
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="invoice-${name}.pdf"`,
    };
    return { status: 200, headers, body };
  });
}
