// What a key may spend, and what it has spent.
// In micro-credits. Null means no cap.
export interface KeyCap {
  readonly day: bigint | null;
  readonly month: bigint | null;
  // Over its whole life. Null or absent for ordinary keys.
  readonly total?: bigint | null;
}

export interface KeySpending {
  // What ended calls have cost today and this month.
  readonly spentDay: bigint;
  readonly spentMonth: bigint;
  // Since it has a cap.
  readonly spentTotal: bigint;
  // The most that its open calls can still cost.
  readonly held: bigint;
}
