// Selling credits through a payment provider. Off unless the operator set a secret: then all of these answer 404.
import { Type } from "typebox";
import { Invoice, InvoicePage, InvoiceQuery, PlanOverview } from "../../account/plans.ts";
import { headerName } from "../../headers.ts";
import { operationTable } from "../../operation.ts";
import {
  AssignPayment,
  ChangePlan,
  CreatePlan,
  Payment,
  PaymentEventPage,
  PaymentEventQuery,
  PaymentPage,
  PaymentQuery,
  Plan,
  PlanList,
  ReceivedEvent,
} from "../../operators/payments.ts";
import { Uuid } from "../../wire-values.ts";
import { answer, genericFaults, jsonBody, ofAccount, ofAdministration, rawAnswer } from "../answers.ts";

const fresh = [headerName.cacheControl];
const invoiceId = Type.Object({ invoiceId: Uuid });
const planId = Type.Object({ planId: Uuid });

export const sellingOperations = operationTable(ofAccount, {
  getPlans: {
    method: "GET",
    path: "/account/plans",
    summary: "Get the workspace's plan and the plans it can buy",
    description: "Answers 404 if the operator does not sell credits.",
    answers: { 200: answer(PlanOverview, "The plans.", fresh), ...genericFaults(404) },
  },
  listInvoices: {
    method: "GET",
    path: "/account/invoices",
    role: "billing",
    summary: "List the workspace's invoices",
    query: InvoiceQuery,
    answers: { 200: answer(InvoicePage, "One page.", fresh), ...genericFaults(404) },
  },
  getInvoice: {
    method: "GET",
    path: "/account/invoices/{invoiceId}",
    role: "billing",
    summary: "Get an invoice",
    params: invoiceId,
    answers: { 200: answer(Invoice, "The invoice.", fresh) },
  },
  getInvoicePdf: {
    method: "GET",
    path: "/account/invoices/{invoiceId}/pdf",
    role: "billing",
    summary: "Download an invoice as PDF",
    params: invoiceId,
    answers: {
      200: rawAnswer("application/pdf", "The invoice.", [headerName.cacheControl, headerName.contentDisposition]),
    },
  },
  receivePaymentEvent: {
    method: "POST",
    path: "/payments/events/{provider}",
    access: "public",
    summary: "Receive an event of the payment provider",
    description:
      "For the payment provider only, which signs the body. The event is stored by its id before it is answered; a repeated one changes nothing.",
    params: Type.Object({
      provider: Type.String({ minLength: 1, maxLength: 64, description: "The provider's name: stripe." }),
    }),
    body: jsonBody(Type.Unknown({ description: "The event." })),
    answers: { 200: answer(ReceivedEvent, "Stored.") },
  },
});

export const sellingAdministrationOperations = operationTable(ofAdministration, {
  listPlans: {
    method: "GET",
    path: "/admin/plans",
    summary: "List the plans that are sold",
    answers: { 200: answer(PlanList, "The plans."), ...genericFaults(404) },
  },
  createPlan: {
    method: "POST",
    path: "/admin/plans",
    summary: "Create a plan",
    description: "Payments that arrived before it and name its price get their credits now.",
    body: jsonBody(CreatePlan),
    answers: { 201: answer(Plan, "The plan."), ...genericFaults(404, 409) },
  },
  changePlan: {
    method: "PATCH",
    path: "/admin/plans/{planId}",
    summary: "Change or retire a plan",
    params: planId,
    body: jsonBody(ChangePlan),
    answers: { 200: answer(Plan, "The plan.") },
  },
  listPayments: {
    method: "GET",
    path: "/admin/payments",
    summary: "List payments",
    query: PaymentQuery,
    answers: { 200: answer(PaymentPage, "One page."), ...genericFaults(404) },
  },
  assignPayment: {
    method: "POST",
    path: "/admin/payments/{paymentId}/assign",
    summary: "Assign a payment to a workspace",
    description:
      "Later payments of the same customer go to the same workspace. Returns 409 if its credits were added already.",
    params: Type.Object({ paymentId: Uuid }),
    body: jsonBody(AssignPayment),
    answers: { 200: answer(Payment, "The payment."), ...genericFaults(409) },
  },
  listPaymentEvents: {
    method: "GET",
    path: "/admin/payments/events",
    summary: "List the payment provider's events",
    query: PaymentEventQuery,
    answers: { 200: answer(PaymentEventPage, "One page."), ...genericFaults(404) },
  },
});
