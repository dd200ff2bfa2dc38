// Jobs that no waiting worker could take when their turn came. They are set aside so that the ones behind them can run. A
// few are kept here and tried first when a worker asks. For the rest we remember only what they need: looks at the lanes
// leave those needs out until a worker can run them, and then start over.

import type { JobId } from "../job.ts";
import { isCovered, type JobNeeds, type WorkerOffer } from "../job-needs.ts";
import { type KnownCandidate, passOverMsMax } from "./place-jobs.ts";

export interface Shelf {
  // Sets aside jobs that were passed over. If no offer covers their needs, looks leave those needs out from now on.
  put(passedOver: readonly KnownCandidate[], offers: readonly WorkerOffer[], nowMs: number): void;
  // Removes and returns everything that one of the offers covers, oldest first.
  take(offers: readonly WorkerOffer[]): KnownCandidate[];
  has(jobId: JobId): boolean;
  // The needs that looks leave out.
  leftOut(): string[];
  // True if a worker can now run something that looks left out; then they must start over.
  admit(offers: readonly WorkerOffer[]): boolean;
  // When the first of them no longer has to wait for a worker with its models.
  nextDueMs(): number | null;
}

const keptMax = 256;
const leftOutMax = 500;

export function createShelf(): Shelf {
  const kept = new Map<JobId, KnownCandidate>();
  const left = new Map<string, JobNeeds>();

  const covers = (offers: readonly WorkerOffer[], needs: JobNeeds | null) =>
    offers.some((offer) => isCovered(offer, needs));

  return {
    put(passedOver, offers, nowMs) {
      for (const candidate of passedOver) {
        const { needs, needsId } = candidate;
        if (needs !== null && typeof needsId === "string" && !covers(offers, needs) && left.size < leftOutMax) {
          left.set(needsId, needs);
        }
        // A job that does not fit here is found again by a look.
        if (kept.size < keptMax)
          kept.set(candidate.jobId, { ...candidate, passedSinceMs: candidate.passedSinceMs ?? nowMs });
      }
    },
    take(offers) {
      const taken = [...kept.values()].filter(({ needs }) => covers(offers, needs));
      for (const { jobId } of taken) kept.delete(jobId);
      return taken;
    },
    has: (jobId) => kept.has(jobId),
    leftOut: () => [...left.keys()],
    admit(offers) {
      let isAdmitted = false;
      for (const [needsId, needs] of left) {
        if (!covers(offers, needs)) continue;
        left.delete(needsId);
        isAdmitted = true;
      }
      return isAdmitted;
    },
    nextDueMs() {
      let due: number | null = null;
      for (const { needsId, passedSinceMs } of kept.values()) {
        if (passedSinceMs === null || (typeof needsId === "string" && left.has(needsId))) continue;
        due = Math.min(due ?? Number.POSITIVE_INFINITY, passedSinceMs + passOverMsMax);
      }
      return due;
    },
  };
}
