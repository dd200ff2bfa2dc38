// Credits outside calls: reading a wallet and its lines, and the three moves people make (top-up, withdrawal, refund). A
// move, its journal line and its audit entry are one transaction. Every move has a transaction id: repeating it with the
// same id changes nothing, and with another amount it is refused.
import { createHash } from "node:crypto";
import type { Acting, ChangeAudit } from "../../../foundation/database/acting.ts";
import { type Database, isUniqueViolation, type Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type Id, newId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { CallId } from "../call/call-opening.ts";
import { findCalls } from "../call/call-store.ts";
import { findWallet, fundWallet, refundCall, withdrawFromWallet } from "../ledger/ledger-store.ts";
import type { Wallet } from "../ledger/wallet.ts";
import { type CreditLine, type CreditPosition, findCreditLines, listCreditLines } from "./credits-store.ts";

export type TransactionId = Id<"credit-transaction">;

export interface CreditMove {
  readonly transactionId: TransactionId;
  readonly workspaceId: WorkspaceId;
  readonly amount: bigint;
  // The reason, kept in the audit.
  readonly note?: string | undefined;
}

export interface Moved {
  // False if the move was made before; nothing changed now.
  readonly isNew: boolean;
  readonly wallet: Wallet;
}

export interface Refunded {
  readonly workspaceId: WorkspaceId;
  readonly amount: bigint;
  readonly wallet: Wallet;
}

export interface CreditLinePage {
  readonly lines: readonly CreditLine[];
  readonly next: CreditPosition | null;
}

export interface Credits {
  wallet(workspaceId: WorkspaceId): Promise<Wallet>;
  // Lines that changed what the workspace owns.
  lines(query: { workspaceId: WorkspaceId; before: CreditPosition | null; limit: number }): Promise<CreditLinePage>;
  // Every line of one call or move.
  linesOf(query: { workspaceId: WorkspaceId; transactionId: string }): Promise<readonly CreditLine[]>;
  // The workspace must exist.
  topUp(move: CreditMove, by: Acting): Promise<Moved>;
  withdraw(move: CreditMove, by: Acting): Promise<Moved>;
  // Gives back what a call was charged, once. A second refund, or one for a free or open call, is a conflict.
  refund(callId: CallId, by: Acting & { readonly note?: string | undefined }): Promise<Refunded>;
}

export function createCredits(deps: { readonly database: Database; readonly audit: ChangeAudit }): Credits {
  const { database, audit } = deps;

  const note = (tx: Queryable, move: CreditMove, by: Acting, action: string) => {
    const { transactionId: id, workspaceId, amount, note: reason = null } = move;
    const after = { amount, reason };
    return audit.append(tx, { ...by, action, subject: { kind: "credits", id }, workspaceId, after });
  };

  async function requireSame(move: CreditMove, kind: CreditLine["kind"]): Promise<Moved | null> {
    const lines = await findCreditLines(database, move);
    const earlier = lines.find((line) => line.kind === kind);
    if (!earlier) return null;
    if (earlier.amount !== move.amount) {
      throw new Fault("conflict", "This Idempotency-Key was used with another amount. Use a new key.");
    }
    return { isNew: false, wallet: await findWallet(database, move.workspaceId) };
  }

  return {
    wallet: (workspaceId) => findWallet(database, workspaceId),
    async lines({ workspaceId, before, limit }) {
      const found = await listCreditLines(database, { workspaceId, before, count: limit + 1 });
      const lines = found.slice(0, limit);
      return { lines, next: found.length > limit ? (lines.at(-1)?.position ?? null) : null };
    },
    linesOf: (query) => findCreditLines(database, query),
    async topUp(move, by) {
      const wallet = await database.transaction(async (tx) => {
        if (!(await fundWallet(tx, move))) return null;
        await note(tx, move, by, "credits.fund");
        return findWallet(tx, move.workspaceId);
      });
      const moved = wallet === null ? await requireSame(move, "fund") : { isNew: true, wallet };
      // The id belongs to another workspace's move. deriveTransactionId cannot produce this.
      if (moved === null) throw new Fault("conflict", "This transaction id was used for another booking.");
      return moved;
    },
    async withdraw(move, by) {
      const wallet = await takeOnce(database, async (tx) => {
        if (!(await withdrawFromWallet(tx, move))) return null;
        await note(tx, move, by, "credits.withdraw");
        return findWallet(tx, move.workspaceId);
      });
      const moved = wallet === null ? await requireSame(move, "withdraw") : { isNew: true, wallet };
      if (moved === null) throw new Fault("conflict", "The workspace does not have that many credits available.");
      return moved;
    },
    async refund(callId, { note: reason = null, ...by }) {
      const [call] = await findCalls(database, [callId]);
      if (!call) throw new Fault("not_found", "There is no such call.");
      const { workspaceId } = call;
      return database.transaction(async (tx) => {
        const amount = await refundCall(tx, { callId, workspaceId });
        if (amount === null) {
          throw new Fault(
            "conflict",
            "There is nothing to refund: the call was free, is still open, or was already refunded.",
          );
        }
        const subject = { kind: "call", id: callId };
        await audit.append(tx, { ...by, action: "credits.refund", subject, workspaceId, after: { amount, reason } });
        return { workspaceId, amount, wallet: await findWallet(tx, workspaceId) };
      });
    },
  };
}

// Of two equal concurrent withdrawals, the journal's key lets one through; the other counts as its repeat.
async function takeOnce<T>(database: Database, run: (tx: Queryable) => Promise<T | null>): Promise<T | null> {
  try {
    return await database.transaction(run);
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

// How much a line changed what the workspace owns, available and held together.
export function changeOf({ kind, amount }: Pick<CreditLine, "kind" | "amount">): bigint {
  switch (kind) {
    case "fund":
    case "refund":
      return amount;
    case "settle":
    case "withdraw":
      return -amount;
    case "hold":
    case "release":
      return 0n;
  }
}

// Turns a caller's name for a move (an Idempotency-Key, a payment number) into a transaction id. Workspace and kind of move
// are part of the hash, so a name can never reach into another workspace. Without a name every move is new.
export function deriveTransactionId(
  kind: "fund" | "withdraw",
  workspaceId: WorkspaceId,
  name: string | null,
): TransactionId {
  if (name === null) return newId();
  const hex = createHash("sha256").update(`${kind} ${workspaceId} ${name}`).digest("hex");
  // UUID version 8: custom bits.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return trustedId(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  );
}
