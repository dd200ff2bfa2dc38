// Stripe's events in our words. Its API changed shape over the years (a line's price, an invoice's subscription, a period's end have
// moved), and an account chooses its version, so each value is looked up in both places.
import { isUuid, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import { at, idAt, integerAt, listAt, textAt } from "./json-path.ts";
import type { ObjectFacts, PaidItem, SeenEvent, SeenObject, SubscriptionFacts } from "./object-facts.ts";
import { readCheckoutDocument, readInvoiceDocument, readLines } from "./read-document.ts";

// Null: this is not an event.
export function readStripeEvent(value: unknown): SeenEvent | null {
  const eventId = textAt(value, "id");
  const type = textAt(value, "type");
  const created = integerAt(value, "created");
  if (eventId === null || type === null || created === null || eventId.length > 255 || type.length > 255) return null;
  const read = readers.find(([pattern]) => pattern.test(type))?.[1];
  const object = at(value, "data", "object");
  const objectId = textAt(object, "id");
  const found = read === undefined || objectId === null ? null : read({ object, type, created });
  return {
    eventId,
    type,
    madeAt: new Date(created * 1000),
    object: found && { ...relationsOf(object), ...found, objectId: objectId ?? "" },
  };
}

interface Sent {
  readonly object: unknown;
  readonly type: string;
  readonly created: number;
}
type Found = Pick<SeenObject, "version" | "facts"> & Partial<Omit<SeenObject, "version" | "facts" | "objectId">>;

const readers: readonly (readonly [RegExp, (sent: Sent) => Found | null])[] = [
  [/^invoice\.(paid|payment_succeeded|payment_failed)$/, readInvoice],
  [/^checkout\.session\.(completed|async_payment_succeeded|async_payment_failed)$/, readCheckout],
  [/^customer\.subscription\./, readSubscription],
  [/^charge\.refunded$/, readCharge],
  [/^charge\.dispute\.(created|updated|closed|funds_withdrawn|funds_reinstated)$/, readDispute],
  [/^invoice_payment\.paid$/, readInvoicePayment],
  [/^customer\.(created|updated)$/, readCustomer],
];

// What is final beats what is not, then the later second, then the later step within it.
const versionOf = (isFinal: boolean, seconds: number, step = 0) => (isFinal ? 1e13 : 0) + seconds * 100 + step;

function relationsOf(object: unknown): Omit<SeenObject, "objectId" | "version" | "facts"> {
  return {
    customer: idAt(object, "customer"),
    subscription: idAt(object, "subscription") ?? idAt(object, "parent", "subscription_details", "subscription"),
    invoice: idAt(object, "invoice"),
    paymentIntent: idAt(object, "payment_intent"),
    charge: idAt(object, "charge"),
    claims: claimOf(
      textAt(object, "client_reference_id"),
      textAt(object, "metadata", "workspace_id"),
      textAt(object, "subscription_details", "metadata", "workspace_id"),
      textAt(object, "parent", "subscription_details", "metadata", "workspace_id"),
    ),
  };
}

function claimOf(...texts: readonly (string | null)[]): WorkspaceId | null {
  const found = texts.find((text) => text !== null && isUuid(text));
  return found ? trustedId(found) : null;
}

function readInvoice({ object, type, created }: Sent): Found | null {
  const currency = textAt(object, "currency");
  if (currency === null) return null;
  const isPaid = type !== "invoice.payment_failed" && (integerAt(object, "amount_remaining") ?? 0) <= 0;
  const paidAt = integerAt(object, "status_transitions", "paid_at") ?? created;
  const items = readLines(object).flatMap((line): PaidItem[] => {
    // A change of plan in the middle of a period is the provider's arithmetic; a trial costs nothing and brings nothing.
    if (line.isProration || line.price === null || line.amount <= 0) return [];
    return [{ price: line.price, quantity: line.quantity ?? 1, from: line.from, until: line.until }];
  });
  const document = readInvoiceDocument(object);
  return { version: versionOf(isPaid, created), facts: { kind: "invoice", isPaid, paidAt, currency, items, document } };
}

function readCheckout({ object, created }: Sent): Found | null {
  const mode = textAt(object, "mode");
  const isPaid = mode === "payment" && textAt(object, "payment_status") === "paid";
  // The event does not list what was bought, so the operator names the price where the page is made.
  const price = textAt(object, "metadata", "price_id");
  const items = price === null ? [] : [{ price, quantity: 1, from: null, until: null }];
  return {
    version: versionOf(isPaid, created),
    facts: {
      ...{ kind: "checkout", isPaid, paidAt: created, items },
      currency: textAt(object, "currency") ?? "",
      document: readCheckoutDocument(object),
    },
  };
}

const statusSteps = ["incomplete", "trialing", "active", "past_due", "unpaid", "paused", "incomplete_expired"];

function readSubscription({ object, type, created }: Sent): Found {
  const [item] = listAt(object, "items", "data");
  const status = type.endsWith(".deleted") ? "canceled" : (textAt(object, "status") ?? "incomplete");
  const step = (type.endsWith(".created") ? 0 : 20) + Math.max(0, statusSteps.indexOf(status));
  const facts: SubscriptionFacts = {
    kind: "subscription",
    status,
    prices: listAt(object, "items", "data").flatMap((each) => idAt(each, "price") ?? []),
    from: integerAt(object, "current_period_start") ?? integerAt(item, "current_period_start"),
    until: integerAt(object, "current_period_end") ?? integerAt(item, "current_period_end"),
    endsWithPeriod: at(object, "cancel_at_period_end") === true,
  };
  return { version: versionOf(status === "canceled", created, step), subscription: textAt(object, "id"), facts };
}

function readCharge({ object }: Sent): Found | null {
  const [amount, refunded] = [integerAt(object, "amount"), integerAt(object, "amount_refunded")];
  // What was refunded is the sum of all refunds, so the larger one is the newer one.
  if (amount === null || refunded === null || amount <= 0) return null;
  return { version: refunded, charge: textAt(object, "id"), facts: { kind: "charge", amount, refunded } };
}

function readDispute({ object, created }: Sent): Found {
  const status = textAt(object, "status") ?? "";
  const isWon = status === "won" || status === "warning_closed";
  // An inquiry has taken no money yet.
  const amount = status.startsWith("warning_") ? 0 : (integerAt(object, "amount") ?? 0);
  const facts: ObjectFacts = { kind: "dispute", amount, isWon };
  return { version: versionOf(isWon || status === "lost", created), facts };
}

// Newer versions name an invoice and its payment only here.
function readInvoicePayment({ object, created }: Sent): Found {
  const paymentIntent = idAt(object, "payment", "payment_intent");
  const charge = idAt(object, "payment", "charge");
  return { version: versionOf(false, created), paymentIntent, charge, facts: { kind: "invoice_payment" } };
}

function readCustomer({ object, created }: Sent): Found {
  return { version: versionOf(false, created), customer: textAt(object, "id"), facts: { kind: "customer" } };
}
