// A process that starts and stops workers of a pool, as it last reported.
export interface PoolScaler {
  readonly id: string;
  readonly name: string;
  readonly workersMin: number;
  readonly workersMax: number;
  readonly workersWanted: number;
  readonly running: number;
  readonly starting: number;
  readonly draining: number;
  // Why the newest start failed. Null if none has since one succeeded.
  readonly failure: ScalerFailure | null;
  readonly seenAt: Date;
}

export interface ScalerFailure {
  readonly at: string;
  readonly message: string;
  readonly lines: readonly string[];
  readonly retryAt: string;
}
