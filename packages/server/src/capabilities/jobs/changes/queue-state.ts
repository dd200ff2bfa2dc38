// Whether a workspace's queue goes on, as operators and members see it.
export interface QueueState {
  readonly pausedAt: Date | null;
  readonly queued: number;
  readonly running: number;
}
