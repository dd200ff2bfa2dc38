// Selling credits through a payment provider (docs/SELLING.md; decision 0050). An event is stored by its id before it is answered,
// and applied right after that or by a later round. The effect has its own key, the payment: the same payment never adds credits
// twice, in any order, with repeats and after crashes.
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault, orNotFound } from "../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { readForeignJson } from "../../foundation/json/foreign-json.ts";
import type { Log } from "../../foundation/log.ts";
import type { Secret } from "../../foundation/settings.ts";
import type { Audit } from "../audit/index.ts";
import { applyEvent } from "./apply-event.ts";
import {
  countUnapplied,
  findDueEvents,
  findEvent,
  forgetBodies,
  insertEvent,
  listEvents,
  postponeEvent,
} from "./event-store.ts";
import { claimCustomer, findPaidWithPrice, findSubscriptions } from "./object-store.ts";
import type { Payment, PaymentId } from "./payment.ts";
import type { EventName, StoredEvent } from "./payment-event.ts";
import {
  countWaiting,
  findDuePayments,
  findPayment,
  listPayments,
  savePayment,
  takePaymentsTurn,
} from "./payment-store.ts";
import { type Plan, type PlanId, type PlanTerms, type ProviderName, providerNames } from "./plan.ts";
import { insertPlan, listPlans, lockPlan, updatePlan } from "./plan-store.ts";
import type { SeenSubscription } from "./reading/object-facts.ts";
import { isSigned } from "./reading/payment-signature.ts";
import { readStripeEvent } from "./reading/read-stripe-event.ts";
import { type SettleDeps, settlePayment } from "./settling/settle-payment.ts";

export interface Selling {
  readonly graceMs: number;
  // Stores the event and applies it. An event with a known id is the same event, even if its bytes differ.
  receive(
    provider: string,
    sent: { readonly signature: string | undefined; readonly bytes: Buffer },
  ): Promise<{ readonly event: StoredEvent; readonly isNew: boolean }>;
  plans(): Promise<readonly Plan[]>;
  createPlan(terms: PlanTerms, by: Acting): Promise<Plan>;
  changePlan(id: PlanId, change: PlanChange, by: Acting): Promise<Plan>;
  // What a workspace pays for, newest first.
  subscriptions(workspaceId: WorkspaceId): Promise<readonly SeenSubscription[]>;
  payments(page: Parameters<typeof listPayments>[1]): Promise<readonly Payment[]>;
  // Of any workspace without one.
  payment(id: PaymentId, workspaceId?: WorkspaceId): Promise<Payment>;
  // Says whose a payment is, and every later one of its customer.
  assign(id: PaymentId, workspaceId: WorkspaceId, by: Acting): Promise<Payment>;
  events(page: Parameters<typeof listEvents>[1]): Promise<readonly StoredEvent[]>;
  // Applies what was left over, and ends what is over. Several processes may run it at once.
  round(signal?: AbortSignal): Promise<void>;
  look(): Promise<SellingLook>;
}

export interface SellingLook {
  readonly plans: number;
  // Payments that brought no credits yet.
  readonly waiting: number;
  // Events that could not be applied for ten minutes.
  readonly late: number;
  readonly lastEventAt: Date | null;
}

export interface PlanChange extends Partial<Omit<PlanTerms, "kind" | "priceId">> {
  readonly isRetired?: boolean;
}

export interface SellingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Pick<Audit, "append">;
  // The one that counts, and the one that it replaced.
  readonly secrets: readonly Secret[];
  readonly graceDays: number;
  hasWorkspace(tx: Queryable, id: WorkspaceId): Promise<boolean>;
}

const dayMs = 86_400_000;
const keepBodiesMs = 90 * dayMs;
const batch = 100;

export function createSelling(deps: SellingDeps): Selling {
  const { database, clock } = deps;
  const graceMs = deps.graceDays * dayMs;
  const settling = (): SettleDeps => ({ ...deps, graceMs, now: clock.now() });
  // Events of one process wait for each other here and not each with a connection at the database.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const ended = last.then(run, run);
    last = ended.catch(() => undefined);
    return ended;
  };
  const parts: Parts = { ...deps, settling, inTurn };
  return {
    graceMs,
    receive: (provider, sent) => receive(parts, provider, sent),
    plans: () => listPlans(database),
    createPlan: (terms, by) => createPlan(parts, terms, by),
    changePlan: (id, change, by) => changePlan(parts, id, change, by),
    subscriptions: (workspaceId) => findSubscriptions(database, workspaceId),
    payments: (page) => listPayments(database, page),
    async payment(id, workspaceId) {
      const payment = await findPayment(database, id, workspaceId === undefined ? {} : { workspaceId });
      if (payment === null) throw new Fault("not_found", "There is no such payment.");
      return payment;
    },
    assign: (id, workspaceId, by) => assign(parts, { id, workspaceId }, by),
    events: (page) => listEvents(database, page),
    async round(signal) {
      await applyDue(parts, signal);
      await settleDue(parts, signal);
      await forgetBodies(database, new Date(clock.now().getTime() - keepBodiesMs), 1_000);
    },
    async look() {
      const [plans, waiting, { late, lastAt }] = await Promise.all([
        listPlans(database),
        countWaiting(database),
        countUnapplied(database, new Date(clock.now().getTime() - 600_000)),
      ]);
      return { plans: plans.filter(({ retiredAt }) => retiredAt === null).length, waiting, late, lastEventAt: lastAt };
    },
  };
}

interface Parts extends SellingDeps {
  settling(): SettleDeps;
  inTurn<T>(run: () => Promise<T>): Promise<T>;
}

async function receive(
  parts: Parts,
  named: string,
  { signature, bytes }: { readonly signature: string | undefined; readonly bytes: Buffer },
) {
  const { database, clock, secrets } = parts;
  const provider = providerNames.find((name) => name === named);
  if (provider === undefined) throw new Fault("not_found", "There is no payment provider of this name.");
  const now = clock.now();
  const texts = secrets.map((secret) => secret.reveal());
  if (!isSigned(texts, { header: signature, bytes, nowMs: now.getTime() })) {
    throw new Fault(
      "invalid_request",
      "The signature does not match, or is older than five minutes. Check ATELIER_PAYMENTS_SECRET against the provider's endpoint, and this machine's clock.",
    );
  }
  const body = readForeignJson(bytes);
  const seen = readStripeEvent(body);
  if (seen === null) throw new Fault("invalid_request", "This is not an event: it has no id, type or time.");
  const name = { provider, eventId: seen.eventId };
  // Only what concerns payments is kept.
  const kept = seen.object === null ? null : body;
  const isNew = await insertEvent(database, { ...name, type: seen.type, madeAt: seen.madeAt, now, body: kept });
  if (kept !== null) await applyOrPostpone(parts, name);
  const event = await findEvent(database, name);
  if (event === null) throw new Error("an event that was just stored is missing");
  return { event, isNew };
}

// It is stored, so a failure here costs time and nothing else.
async function applyOrPostpone(parts: Parts, name: EventName): Promise<void> {
  const { database, log, clock } = parts;
  try {
    await parts.inTurn(() => applyEvent(database, parts.settling(), name, readStripeEvent));
  } catch (error) {
    log.error({ error, event: name.eventId }, "a payment event could not be applied; it is tried again");
    const note = "It could not be applied: see the server's log. It is tried again.";
    await postponeEvent(database, name, { note, now: clock.now() }).catch(() => undefined);
  }
}

async function applyDue(parts: Parts, signal?: AbortSignal): Promise<void> {
  // One that has just been stored is being applied by the process that received it.
  const due = await findDueEvents(parts.database, new Date(parts.clock.now().getTime() - 5_000), batch);
  for (const name of due) {
    if (signal?.aborted) return;
    await applyOrPostpone(parts, name);
  }
}

async function settleDue(parts: Parts, signal?: AbortSignal): Promise<void> {
  const { database, clock } = parts;
  for (const id of await findDuePayments(database, clock.now(), batch)) {
    if (signal?.aborted) return;
    const payment = await findPayment(database, id);
    if (payment !== null) await settleAlone(parts, payment);
  }
}

function settleAlone(parts: Parts, named: { readonly provider: ProviderName; readonly reference: string }) {
  return parts.database.transaction(async (tx) => {
    await takePaymentsTurn(tx);
    return settlePayment(tx, parts.settling(), named);
  });
}

async function createPlan(parts: Parts, terms: PlanTerms, by: Acting): Promise<Plan> {
  const { database, clock, audit } = parts;
  const plan: Plan = { ...terms, id: newId(), provider: "stripe", createdAt: clock.now(), retiredAt: null };
  await database.transaction(async (tx) => {
    if (!(await insertPlan(tx, plan))) throw new Fault("conflict", "Another plan has this price. Change that one.");
    await audit.append(tx, {
      ...by,
      action: "plan.create",
      subject: { kind: "plan", id: plan.id },
      after: audited(plan),
    });
  });
  // Payments may have arrived before the plan.
  for (const reference of await findPaidWithPrice(database, plan.provider, plan.priceId))
    await settleAlone(parts, { provider: plan.provider, reference });
  return plan;
}

async function changePlan(parts: Parts, id: PlanId, change: PlanChange, by: Acting): Promise<Plan> {
  const { database, clock, audit } = parts;
  const { isRetired, ...terms } = change;
  return database.transaction(async (tx) => {
    const plan = orNotFound(await lockPlan(tx, id), "There is no such plan.");
    const retiredAt = isRetired === undefined ? plan.retiredAt : isRetired ? (plan.retiredAt ?? clock.now()) : null;
    const changed: Plan = { ...plan, ...terms, retiredAt };
    await updatePlan(tx, changed);
    const [before, after] = [audited(plan), audited(changed)];
    await audit.append(tx, { ...by, action: "plan.change", subject: { kind: "plan", id }, before, after });
    return changed;
  });
}

const audited = ({ name, credits, priceMinor, currency, rollsOver, retiredAt }: Plan) => ({
  ...{ name, currency },
  credits: String(credits),
  price_minor: String(priceMinor),
  rolls_over: rollsOver,
  is_retired: retiredAt !== null,
});

async function assign(
  parts: Parts,
  { id, workspaceId }: { readonly id: PaymentId; readonly workspaceId: WorkspaceId },
  by: Acting,
): Promise<Payment> {
  const { database, audit, hasWorkspace } = parts;
  return database.transaction(async (tx) => {
    await takePaymentsTurn(tx);
    if (!(await hasWorkspace(tx, workspaceId))) throw new Fault("not_found", "There is no such workspace.");
    const payment = orNotFound(await findPayment(tx, id, { isLocked: true }), "There is no such payment.");
    if (payment.grantedAt !== null)
      throw new Fault(
        "conflict",
        "This payment's credits were added already. Move them with `atelier credits` instead.",
      );
    await savePayment(tx, { ...payment, workspaceId });
    const { provider, customer, reference } = payment;
    if (customer !== null) await claimCustomer(tx, provider, { customer, workspaceId });
    const subject = { kind: "payment", id };
    await audit.append(tx, { ...by, action: "payment.assign", subject, workspaceId, after: { reference } });
    const settled = await settlePayment(tx, parts.settling(), { provider, reference });
    return settled?.payment ?? payment;
  });
}
