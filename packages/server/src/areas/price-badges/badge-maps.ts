// The badge map that this process serves now: what operators wrote, and for every other node what its price says. After our own
// write it is rebuilt immediately; writes of other processes are noticed by checking the revision every two seconds. While the
// database is down, the last map stays in use.
import type { Background } from "../../foundation/background.ts";
import type { Queryable } from "../../foundation/database/database.ts";
import { Fault } from "../../foundation/fault.ts";
import { type BadgeMap, buildBadgeMap } from "./badge-map.ts";
import type { ServedRow } from "./badge-row.ts";
import { findRevision, findSnapshot } from "./badge-store.ts";
import { withPriced } from "./priced-rows.ts";

export interface BadgeMaps {
  // Resolves when the first map is ready; rejects if it cannot be read.
  start(): Promise<void>;
  // Checks for writes of other processes until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
  // Resolves when a map is in use that was read after this call.
  refresh(): Promise<void>;
  current(): BadgeMap;
  // Sets the badges of prices from now on. Resolves when they are served.
  follow(priced: readonly ServedRow[]): Promise<void>;
}

export interface BadgeMapsOptions {
  readonly database: Queryable;
  readonly cacheControl: string;
  readonly lookEveryMs?: number;
}

export function createBadgeMaps(options: BadgeMapsOptions): BadgeMaps {
  return new Maps(options);
}

class Maps implements BadgeMaps {
  readonly #options: BadgeMapsOptions;
  #map: BadgeMap | undefined;
  #revision = "";
  #priced: readonly ServedRow[] = [];
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(options: BadgeMapsOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.refresh();
  }

  async run(background: Background, signal: AbortSignal): Promise<void> {
    const everyMs = this.#options.lookEveryMs ?? 2000;
    const work = {
      name: "price badges: read changed ones",
      everyMs,
      begins: "after_pause",
      round: () => this.#look(),
    } as const;
    await background.run(work, signal);
    await this.#reading.catch(() => undefined);
  }

  current(): BadgeMap {
    if (!this.#map) throw new Fault("internal_error", "The price badges are not loaded yet. Try again shortly.");
    return this.#map;
  }

  async follow(priced: readonly ServedRow[]): Promise<void> {
    this.#priced = priced;
    // If it cannot be read now, the next check will see that the map is behind.
    this.#revision = "";
    await this.refresh();
  }

  // A read in progress may have begun before the caller's write, so another one follows it. Callers who arrive while that one
  // waits share it.
  refresh(): Promise<void> {
    this.#next ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#reading = this.#read();
        return this.#reading;
      });
    return this.#next;
  }

  async #read(): Promise<void> {
    const { revision, rows } = await findSnapshot(this.#options.database);
    this.#map = await buildBadgeMap(withPriced(rows, this.#priced), this.#options.cacheControl);
    this.#revision = revision;
  }

  async #look(): Promise<void> {
    if ((await findRevision(this.#options.database)) !== this.#revision) await this.refresh();
  }
}
