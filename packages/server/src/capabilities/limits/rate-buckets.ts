// The buckets of one process, and how they are merged with those of the others. Once a second each process adds what it
// admitted to the shared buckets and reads how far they are spent (decisions, section 3: "kept per process and exchanged
// each second"). Admitting never waits for the database.
// In the long run all processes together admit exactly the rate. Within the first second of a burst each may admit up to a
// whole bucket, because it cannot know of the others yet; the excess is paid back by waiting.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Clock } from "../../foundation/clock.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { RateFamily } from "./limit-names.ts";
import { intervalMs, type Rate, spend, type Verdict } from "./rate.ts";

// What a process adds to a shared bucket, in bucket time. The first of it was admitted `sinceMs` ago.
export interface Spending {
  readonly workspaceId: WorkspaceId;
  readonly family: RateFamily;
  readonly spentMs: number;
  readonly sinceMs: number;
}

// How far ahead of now a shared bucket is spent.
export interface SharedBucket {
  readonly workspaceId: WorkspaceId;
  readonly family: RateFamily;
  readonly aheadMs: number;
}

export interface SharedBuckets {
  readonly buckets: readonly SharedBucket[];
  // No bucket missing from the list is spent further than this. Infinity if not looked up.
  readonly othersAheadMsMax: number;
}

export type Exchange = (spendings: readonly Spending[]) => Promise<SharedBuckets>;

export interface RateBuckets {
  admit(workspaceId: WorkspaceId, family: RateFamily, rate: Rate): Verdict;
  exchange(): Promise<void>;
  size(): number;
}

interface Bucket {
  readonly workspaceId: WorkspaceId;
  readonly family: RateFamily;
  // The rate at which it was last spent; 0 if not spent here yet.
  perMinute: number;
  spentUntilMs: number;
  // Admitted here and not yet reported to the others.
  unsharedMs: number;
  unsharedFromMs: number;
}

const bucketsMaxDefault = 100_000;
// A process that admits nothing needs no exchange.
const idleAfterMs = 60_000;

export interface RateBucketsOptions {
  readonly clock: Clock;
  readonly share: Exchange;
  readonly bucketsMax?: number;
}

export function createRateBuckets({ clock, share, bucketsMax = bucketsMaxDefault }: RateBucketsOptions): RateBuckets {
  const buckets = new BoundedMap<string, Bucket>(bucketsMax);
  let lastAdmittedMs = Number.NEGATIVE_INFINITY;

  function bucketOf(workspaceId: WorkspaceId, family: RateFamily): Bucket {
    const key = `${family} ${workspaceId}`;
    const known = buckets.get(key);
    if (known) return known;
    const fresh = { workspaceId, family, perMinute: 0, spentUntilMs: 0, unsharedMs: 0, unsharedFromMs: 0 };
    buckets.set(key, fresh);
    return fresh;
  }

  function forgetDrained(nowMs: number): void {
    for (const [key, bucket] of buckets) {
      // A bucket that is not spent beyond now means the same as no bucket.
      if (bucket.spentUntilMs <= nowMs && bucket.unsharedMs === 0) buckets.delete(key);
    }
  }

  return {
    size: () => buckets.size,
    admit(workspaceId, family, rate) {
      const nowMs = clock.monotonicMs();
      const bucket = bucketOf(workspaceId, family);
      if (rate.perMinute > bucket.perMinute && bucket.perMinute > 0)
        shrink(bucket, nowMs, bucket.perMinute / rate.perMinute);
      bucket.perMinute = rate.perMinute;
      const verdict = spend(bucket.spentUntilMs, nowMs, rate);
      lastAdmittedMs = nowMs;
      if (!verdict.admitted) return verdict;
      if (bucket.unsharedMs === 0) bucket.unsharedFromMs = nowMs;
      bucket.unsharedMs += intervalMs(rate);
      bucket.spentUntilMs = verdict.spentUntilMs;
      return verdict;
    },
    async exchange() {
      const sentMs = clock.monotonicMs();
      forgetDrained(sentMs);
      if (sentMs - lastAdmittedMs > idleAfterMs) return;
      const exchanged = [...buckets.values()]
        .filter((bucket) => bucket.unsharedMs > 0)
        .map((bucket) => take(bucket, sentMs));
      const { buckets: shared, othersAheadMsMax } = await share(exchanged.map(({ spending }) => spending)).catch(
        (thrown: unknown) => {
          // The report failed, so it goes along with the next exchange.
          for (const { bucket, spending, fromMs } of exchanged) putBack(bucket, spending, fromMs);
          throw thrown;
        },
      );
      // The shared state decides, downwards too: a raised limit shrinks the shared bucket, and every process follows.
      // Counted from the time we asked, so a slow answer never makes the bucket look fuller than it is.
      const seen = new Set<Bucket>();
      for (const { workspaceId, family, aheadMs } of shared) {
        const bucket = bucketOf(workspaceId, family);
        seen.add(bucket);
        bucket.spentUntilMs = sentMs + Math.max(0, aheadMs) + bucket.unsharedMs;
      }
      for (const bucket of buckets.values()) {
        if (seen.has(bucket)) continue;
        bucket.spentUntilMs = Math.min(bucket.spentUntilMs, sentMs + othersAheadMsMax + bucket.unsharedMs);
      }
    },
  };
}

// Makes a raised limit apply immediately: the requests spent so far stay the same in number, but each takes less of the
// bucket now. Otherwise a workspace would keep being refused for as long as its old rate had put it ahead.
function shrink(bucket: Bucket, nowMs: number, share: number): void {
  bucket.spentUntilMs = nowMs + Math.max(0, bucket.spentUntilMs - nowMs) * share;
  bucket.unsharedMs *= share;
}

function take(bucket: Bucket, nowMs: number) {
  const { workspaceId, family, unsharedMs, unsharedFromMs } = bucket;
  bucket.unsharedMs = 0;
  return {
    bucket,
    fromMs: unsharedFromMs,
    spending: { workspaceId, family, spentMs: unsharedMs, sinceMs: nowMs - unsharedFromMs },
  };
}

function putBack(bucket: Bucket, spending: Spending, fromMs: number): void {
  bucket.unsharedMs += spending.spentMs;
  bucket.unsharedFromMs = fromMs;
}
