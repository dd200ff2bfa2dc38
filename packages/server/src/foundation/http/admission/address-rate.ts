// How often one address may make public requests. A bucket is one number, the moment until which it is spent: a
// minute's requests may come at once, and after that come back evenly. Memory is bounded: the oldest address goes.
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

  // Counts one request of this block of addresses. Throws rate_limited with the seconds after which a retry passes.
  admit(block: string): void {
    const nowMs = this.#options.clock.monotonicMs();
    const known = this.#spentUntilMs.get(block);
    const after = Math.max(known ?? nowMs, nowMs) + this.#intervalMs;
    const waitMs = after - minuteMs - nowMs;
    // Sums of fractions drift by less than this.
    if (waitMs > 0.001) throw this.#refusal(waitMs);
    this.#spentUntilMs.set(block, after);
  }

  #refusal(waitMs: number): Fault {
    this.#options.onRefused();
    const { perMinute } = this.#options;
    const words = `Without a key, one address may send ${perMinute} requests a minute. Try again shortly.`;
    return new Fault("rate_limited", words, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
  }
}
