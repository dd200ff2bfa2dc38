// One example call for each operation on plans, invoices and payments.
import { randomUUID } from "node:crypto";
import { bearer } from "./app-client.ts";
import type { ExampleCall } from "./example-call.ts";
import { anInvoice, aPlan, aWaitingPayment, paidInvoice, signedEvent } from "./payment-events.ts";

const asKey = (path: string): ExampleCall => ({
  status: 200,
  make: ({ app }) => ({ path, headers: bearer(app.key) }),
});
const asAdmin = (path: string): ExampleCall => ({
  status: 200,
  make: ({ app }) => ({ path, headers: bearer(app.adminToken) }),
});
const invoice = (end: string): ExampleCall => ({
  status: 200,
  make: async ({ app }) => ({ path: `/account/invoices/${await anInvoice(app)}${end}`, headers: bearer(app.key) }),
});

export const sellingExamples: Readonly<Record<string, ExampleCall>> = {
  getPlans: asKey("/account/plans"),
  listInvoices: asKey("/account/invoices"),
  getInvoice: invoice(""),
  getInvoicePdf: invoice("/pdf"),
  receivePaymentEvent: {
    status: 200,
    make: async ({ app }) => signedEvent(paidInvoice("price_none", app.workspaceId)),
  },
  listPlans: asAdmin("/admin/plans"),
  createPlan: {
    status: 201,
    make: ({ app }) => ({
      method: "POST",
      path: "/admin/plans",
      headers: bearer(app.adminToken),
      body: { name: "Studio", credits: "1000", price_minor: 1900, currency: "eur", price_id: `price_${randomUUID()}` },
    }),
  },
  changePlan: {
    status: 200,
    make: async ({ app }) => ({
      method: "PATCH",
      path: `/admin/plans/${(await aPlan(app)).id}`,
      headers: bearer(app.adminToken),
      body: { name: "Studio, small", is_retired: true },
    }),
  },
  listPayments: asAdmin("/admin/payments?waiting=true"),
  listPaymentEvents: asAdmin("/admin/payments/events?state=applied"),
  assignPayment: {
    status: 200,
    make: async ({ app }) => ({
      method: "POST",
      path: `/admin/payments/${await aWaitingPayment(app)}/assign`,
      headers: bearer(app.adminToken),
      body: { workspace_id: app.workspaceId },
    }),
  },
};
