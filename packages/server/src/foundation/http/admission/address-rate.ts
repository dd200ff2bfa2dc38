// Rate limit for public requests per address. A bucket is one number: the time until which its allowance is spent. A minute's
// worth of requests may arrive in one burst; after that the allowance refills evenly. Memory is bounded: the oldest address is
// dropped.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Clock } from "../../clock.ts";
import { Fault } from "../../fault.ts";

export interface AddressRateOptions {
  readonly clock: Clock;
  readonly perMinute: number;
  readonly addressesMax?: number;
  readonly onRefused?: () => void;
}

const minuteMs = 60_000;

export class AddressRate {
  readonly #options: Required<Omit<AddressRateOptions, "addressesMax">>;
  readonly #intervalMs: number;
  readonly #spentUntilMs: BoundedMap<string, number>;

  constructor(options: AddressRateOptions) {
    this.#options = { onRefused: () => {}, ...options };
    this.#spentUntilMs = new BoundedMap(options.addressesMax ?? 20_000);
    this.#intervalMs = minuteMs / options.perMinute;
  }

  // Counts one request from this block of addresses. Throws rate_limited with the number of seconds after which a retry passes.
  admit(block: string): void {
    const nowMs = this.#options.clock.monotonicMs();
    const known = this.#spentUntilMs.get(block);
    const after = Math.max(known ?? nowMs, nowMs) + this.#intervalMs;
    const waitMs = after - minuteMs - nowMs;
    // Rounding errors stay below this.
    if (waitMs > 0.001) throw this.#refusal(waitMs);
    this.#spentUntilMs.set(block, after);
  }

  #refusal(waitMs: number): Fault {
    this.#options.onRefused();
    const { perMinute } = this.#options;
    const words = `Without a key, one address may send ${perMinute} requests per minute. Try again shortly.`;
    return new Fault("rate_limited", words, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
  }
}
