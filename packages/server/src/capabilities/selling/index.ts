export { invoicePdf } from "./invoice/invoice-pdf.ts";
export { lookAtPayments } from "./look-at-payments.ts";
export type { Payment, PaymentId } from "./payment.ts";
export type { StoredEvent } from "./payment-event.ts";
export type { Plan, PlanId } from "./plan.ts";
export type { SeenSubscription } from "./reading/object-facts.ts";
export { createSelling, type Selling } from "./selling.ts";
