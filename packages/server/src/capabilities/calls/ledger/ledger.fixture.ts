// The arithmetic of credits without a database: what each move does to a wallet, as lines between accounts. A property test
// checks the store's statements against this model; credits are only moved, never created or lost. (The journal combines a
// call's moves into one line when it ends.)
export type Account = "funding" | "available" | "held" | "revenue" | "provider_cost" | "suspense";

export interface JournalLine {
  readonly kind: "fund" | "hold" | "settle" | "release" | "refund" | "withdraw" | "suspense";
  readonly debit: Account;
  readonly credit: Account;
  readonly amount: bigint;
}

export type Ledger = Readonly<Record<Account, bigint>>;

export const emptyLedger: Ledger = {
  funding: 0n,
  available: 0n,
  held: 0n,
  revenue: 0n,
  provider_cost: 0n,
  suspense: 0n,
};

export type Move =
  | { readonly kind: "fund"; readonly amount: bigint }
  | { readonly kind: "withdraw"; readonly amount: bigint }
  | { readonly kind: "hold"; readonly amount: bigint }
  // The charge is capped at the hold: we bear any cost beyond it.
  | { readonly kind: "finish"; readonly hold: bigint; readonly charge: bigint; readonly isUnknown: boolean }
  | { readonly kind: "refund"; readonly amount: bigint };

// Null if the wallet cannot afford it; nothing changes.
export function linesOf(ledger: Ledger, move: Move): readonly JournalLine[] | null {
  switch (move.kind) {
    case "fund":
      return line("fund", "funding", "available", move.amount);
    case "withdraw":
      return ledger.available < move.amount ? null : line("withdraw", "available", "funding", move.amount);
    case "hold":
      return ledger.available < move.amount ? null : line("hold", "available", "held", move.amount);
    case "finish": {
      const settled = move.charge < move.hold ? move.charge : move.hold;
      return [
        ...line("settle", "held", "revenue", settled),
        ...line("release", "held", "available", move.hold - settled),
        ...(move.isUnknown ? line("suspense", "provider_cost", "suspense", move.hold) : []),
      ];
    }
    case "refund":
      return line("refund", "revenue", "available", move.amount);
  }
}

export function catalog(ledger: Ledger, lines: readonly JournalLine[]): Ledger {
  const next: Record<Account, bigint> = { ...ledger };
  for (const { debit, credit, amount } of lines) {
    next[debit] -= amount;
    next[credit] += amount;
  }
  return next;
}

// Zero amounts get no line.
function line(kind: JournalLine["kind"], debit: Account, credit: Account, amount: bigint): JournalLine[] {
  return amount === 0n ? [] : [{ kind, debit, credit, amount }];
}
