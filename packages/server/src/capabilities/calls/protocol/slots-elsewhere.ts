// How many slots a workspace's calls take in other processes, for calls that have no record. Each process announces its
// counts whenever they change, at most twenty times a second, and twice a second while it has any. A count holds until the
// process changes it or has been silent for two seconds: then the process is gone, and so are its calls.
import type { Bus } from "../../../foundation/bus/bus.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";

export interface TakenSlots {
  readonly passing: number;
  readonly recorded: number;
}

export interface SlotsElsewhere {
  of(workspaceId: WorkspaceId): TakenSlots;
  // The workspace's counts in this process have changed.
  changed(workspaceId: WorkspaceId): void;
  close(): void;
}

export interface SlotsElsewhereDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  // The workspace's counts in this process.
  here(workspaceId: WorkspaceId): TakenSlots;
}

const none: TakenSlots = { passing: 0, recorded: 0 };
const topic = "calls.slots";
const pauseMs = 50;
const againMs = 500;
const silentMs = 2_000;
// Well below the message size limit of any bus.
const workspacesPerMessage = 60;

interface Heard {
  readonly counts: Map<WorkspaceId, TakenSlots>;
  atMs: number;
}

// A process that runs alone neither sends nor listens.
export function slotsElsewhere(deps: SlotsElsewhereDeps): SlotsElsewhere {
  return deps.bus.reachesOthers ? new Exchange(deps) : { of: () => none, changed: () => {}, close: () => {} };
}

class Exchange implements SlotsElsewhere {
  readonly #deps: SlotsElsewhereDeps;
  readonly #self = newId();
  readonly #heard = new Map<string, Heard>();
  // The workspaces we have announced counts for.
  readonly #announced = new Set<WorkspaceId>();
  readonly #news = new Set<WorkspaceId>();
  readonly #closing = new AbortController();
  readonly #leave: () => void;
  #isAnnouncing = false;
  #isRepeating = false;

  constructor(deps: SlotsElsewhereDeps) {
    this.#deps = deps;
    this.#leave = deps.bus.subscribe(topic, (message) => this.#hear(message));
  }

  of(workspaceId: WorkspaceId): TakenSlots {
    if (this.#heard.size === 0) return none;
    const sinceMs = this.#deps.clock.monotonicMs() - silentMs;
    let [passing, recorded] = [0, 0];
    for (const [process, { counts, atMs }] of this.#heard) {
      if (atMs < sinceMs) this.#heard.delete(process);
      else {
        const taken = counts.get(workspaceId) ?? none;
        passing += taken.passing;
        recorded += taken.recorded;
      }
    }
    return { passing, recorded };
  }

  changed(workspaceId: WorkspaceId): void {
    this.#news.add(workspaceId);
    void this.#announce();
  }

  close(): void {
    this.#closing.abort();
    this.#leave();
  }

  async #announce(): Promise<void> {
    if (this.#isAnnouncing) return;
    this.#isAnnouncing = true;
    while (this.#news.size > 0 && !this.#closing.signal.aborted) {
      this.#say([...this.#news]);
      await this.#deps.clock.sleep(pauseMs, this.#closing.signal);
    }
    this.#isAnnouncing = false;
    void this.#repeat();
  }

  // Repeats our counts while we have any.
  async #repeat(): Promise<void> {
    if (this.#isRepeating) return;
    this.#isRepeating = true;
    while (this.#announced.size > 0 && !this.#closing.signal.aborted) {
      await this.#deps.clock.sleep(againMs, this.#closing.signal);
      if (!this.#closing.signal.aborted) this.#say([...this.#announced]);
    }
    this.#isRepeating = false;
  }

  #say(workspaceIds: readonly WorkspaceId[]): void {
    for (let at = 0; at < workspaceIds.length; at += workspacesPerMessage) {
      const entries = workspaceIds.slice(at, at + workspacesPerMessage).map((workspaceId) => {
        const { passing, recorded } = this.#deps.here(workspaceId);
        this.#news.delete(workspaceId);
        if (passing + recorded > 0) this.#announced.add(workspaceId);
        else this.#announced.delete(workspaceId);
        return [workspaceId, passing, recorded];
      });
      this.#deps.bus.publish(topic, { from: this.#self, entries });
    }
  }

  // Messages on the bus are checked carefully: another version may send a different shape.
  #hear(message: unknown): void {
    if (typeof message !== "object" || message === null || !("from" in message) || !("entries" in message)) return;
    const { from, entries } = message;
    if (typeof from !== "string" || from === this.#self || !Array.isArray(entries)) return;
    const heard = this.#heard.get(from) ?? { counts: new Map(), atMs: 0 };
    heard.atMs = this.#deps.clock.monotonicMs();
    this.#heard.set(from, heard);
    for (const [workspaceId, passing, recorded] of entries.filter(Array.isArray)) {
      if (!Number.isSafeInteger(passing) || !Number.isSafeInteger(recorded)) continue;
      if (passing + recorded > 0) heard.counts.set(workspaceId, { passing, recorded });
      else heard.counts.delete(workspaceId);
    }
  }
}
