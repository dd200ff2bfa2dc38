// Moves credits for a payment, in the caller's transaction: the wallet, the journal, the audit and the payment's own row say the
// same or nothing happened. Each move's id comes from the payment and its number, so the journal refuses a second one of that number.
import type { Queryable } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Audit } from "../../audit/index.ts";
import { deriveTransactionId } from "../../calls/index.ts";
import { findWallet, fundWallet, withdrawFromWallet } from "../../calls/shared-sql.ts";
import type { Payment } from "../payment.ts";
import { countMoves, insertMove, type PaymentMove } from "../payment-store.ts";

export interface Granted extends Payment {
  readonly workspaceId: WorkspaceId;
}

export interface Moving {
  readonly audit: Pick<Audit, "append">;
  readonly now: Date;
}

export interface Move {
  readonly kind: PaymentMove["kind"];
  readonly amount: bigint;
  // Why, for people who read the audit.
  readonly reason: string;
}

const actor = { kind: "system", id: null, name: "payments" } as const;

export async function addCredits(tx: Queryable, moving: Moving, payment: Granted, move: Move): Promise<void> {
  if (move.amount <= 0n) return;
  const { workspaceId } = payment;
  const transactionId = deriveTransactionId("fund", workspaceId, await nameOf(tx, payment));
  if (!(await fundWallet(tx, { transactionId, workspaceId, amount: move.amount })))
    throw new Error(`the credits of payment ${payment.id} were moved before`);
  await note(tx, moving, payment, { ...move, transactionId, action: "credits.fund" });
}

// As much as is available and not held, and never more: a wallet does not go below zero. Returns what was taken.
export async function takeCredits(tx: Queryable, moving: Moving, payment: Granted, wanted: Move): Promise<bigint> {
  const { workspaceId } = payment;
  const { available } = await findWallet(tx, workspaceId);
  const amount = wanted.amount < available ? wanted.amount : available;
  if (amount <= 0n) return 0n;
  const transactionId = deriveTransactionId("withdraw", workspaceId, await nameOf(tx, payment));
  // Calls that began since the balance was read may have taken it: the next round takes what is left then.
  if (!(await withdrawFromWallet(tx, { transactionId, workspaceId, amount }))) return 0n;
  await note(tx, moving, payment, { ...wanted, amount, transactionId, action: "credits.withdraw" });
  return amount;
}

async function nameOf(tx: Queryable, { id, provider, reference }: Payment): Promise<string> {
  return `payment ${provider} ${reference} ${await countMoves(tx, id)}`;
}

async function note(
  tx: Queryable,
  { audit, now }: Moving,
  payment: Granted,
  { kind, amount, reason, transactionId, action }: Move & { readonly transactionId: string; readonly action: string },
): Promise<void> {
  await insertMove(tx, { transactionId, paymentId: payment.id, kind, amount, at: now });
  const subject = { kind: "credits", id: transactionId };
  const after = { amount: String(amount), reason };
  await audit.append(tx, { actor, action, subject, workspaceId: payment.workspaceId, after });
}
