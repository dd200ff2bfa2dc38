// `atelier payments`: what was paid, what the payment provider said, and whose it is.
import type { CommandResult } from "@atelier/server/commands";
import { take } from "../files/take.ts";
import { type Asked, asOperator, readAnswer, walkPages } from "../server/over-http.ts";
import { moneyText } from "./money.ts";

interface Payment {
  readonly id: string;
  readonly reference: string;
  readonly workspace_id: string | null;
  readonly customer: string | null;
  readonly email: string | null;
  readonly paid_at: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly granted_at: string | null;
  readonly credits: string;
}

interface PaymentEvent {
  readonly event_id: string;
  readonly type: string;
  readonly received_at: string;
  readonly state: string;
  readonly note: string | null;
}

export const paymentsCommand = asOperator({ ls: list, events: listEvents, assign });

function read<Entry>({ call, atelier }: Asked, path: string, query: Readonly<Record<string, string | undefined>>) {
  const limit = call.whole("limit", 1, 10_000) ?? 50;
  return take(walkPages<Entry>(atelier, path, { ...query, limit: Math.min(limit, 100) }), limit);
}

async function list(asked: Asked): Promise<CommandResult> {
  const data = await read<Payment>(asked, "/admin/payments", {
    waiting: asked.call.has("waiting") ? "true" : undefined,
  });
  const rows = data.map((payment) => [
    ...[new Date(payment.paid_at), moneyText(payment.amount_minor, payment.currency)],
    ...[payment.granted_at === null ? "waits" : payment.credits, payment.workspace_id ?? "not assigned"],
    ...[payment.email ?? payment.customer, payment.reference, payment.id],
  ]);
  const columns = ["paid", "amount", "credits", "workspace", "customer", "reference", "id"];
  return { data, text: { columns, rows, empty: "No payments." } };
}

async function listEvents(asked: Asked): Promise<CommandResult> {
  const data = await read<PaymentEvent>(asked, "/admin/payments/events", { state: asked.call.text("state") });
  const rows = data.map(({ received_at, type, state, note, event_id }) => [
    new Date(received_at),
    type,
    state,
    note,
    event_id,
  ]);
  return { data, text: { columns: ["received", "type", "state", "note", "id"], rows, empty: "No events." } };
}

async function assign({ call, atelier }: Asked): Promise<CommandResult> {
  const [id = "", workspaceId = ""] = call.words;
  const json = { workspace_id: workspaceId };
  const path = `/admin/payments/${encodeURIComponent(id)}/assign`;
  const data = await readAnswer<Payment>(atelier.request(path, { method: "POST", json }));
  const text =
    data.granted_at === null
      ? "Assigned. No plan has its price yet, so no credits were added: atelier plans create"
      : `Assigned: ${data.credits} credits were added.`;
  return { data, text };
}
