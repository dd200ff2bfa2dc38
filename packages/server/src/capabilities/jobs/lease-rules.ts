// What a worker must know about its lease: how often to renew it, and after how long without a renewal it must assume that
// another worker has the job. It then kills its work and publishes nothing, before the lease expires for everyone else.
import { callPlannerSettings } from "../calls/index.ts";

export interface LeaseRules {
  readonly leaseSeconds: number;
  readonly heartbeatSeconds: number;
  // Monotonic time since the last answered heartbeat was sent.
  readonly selfFenceSeconds: number;
}

export function leaseRulesOf(leaseSeconds: number): LeaseRules {
  return {
    leaseSeconds,
    heartbeatSeconds: Math.max(0.2, leaseSeconds / 4.5),
    selfFenceSeconds: (leaseSeconds * 2) / 3,
  };
}

// Planner settings for the batched statements of jobs: the same as for calls, for the same reasons.
export const jobPlannerSettings = callPlannerSettings;
