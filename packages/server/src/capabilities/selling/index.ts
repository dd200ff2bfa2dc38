export type { InvoiceDocument } from "./invoice/invoice-document.ts";
export { invoicePdf } from "./invoice/invoice-pdf.ts";
export { lookAtPayments } from "./look-at-payments.ts";
export type { Payment, PaymentId, PaymentPosition } from "./payment.ts";
export type { EventPosition, StoredEvent } from "./payment-event.ts";
export type { Plan, PlanId, PlanTerms } from "./plan.ts";
export type { SeenSubscription } from "./reading/object-facts.ts";
export { createSelling, type PlanChange, type Selling, type SellingLook } from "./selling.ts";
