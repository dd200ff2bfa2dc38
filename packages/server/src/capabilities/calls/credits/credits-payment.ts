// Where a payment provider is plugged in (decisions, section 8: top-ups by an operator and by a payment hook). No
// provider is wired: an operator who sells credits writes a PaymentHook for the provider's notifications and mounts it.
//   1. `verify` is given the exact bytes and headers of a notification and proves its signature and age itself.
//   2. It answers what was paid, or null for whatever is not a proven payment: nothing moves then.
//   3. `acceptPayment` records it. The provider's own number of the payment is the transaction: notifications arrive more
//      than once, and the second one changes nothing.
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { type Credits, type Moved, transactionIdOf } from "./credits.ts";

export interface Payment {
  // The provider's own number of it, equal on every notification.
  readonly transactionId: string;
  readonly workspaceId: WorkspaceId;
  // Micro-credits.
  readonly amount: bigint;
}

export interface PaymentHook {
  // For the audit.
  readonly name: string;
  verify(bytes: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): Promise<Payment | null>;
}

// Null: not a payment, nothing was recorded.
export async function acceptPayment(
  deps: { readonly credits: Credits; readonly hook: PaymentHook },
  notification: { bytes: Buffer; headers: Readonly<Record<string, string | string[] | undefined>> },
): Promise<Moved | null> {
  const { hook, credits } = deps;
  const payment = await hook.verify(notification.bytes, notification.headers);
  if (payment === null || payment.amount <= 0n) return null;
  const { workspaceId, amount } = payment;
  const transactionId = transactionIdOf("fund", workspaceId, `payment ${hook.name} ${payment.transactionId}`);
  const by = { actor: { kind: "system", id: null, name: `payment ${hook.name}` } } as const;
  return credits.topUp({ transactionId, workspaceId, amount, note: `payment ${payment.transactionId}` }, by);
}
