// Decides which waiting worker gets which job: one that knows all its node classes, preferably one that has its models
// loaded. If a busy worker has the models we wait for it briefly and no longer; then any free worker takes the job.
import { isCovered, type JobNeeds, type WorkerOffer, warmth } from "../job-needs.ts";
import type { LaneCandidate } from "./lanes.ts";

export interface KnownCandidate extends LaneCandidate {
  readonly needs: JobNeeds | null;
  // When it was first passed over, on the monotonic clock. Null if never.
  readonly passedSinceMs: number | null;
}

export interface Asking<Owner> {
  readonly owner: Owner;
  readonly offer: WorkerOffer;
  readonly slots: number;
}

export interface Placing<Owner> {
  readonly candidates: readonly KnownCandidate[];
  readonly asking: readonly Asking<Owner>[];
  // Workers of this pool that are here but have no free slot.
  readonly busy: readonly WorkerOffer[];
  readonly nowMs: number;
}

export interface Placed<Owner> {
  readonly claims: readonly { readonly candidate: KnownCandidate; readonly owner: Owner }[];
  // No worker here takes them now.
  readonly passedOver: readonly KnownCandidate[];
  // No slot was left to try them.
  readonly untried: readonly KnownCandidate[];
}

// Loading a model takes longer than this; waiting longer would keep a free worker idle for nothing.
export const passOverMsMax = 2_000;

export function placeJobs<Owner>(placing: Placing<Owner>): Placed<Owner> {
  const free = placing.asking.map((one) => ({ ...one, left: one.slots }));
  const claims: { candidate: KnownCandidate; owner: Owner }[] = [];
  const passedOver: KnownCandidate[] = [];
  const untried: KnownCandidate[] = [];
  let left = free.reduce((sum, one) => sum + one.left, 0);
  for (const candidate of placing.candidates) {
    if (left === 0) {
      untried.push(candidate);
      continue;
    }
    const best = bestOf(free, candidate.needs);
    if (!best || isWorthWaiting(placing, best.offer, candidate)) {
      passedOver.push(candidate);
      continue;
    }
    best.left -= 1;
    left -= 1;
    claims.push({ candidate, owner: best.owner });
  }
  return { claims, passedOver, untried };
}

// The warmest worker; among equals the one with the most free slots, so that work spreads.
function bestOf<Owner>(
  free: readonly (Asking<Owner> & { left: number })[],
  needs: JobNeeds | null,
): (Asking<Owner> & { left: number }) | null {
  let best: (Asking<Owner> & { left: number }) | null = null;
  let bestWarmth = -1;
  for (const one of free) {
    if (one.left === 0 || !isCovered(one.offer, needs)) continue;
    const own = warmth(one.offer, needs);
    if (best === null || own > bestWarmth || (own === bestWarmth && one.left > best.left)) {
      best = one;
      bestWarmth = own;
    }
  }
  return best;
}

function isWorthWaiting<Owner>(placing: Placing<Owner>, offer: WorkerOffer, candidate: KnownCandidate): boolean {
  const { needs, passedSinceMs } = candidate;
  if (needs === null || needs.models.length === 0) return false;
  if (passedSinceMs !== null && placing.nowMs - passedSinceMs >= passOverMsMax) return false;
  const own = warmth(offer, needs);
  return placing.busy.some((other) => isCovered(other, needs) && warmth(other, needs) > own);
}
