// What a key may spend, and what it has spent.
// In micro-credits. Null means no cap.
export interface KeyCap {
  readonly day: bigint | null;
  readonly month: bigint | null;
}

export interface KeySpending {
  // What ended calls have cost today and this month.
  readonly spentDay: bigint;
  readonly spentMonth: bigint;
  // The most that its open calls can still cost.
  readonly held: bigint;
}
