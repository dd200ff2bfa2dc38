// What operators sell, what was paid, and what the payment provider said. If nothing is sold, none of this exists.
import {
  AssignPayment,
  ChangePlan,
  CreatePlan,
  operations,
  type PaymentEvent,
  type Payment as WirePayment,
  type Plan as WirePlan,
} from "@atelier/contract";
import { creditsText, parseCredits } from "../../../capabilities/prices/index.ts";
import type { Payment, Plan, PlanId, Selling, StoredEvent } from "../../../capabilities/selling/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../../capabilities/tokens/index.ts";
import type { Cursors } from "../../../foundation/cursor.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type Route, route } from "../../../foundation/http/area.ts";
import { pageBody, QueryReader, refuseCursor } from "../../../foundation/http/page-query.ts";
import { parseId, requireId, trustedId } from "../../../foundation/ids.ts";
import { badField } from "../../../foundation/json/bad-field.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { freshAnswer } from "../fresh-answer.ts";

export interface SellingAdminDeps {
  // Null: nothing is sold.
  readonly selling: Selling | null;
  readonly cursors: Cursors;
}

function requireSelling({ selling }: SellingAdminDeps): Selling {
  if (selling === null)
    throw new Fault("not_found", "Nothing is sold here: set ATELIER_PAYMENTS_SECRET to turn it on.");
  return selling;
}

export function listPlansRoute(deps: SellingAdminDeps): Route<AdminCaller> {
  return route(operations.listPlans, async () =>
    freshAnswer(200, { data: (await requireSelling(deps).plans()).map(presentPlan) }),
  );
}

export function createPlanRoute(deps: SellingAdminDeps): Route<AdminCaller> {
  return route(operations.createPlan, async (incoming) => {
    const selling = requireSelling(deps);
    const wanted = requireValid(CreatePlan, await incoming.json());
    const terms = {
      name: wanted.name,
      kind: wanted.kind ?? "subscription",
      credits: readCredits(wanted.credits),
      priceMinor: BigInt(wanted.price_minor),
      currency: wanted.currency,
      priceId: wanted.price_id,
      rollsOver: wanted.rolls_over ?? true,
      checkoutUrl: readUrl(wanted.checkout_url ?? null),
    } as const;
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    return freshAnswer(201, presentPlan(await selling.createPlan(terms, by)));
  });
}

export function changePlanRoute(deps: SellingAdminDeps): Route<AdminCaller> {
  return route(operations.changePlan, async (incoming) => {
    const selling = requireSelling(deps);
    const id: PlanId = requireId(incoming.params["planId"], "There is no such plan.");
    const wanted = requireValid(ChangePlan, await incoming.json());
    const { name, currency } = wanted;
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(currency === undefined ? {} : { currency }),
      ...(wanted.credits === undefined ? {} : { credits: readCredits(wanted.credits) }),
      ...(wanted.price_minor === undefined ? {} : { priceMinor: BigInt(wanted.price_minor) }),
      ...(wanted.rolls_over === undefined ? {} : { rollsOver: wanted.rolls_over }),
      ...(wanted.checkout_url === undefined ? {} : { checkoutUrl: readUrl(wanted.checkout_url) }),
      ...(wanted.is_retired === undefined ? {} : { isRetired: wanted.is_retired }),
    };
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    return freshAnswer(200, presentPlan(await selling.changePlan(id, change, by)));
  });
}

function readCredits(text: string): bigint {
  const credits = parseCredits(text);
  if (credits === null || credits <= 0n) throw badField("credits", "must be an amount of credits above 0");
  return credits;
}

function readUrl(text: string | null): string | null {
  if (text !== null && URL.parse(text)?.protocol !== "https:")
    throw badField("checkout_url", "must be an https address");
  return text;
}

export function listPaymentsRoute(deps: SellingAdminDeps): Route<AdminCaller> {
  return route(operations.listPayments, async ({ query }) => {
    const selling = requireSelling(deps);
    const reader = new QueryReader(query);
    const [limit, cursor] = [reader.readLimit(), reader.readCursor()];
    const isWaiting = reader.read("waiting", readSwitch, "true or false") ?? false;
    reader.requireNoProblem();
    const purpose = `payments ${isWaiting}`;
    const position = cursor === undefined ? null : requirePosition(deps.cursors.read(purpose, cursor));
    const before = position && { at: position.at, id: requirePaymentId(position.rest) };
    const found = await selling.payments({ workspaceId: null, isWaiting, before, count: limit + 1 });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    const next = last ? deps.cursors.issue(purpose, [last.paidAt.toISOString(), last.id]) : null;
    return freshAnswer(200, pageBody(shown.map(presentPayment), next, limit));
  });
}

export function listPaymentEventsRoute(deps: SellingAdminDeps): Route<AdminCaller> {
  return route(operations.listPaymentEvents, async ({ query }) => {
    const selling = requireSelling(deps);
    const reader = new QueryReader(query);
    const [limit, cursor] = [reader.readLimit(), reader.readCursor()];
    const state = reader.read(
      "state",
      (text) => states.find((word) => word === text) ?? null,
      "stored, applied or ignored",
    );
    reader.requireNoProblem();
    const purpose = `payment events ${state ?? ""}`;
    const position = cursor === undefined ? null : requirePosition(deps.cursors.read(purpose, cursor));
    const before = position && { at: position.at, eventId: position.rest };
    const found = await selling.events({ state: state ?? null, before, count: limit + 1 });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    const next = last ? deps.cursors.issue(purpose, [last.receivedAt.toISOString(), last.eventId]) : null;
    return freshAnswer(200, pageBody(shown.map(presentEvent), next, limit));
  });
}

const states = ["stored", "applied", "ignored"] as const;
const readSwitch = (text: string) => (text === "true" ? true : text === "false" ? false : null);

function requirePosition(parts: readonly string[] | null) {
  const [at = "", rest = ""] = parts ?? [];
  const moment = new Date(at);
  if (rest === "" || Number.isNaN(moment.getTime())) throw refuseCursor();
  return { at: moment, rest };
}

function requirePaymentId(text: string) {
  const id = parseId<"payment">(text);
  if (id === null) throw refuseCursor();
  return id;
}

export function assignPaymentRoute(deps: SellingAdminDeps): Route<AdminCaller> {
  return route(operations.assignPayment, async (incoming) => {
    const selling = requireSelling(deps);
    const id = requireId<"payment">(incoming.params["paymentId"], "There is no such payment.");
    const { workspace_id } = requireValid(AssignPayment, await incoming.json());
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    return freshAnswer(200, presentPayment(await selling.assign(id, trustedId(workspace_id), by)));
  });
}

function presentPlan(plan: Plan): WirePlan {
  const { id, name, kind, currency, provider } = plan;
  return {
    ...{ id, name, kind, currency, provider },
    credits: creditsText(plan.credits),
    price_minor: Number(plan.priceMinor),
    price_id: plan.priceId,
    rolls_over: plan.rollsOver,
    checkout_url: plan.checkoutUrl,
    created_at: plan.createdAt.toISOString(),
    is_retired: plan.retiredAt !== null,
  };
}

function presentPayment(payment: Payment): WirePayment {
  const { id, provider, reference, customer, currency } = payment;
  return {
    ...{ id, provider, reference, customer, currency },
    workspace_id: payment.workspaceId,
    email: payment.document.customer.email,
    plan_id: payment.planId,
    paid_at: payment.paidAt.toISOString(),
    amount_minor: payment.amountMinor,
    refunded_minor: payment.refundedMinor,
    granted_at: payment.grantedAt?.toISOString() ?? null,
    credits: creditsText(payment.credits),
    taken_back: creditsText(payment.takenBack),
    expired: creditsText(payment.expired),
    owed: creditsText(payment.owed),
  };
}

function presentEvent({
  provider,
  eventId,
  type,
  madeAt,
  receivedAt,
  state,
  note,
  attempts,
}: StoredEvent): PaymentEvent {
  return {
    ...{ provider, type, state, note, attempts },
    event_id: eventId,
    made_at: madeAt.toISOString(),
    received_at: receivedAt.toISOString(),
  };
}
