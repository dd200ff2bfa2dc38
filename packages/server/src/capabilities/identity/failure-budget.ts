// How many refused credentials one address may present: 50 a minute answer 401, further ones 429 with Retry-After. A
// neighbour's failures do not lock out a good key: it is still looked up until the address has failed ten times the
// budget; after that, only keys that were good before are. A request without a credential is not a guess and does not
// count. IPv6 addresses count per /64, since one host can use all of it. Memory is bounded: the oldest address is
// dropped.
import type { Clock } from "../../foundation/clock.ts";
import { blockOf } from "../../foundation/http/outgoing/address-block.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";

const windowMs = 60_000;
const closedFactor = 10;

export interface FailureBudget {
  // True if this address has failed so often that unknown credentials are not even looked up.
  isClosed(address: string): boolean;
  // Counts one failure. Null: answer 401. A number: answer 429 with that many seconds of Retry-After.
  spend(address: string): number | null;
  retryAfterSeconds(address: string): number;
}

export interface FailureBudgetOptions {
  readonly clock: Clock;
  readonly failuresPerMinuteMax?: number;
  readonly addressesMax?: number;
}

export function createFailureBudget(options: FailureBudgetOptions): FailureBudget {
  const { clock, failuresPerMinuteMax = 50, addressesMax = 10_000 } = options;
  const windows = new TtlCache<string, { startedMs: number; failures: number }>({
    clock,
    keepMs: windowMs,
    entriesMax: addressesMax,
  });

  function retryAfterSeconds(address: string): number {
    const window = windows.get(blockOf(address));
    const leftMs = window === undefined ? 0 : window.startedMs + windowMs - clock.monotonicMs();
    return Math.max(1, Math.ceil(leftMs / 1000));
  }

  return {
    retryAfterSeconds,
    isClosed(address) {
      if (windows.size === 0) return false;
      const window = windows.get(blockOf(address));
      return window !== undefined && window.failures >= failuresPerMinuteMax * closedFactor;
    },
    spend(address) {
      const block = blockOf(address);
      const window = windows.get(block);
      if (window !== undefined) {
        window.failures += 1;
        return window.failures > failuresPerMinuteMax ? retryAfterSeconds(address) : null;
      }
      windows.set(block, { startedMs: clock.monotonicMs(), failures: 1 });
      return failuresPerMinuteMax < 1 ? retryAfterSeconds(address) : null;
    },
  };
}
