// What a worker must know of its lease: how often to renew it, and after how long without a renewal it must believe that
// another worker has the job. It kills its work and publishes nothing then, before the lease is over for everybody.
import { callPlannerSettings } from "../calls/index.ts";

export interface LeaseRules {
  readonly leaseSeconds: number;
  readonly heartbeatSeconds: number;
  // Of monotonic time since the last heartbeat that was answered began.
  readonly selfFenceSeconds: number;
}

export function leaseRulesOf(leaseSeconds: number): LeaseRules {
  return {
    leaseSeconds,
    heartbeatSeconds: Math.max(0.2, leaseSeconds / 4.5),
    selfFenceSeconds: (leaseSeconds * 2) / 3,
  };
}

// How PostgreSQL must plan the batched statements of jobs: as those of calls, and for the same reasons.
export const jobPlannerSettings = callPlannerSettings;
