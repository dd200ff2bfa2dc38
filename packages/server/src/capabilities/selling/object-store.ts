// The provider's objects as their newest events describe them, and which of them belong together.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { ProviderName } from "./plan.ts";
import type {
  ObjectFacts,
  PayableFacts,
  SeenObject,
  SeenSubscription,
  SubscriptionFacts,
} from "./reading/object-facts.ts";

// An older version changes nothing. What an older event knew and the newest one does not mention stays: who it belongs to does not
// change.
export async function putObject(tx: Queryable, provider: ProviderName, object: SeenObject): Promise<void> {
  await tx.execute(sql`
    insert into payment_objects as known (provider, object_id, kind, version, customer, subscription, invoice, payment_intent,
                                          charge, claims, facts)
    values (${provider}, ${object.objectId}, ${object.facts.kind}, ${object.version}::bigint, ${object.customer},
            ${object.subscription}, ${object.invoice}, ${object.paymentIntent}, ${object.charge}, ${object.claims},
            ${JSON.stringify(object.facts)}::jsonb)
    on conflict (provider, object_id) do update set
      customer = coalesce(known.customer, excluded.customer), subscription = coalesce(known.subscription, excluded.subscription),
      invoice = coalesce(known.invoice, excluded.invoice),
      payment_intent = coalesce(known.payment_intent, excluded.payment_intent),
      charge = coalesce(known.charge, excluded.charge), claims = coalesce(known.claims, excluded.claims),
      version = greatest(known.version, excluded.version),
      facts = case when excluded.version >= known.version then excluded.facts else known.facts end`);
}

export interface Payable extends Pick<SeenObject, "customer" | "subscription" | "claims" | "paymentIntent"> {
  readonly objectId: string;
  readonly reference: string;
  readonly facts: PayableFacts;
}

// Its invoice, if a checkout made one; else the payment itself.
const reference = sql`case p.kind when 'invoice' then p.object_id else coalesce(p.invoice, p.payment_intent, p.object_id) end`;

const payables = sql`
  select p.object_id, p.customer, p.subscription, p.claims, p.payment_intent, p.facts, ${reference} as reference
  from payment_objects p`;
const isPaid = sql`p.kind in ('invoice', 'checkout') and (p.facts->>'isPaid')::boolean`;

// The payments that a new state of an object may change: those that it names or that name it, and what the same customer paid and
// was not given yet or may still end.
export async function findConcerned(tx: Queryable, provider: ProviderName, objectId: string): Promise<string[]> {
  const rows = await tx.query<{ reference: string }>(sql`
    with o as (select * from payment_objects where provider = ${provider} and object_id = ${objectId}),
    intents as (
      select o.payment_intent as intent from o where o.payment_intent is not null
      union select c.payment_intent from payment_objects c join o on c.object_id = o.charge
        where c.provider = ${provider} and c.payment_intent is not null
    )
    select distinct ${reference} as reference from payment_objects p, o
    where p.provider = ${provider} and ${isPaid} and (
      p.object_id in (o.object_id, o.invoice)
      or p.payment_intent in (select intent from intents)
      or p.charge = o.charge
      or p.object_id in (select invoice from payment_objects where provider = ${provider} and (
           payment_intent in (select intent from intents) or charge = o.charge))
      or ((p.customer = o.customer or p.subscription = o.subscription) and not exists (
           select from payments where provider = ${provider} and payments.reference = ${reference}
             and granted_at is not null and (expires_at is null or ended_at is not null))))
    order by reference`);
  return rows.map((row) => row.reference);
}

// An invoice first: it lists what was bought.
export async function findPayables(tx: Queryable, provider: ProviderName, wanted: string): Promise<Payable[]> {
  const rows = await tx.query<RowOf<Payable>>(sql`
    ${payables}
    where p.provider = ${provider} and ${isPaid}
      and (p.object_id = ${wanted} or p.invoice = ${wanted} or p.payment_intent = ${wanted}) and ${reference} = ${wanted}
    order by p.kind desc, p.object_id`);
  return rows.map((row) => fromRow<Payable>(row));
}

// Payments for a price that had no plan.
export async function findPaidWithPrice(db: Queryable, provider: ProviderName, priceId: string): Promise<string[]> {
  const rows = await db.query<{ reference: string }>(sql`
    select distinct ${reference} as reference from payment_objects p
    where p.provider = ${provider} and ${isPaid} and p.facts->'items' @> ${JSON.stringify([{ price: priceId }])}::jsonb
      and not exists (select from payments where provider = ${provider} and payments.reference = ${reference}
        and granted_at is not null)`);
  return rows.map((row) => row.reference);
}

// Which workspace a payment is for: what it names itself, else its subscription, else its customer. The oldest claim wins.
export async function findClaim(tx: Queryable, provider: ProviderName, payable: Payable): Promise<WorkspaceId | null> {
  if (payable.claims !== null) return payable.claims;
  const { subscription, customer } = payable;
  const [row] = await tx.query<{ claims: WorkspaceId }>(sql`
    select claims from payment_objects
    where provider = ${provider} and claims is not null
      and (subscription = ${subscription}::text or customer = ${customer}::text)
    order by (subscription is not distinct from ${subscription}::text and subscription is not null) desc,
             version, object_id limit 1`);
  return row?.claims ?? null;
}

// An operator's word about a customer beats what its later objects say.
export async function claimCustomer(
  tx: Queryable,
  provider: ProviderName,
  claim: { readonly customer: string; readonly workspaceId: WorkspaceId },
): Promise<void> {
  const facts: ObjectFacts = { kind: "customer" };
  await tx.execute(sql`
    insert into payment_objects as known (provider, object_id, kind, version, customer, claims, facts)
    values (${provider}, ${claim.customer}, 'customer', 0, ${claim.customer}, ${claim.workspaceId},
            ${JSON.stringify(facts)}::jsonb)
    on conflict (provider, object_id) do update set claims = excluded.claims, customer = excluded.customer`);
}

export interface Reversal {
  // Of the payment's amount, in the same currency.
  readonly refunded: number;
  readonly disputed: number;
}

// What of a payment went back to the buyer, or is disputed: the sum over its charges.
export async function findReversal(
  tx: Queryable,
  provider: ProviderName,
  payment: { readonly reference: string },
): Promise<Reversal> {
  const [row] = await tx.query<{ refunded: string | null; disputed: string | null }>(sql`
    with intents as (
      select payment_intent as intent from payment_objects
      where provider = ${provider} and payment_intent is not null
        and (object_id = ${payment.reference} or invoice = ${payment.reference} or payment_intent = ${payment.reference})
    ), charges as (
      select c.object_id, c.facts from payment_objects c
      where c.provider = ${provider} and c.kind = 'charge' and (
        c.invoice = ${payment.reference} or c.payment_intent in (select intent from intents)
        or c.object_id in (select charge from payment_objects where provider = ${provider} and charge is not null
             and (object_id = ${payment.reference} or invoice = ${payment.reference})))
    ), disputes as (
      select d.facts from payment_objects d
      where d.provider = ${provider} and d.kind = 'dispute' and not (d.facts->>'isWon')::boolean and (
        d.payment_intent in (select intent from intents) or d.charge in (select object_id from charges)
        or d.charge in (select charge from payment_objects where provider = ${provider} and charge is not null
             and (object_id = ${payment.reference} or invoice = ${payment.reference})))
    )
    select (select sum((facts->>'refunded')::bigint) from charges) as refunded,
           (select sum((facts->>'amount')::bigint) from disputes) as disputed`);
  return { refunded: Number(row?.refunded ?? 0), disputed: Number(row?.disputed ?? 0) };
}

// The subscriptions that a workspace paid for. One that is only known from invoices is as its newest invoice says.
export async function findSubscriptions(db: Queryable, workspaceId: WorkspaceId): Promise<SeenSubscription[]> {
  const rows = await db.query<RowOf<SeenSubscription>>(sql`
    select paid.subscription as object_id, coalesce(o.facts, jsonb_build_object(
        'kind', 'subscription', 'status', 'active', 'endsWithPeriod', false,
        'prices', (select coalesce(jsonb_agg(item->'price'), '[]') from jsonb_array_elements(invoice.facts->'items') item),
        'from', invoice.facts->'items'->0->'from', 'until', invoice.facts->'items'->0->'until')) as facts
    from (
      select distinct on (provider, subscription) provider, subscription, reference, paid_at from payments
      where workspace_id = ${workspaceId} and subscription is not null order by provider, subscription, paid_at desc
    ) paid
      left join payment_objects o on o.provider = paid.provider and o.object_id = paid.subscription and o.kind = 'subscription'
      left join payment_objects invoice on invoice.provider = paid.provider and invoice.object_id = paid.reference
    order by paid.paid_at desc`);
  return rows.map((row) => fromRow<SeenSubscription>(row));
}

export async function findSubscription(
  db: Queryable,
  provider: ProviderName,
  objectId: string,
): Promise<SubscriptionFacts | null> {
  const [row] = await db.query<{ facts: SubscriptionFacts }>(sql`
    select facts from payment_objects where provider = ${provider} and object_id = ${objectId} and kind = 'subscription'`);
  return row?.facts ?? null;
}
