// A workspace's credits, in micro-credits.
export interface Wallet {
  readonly available: bigint;
  readonly held: bigint;
  readonly inFlight: number;
}
