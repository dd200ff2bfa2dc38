// What we keep of a provider's object, in our own words. Every kind is a state, not a step, so events may come in any order: the
// one with the highest version says how the object is now.
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { InvoiceDocument } from "../invoice/invoice-document.ts";

export interface SeenObject {
  readonly objectId: string;
  readonly version: number;
  readonly customer: string | null;
  readonly subscription: string | null;
  readonly invoice: string | null;
  readonly paymentIntent: string | null;
  readonly charge: string | null;
  readonly claims: WorkspaceId | null;
  readonly facts: ObjectFacts;
}

export type ObjectFacts =
  | PayableFacts
  | SubscriptionFacts
  | { readonly kind: "charge"; readonly amount: number; readonly refunded: number }
  // Money that the buyer's bank took back, for now or for good.
  | { readonly kind: "dispute"; readonly amount: number; readonly isWon: boolean }
  | { readonly kind: "invoice_payment" }
  | { readonly kind: "customer" };

export interface PayableFacts {
  readonly kind: "invoice" | "checkout";
  readonly isPaid: boolean;
  // In seconds, as the provider counts.
  readonly paidAt: number;
  readonly currency: string;
  readonly items: readonly PaidItem[];
  readonly document: InvoiceDocument;
}

export interface PaidItem {
  readonly price: string;
  readonly quantity: number;
  // Null for what is bought once.
  readonly from: number | null;
  readonly until: number | null;
}

export interface SubscriptionFacts {
  readonly kind: "subscription";
  readonly status: string;
  readonly prices: readonly string[];
  readonly from: number | null;
  readonly until: number | null;
  readonly endsWithPeriod: boolean;
}

export interface SeenSubscription {
  readonly objectId: string;
  readonly facts: SubscriptionFacts;
}

export interface SeenEvent {
  readonly eventId: string;
  readonly type: string;
  readonly madeAt: Date;
  // Null: nothing that concerns us.
  readonly object: SeenObject | null;
}
