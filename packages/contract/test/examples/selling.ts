// Plans, invoices and payments; and a workspace's move to another server.
import { type Example, otherUuid, time, uuid } from "./example.ts";

const offer = {
  id: uuid,
  name: "Studio",
  kind: "subscription",
  credits: "2000",
  price_minor: 1900,
  currency: "eur",
  rolls_over: false,
  checkout_url: `https://payments.example/buy/studio?client_reference_id=${otherUuid}`,
};
const current = {
  subscription: "sub_1",
  plan_id: uuid,
  name: "Studio",
  state: "grace",
  period_end: time,
  grace_until: time,
};
const invoice = {
  id: uuid,
  number: "AT-0001",
  paid_at: time,
  plan: "Studio",
  credits: "2000",
  currency: "eur",
  customer: { name: "Ada's Studio", email: "ada@studio.example", address: ["1010 Wien"], tax_ids: ["ATU12345678"] },
  lines: [{ text: "1 × Studio", quantity: 1, amount_minor: 1900 }],
  subtotal_minor: 1900,
  discount_minor: null,
  taxes: [{ label: "VAT", amount_minor: 380 }],
  total_minor: 2280,
  paid_minor: 2280,
  refunded_minor: 0,
  provider_url: null,
};
const plan = {
  ...{ id: uuid, name: "Studio", kind: "once", credits: "2000", price_minor: 1900, currency: "eur" },
  ...{ provider: "stripe", price_id: "price_studio", rolls_over: true, checkout_url: null, created_at: time },
  is_retired: false,
};
const payment = {
  ...{
    id: uuid,
    provider: "stripe",
    reference: "in_1",
    workspace_id: null,
    customer: "cus_1",
    email: null,
    plan_id: null,
  },
  ...{ paid_at: time, amount_minor: 2280, refunded_minor: 0, currency: "eur", granted_at: null },
  ...{ credits: "0", taken_back: "0", expired: "0", owed: "0" },
};
const event = {
  ...{ provider: "stripe", event_id: "evt_1", type: "invoice.paid", made_at: time, received_at: time },
  ...{ state: "applied", note: null, attempts: 0 },
};
const page = { has_more: false, limit: 20 };

export const sellingExamples: Record<string, Example> = {
  WorkspaceMove: {
    good: { state: "moving", moved_to: "https://other.example", since: time, open: { "job(s)": 2 } },
    broken: { state: "gone", moved_to: "ftp://other.example", since: "today", open: { "job(s)": "two" } },
  },
  MoveWorkspace: {
    good: { moved_to: "https://other.example", is_done: true },
    broken: { moved_to: "other.example", is_done: "yes" },
  },
  PlanOffer: {
    good: offer,
    broken: { id: "1", name: 1, kind: "yearly", credits: 2000, price_minor: 0.5, currency: "EUR", rolls_over: "no" },
  },
  CurrentPlan: { good: current, broken: { plan_id: "x", name: null, state: "paid", period_end: 1, grace_until: 1 } },
  PlanOverview: { good: { current: [current], offers: [offer] }, broken: { current: null, offers: [{}] } },
  Invoice: {
    good: invoice,
    broken: { id: "1", credits: 1, customer: {}, lines: [{}], taxes: null, total_minor: "22.80", currency: "euro" },
  },
  InvoicePage: { good: { data: [invoice], ...page }, broken: { data: [{}], limit: 0 } },
  CreatePlan: {
    good: {
      ...{ name: "Studio", kind: "subscription", credits: "2000", price_minor: 1900, currency: "eur" },
      ...{ price_id: "price_studio", rolls_over: true, checkout_url: null },
    },
    broken: {
      ...{ name: " ", kind: "free", credits: "0", price_minor: -1, currency: "e", price_id: "a price", rolls_over: 1 },
      checkout_url: "http://payments.example",
    },
  },
  ChangePlan: {
    good: { name: "Studio", credits: "1", price_minor: 0, currency: "usd", rolls_over: false, is_retired: true },
    broken: { name: "", credits: "-1", price_minor: 1.5, is_retired: "yes", checkout_url: "javascript:1" },
  },
  Plan: { good: plan, broken: { id: "1", kind: "x", credits: 1, created_at: "today", is_retired: null } },
  PlanList: { good: { data: [plan] }, broken: { data: [{}] } },
  Payment: { good: payment, broken: { id: "1", workspace_id: "x", owed: "-1", credits: 0, paid_at: null } },
  PaymentPage: { good: { data: [payment], ...page }, broken: { data: [{}], limit: 0 } },
  AssignPayment: { good: { workspace_id: uuid }, broken: { workspace_id: "mine" } },
  PaymentEvent: { good: event, broken: { event_id: 1, state: "new", attempts: -1, made_at: "now" } },
  PaymentEventPage: { good: { data: [event], ...page }, broken: { data: [{}], limit: 0 } },
  ReceivedEvent: { good: { event_id: "evt_1", state: "stored" }, broken: { event_id: null, state: "new" } },
};
