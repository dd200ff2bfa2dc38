// Where a payment provider plugs in (decisions, section 8: top-ups by an operator and by a payment hook). None is wired: an
// operator who sells credits writes a PaymentHook for the provider's notifications and mounts it.
//   1. `verify` gets the exact bytes and headers of a notification and checks its signature and age.
//   2. It returns what was paid, or null for anything that is not a proven payment. Then no credits move.
//   3. `acceptPayment` records the payment. The provider's payment number is the transaction id, so when a notification
//      arrives twice the second one changes nothing.
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { type Credits, deriveTransactionId, type Moved } from "./credits.ts";

export interface Payment {
  // The provider's number for the payment, the same in every notification.
  readonly transactionId: string;
  readonly workspaceId: WorkspaceId;
  // Micro-credits.
  readonly amount: bigint;
}

export interface PaymentHook {
  // Shown in the audit.
  readonly name: string;
  verify(bytes: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): Promise<Payment | null>;
}

// Null if it was not a payment; nothing was recorded.
export async function acceptPayment(
  deps: { readonly credits: Credits; readonly hook: PaymentHook },
  notification: { bytes: Buffer; headers: Readonly<Record<string, string | string[] | undefined>> },
): Promise<Moved | null> {
  const { hook, credits } = deps;
  const payment = await hook.verify(notification.bytes, notification.headers);
  if (payment === null || payment.amount <= 0n) return null;
  const { workspaceId, amount } = payment;
  const transactionId = deriveTransactionId("fund", workspaceId, `payment ${hook.name} ${payment.transactionId}`);
  const by = { actor: { kind: "system", id: null, name: `payment ${hook.name}` } } as const;
  return credits.topUp({ transactionId, workspaceId, amount, note: `payment ${payment.transactionId}` }, by);
}
