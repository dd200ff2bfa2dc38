// The badge map this process serves now. After a write of our own it is rebuilt at once; what other processes wrote is
// noticed by a look at the revision every two seconds. While the database is away the last map goes on being served.
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/database.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Log } from "../../foundation/log.ts";
import { type BadgeMap, buildBadgeMap } from "./badge-map.ts";
import { findRevision, findSnapshot } from "./badge-store.ts";

export interface BadgeMaps {
  // Resolves when the first map stands; rejects when it cannot be read.
  start(): Promise<void>;
  stop(): Promise<void>;
  // Resolves when a map stands that was read after this call.
  refresh(): Promise<void>;
  current(): BadgeMap;
}

export interface BadgeMapsOptions {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn" | "info">;
  readonly cacheControl: string;
  readonly lookEveryMs?: number;
}

export function createBadgeMaps(options: BadgeMapsOptions): BadgeMaps {
  return new Maps(options);
}

class Maps implements BadgeMaps {
  readonly #options: BadgeMapsOptions;
  readonly #stopping = new AbortController();
  #map: BadgeMap | undefined;
  #revision = "";
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isAway = false;

  constructor(options: BadgeMapsOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.refresh();
    this.#looking = this.#lookAgainAndAgain();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
    await this.#reading.catch(() => undefined);
  }

  current(): BadgeMap {
    if (!this.#map) throw new Fault("internal_error", "The price badges are not loaded yet. Try again shortly.");
    return this.#map;
  }

  // A reading under way may have begun before the caller's write, so a new one follows it; callers who come while it
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
    this.#map = await buildBadgeMap(rows, this.#options.cacheControl);
    this.#revision = revision;
  }

  async #lookAgainAndAgain(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await this.#options.clock.sleep(this.#options.lookEveryMs ?? 2000, signal);
      if (signal.aborted) return;
      await this.#look();
    }
  }

  async #look(): Promise<void> {
    try {
      if ((await findRevision(this.#options.database)) !== this.#revision) await this.refresh();
      if (this.#isAway) this.#options.log.info({}, "price badges are up to date again");
      this.#isAway = false;
    } catch (thrown) {
      // Said once, not every two seconds.
      if (!this.#isAway) this.#options.log.warn({ err: thrown }, "price badges cannot be read: serving the last map");
      this.#isAway = true;
    }
  }
}
