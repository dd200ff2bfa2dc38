// Events as the payment provider signs and sends them to a test app.
import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { type AppAnswer, type AppRequest, bearer, listOf, textOf } from "./app-client.ts";
import { paymentsSecret } from "./payments-secret.ts";
import type { TestApp } from "./test-app.ts";

export function signedEvent(event: object, at = new Date(), secret = paymentsSecret): AppRequest {
  const body = JSON.stringify(event);
  const seconds = Math.floor(at.getTime() / 1000);
  const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  const headers = { "content-type": "application/json", "stripe-signature": `t=${seconds},v1=${signature}` };
  return { method: "POST", path: "/payments/events/stripe", headers, body };
}

// A paid invoice of one month. Without a workspace it waits.
export function paidInvoice(price: string, workspaceId: string | null) {
  const name = randomUUID().slice(0, 8);
  const from = Math.floor(Date.now() / 1000) - 60;
  const line = { id: `il_${name}`, amount: 1900, currency: "eur", description: "1 × Studio", quantity: 1 };
  return {
    ...{ id: `evt_${name}`, object: "event", type: "invoice.paid", created: from, invoice: `in_${name}` },
    data: {
      object: {
        ...{ id: `in_${name}`, object: "invoice", currency: "eur", amount_paid: 2280, amount_remaining: 0 },
        ...{ customer: `cus_${name}`, customer_name: "Ada's Studio", customer_email: "ada@studio.example" },
        ...{ subscription: `sub_${name}`, number: `T-${name}`, subtotal: 1900, tax: 380, total: 2280 },
        lines: { data: [{ ...line, price: { id: price }, period: { start: from, end: from + 30 * 86_400 } }] },
        metadata: workspaceId === null ? {} : { workspace_id: workspaceId },
      },
    },
  };
}

export async function aPlan(app: TestApp, price = `price_${randomUUID()}`): Promise<{ id: string; price: string }> {
  const body = { name: "Studio", credits: "1000", price_minor: 1900, currency: "eur", price_id: price };
  const answer = await app.call({ method: "POST", path: "/admin/plans", headers: bearer(app.adminToken), body });
  assert.equal(answer.status, 201, answer.text);
  return { id: textOf(answer.json(), "id"), price };
}

// The id of an invoice that was paid for the workspace.
export async function anInvoice(app: TestApp, workspaceId = app.workspaceId): Promise<string> {
  const { price } = await aPlan(app);
  const event = paidInvoice(price, workspaceId);
  const sent = await app.call(signedEvent(event));
  assert.equal(sent.status, 200, sent.text);
  return idOf(await app.call({ path: "/admin/payments?limit=50", headers: bearer(app.adminToken) }), event.invoice);
}

// The id of a payment that is not assigned.
export async function aWaitingPayment(app: TestApp): Promise<string> {
  const { price } = await aPlan(app);
  const event = paidInvoice(price, null);
  await app.call(signedEvent(event));
  const path = "/admin/payments?waiting=true&limit=50";
  return idOf(await app.call({ path, headers: bearer(app.adminToken) }), event.invoice);
}

function idOf(answer: AppAnswer, reference: string): string {
  const found = listOf(answer.json(), "data").find((each) => textOf(each, "reference") === reference);
  assert.ok(found, answer.text);
  return textOf(found, "id");
}
