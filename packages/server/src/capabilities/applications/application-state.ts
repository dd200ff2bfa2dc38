// Whether the application answers. Changes are logged and wake those who wait. Also tracks which models it probably has
// in memory, which is forgotten when it goes down.
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import type { ApplicationState } from "./application.ts";

export interface StateDeps {
  readonly origin: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AbortSignal;
}

const modelsLoadedMax = 32;

export class KnownState {
  readonly #deps: StateDeps;
  readonly #waiting = new Set<() => void>();
  #state: ApplicationState = "unknown";
  #modelsLoaded: readonly string[] = [];

  constructor(deps: StateDeps) {
    this.#deps = deps;
    deps.closing.addEventListener("abort", () => this.#wakeAll(), { once: true });
  }

  get now(): ApplicationState {
    return this.#state;
  }

  get modelsLoaded(): readonly string[] {
    return this.#modelsLoaded;
  }

  // Newest first.
  noteModels(names: readonly string[]): void {
    this.#modelsLoaded = [...new Set([...names, ...this.#modelsLoaded])].slice(0, modelsLoadedMax);
  }

  set(next: ApplicationState): void {
    if (this.#state === next) return;
    const { log, origin: url } = this.#deps;
    if (next === "up") log.info({ url }, "the application answers");
    if (next === "down") log.warn({ url }, "the application does not answer");
    this.#state = next;
    if (next === "up") this.#wakeAll();
    // The models in the process's memory may be gone with it.
    else this.#modelsLoaded = [];
  }

  async whenUp(waitMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    const isUp = () => this.#state === "up";
    if (isUp() || this.#deps.closing.aborted) return isUp();
    const up = Promise.withResolvers<void>();
    const enough = new AbortController();
    this.#waiting.add(up.resolve);
    const ends = [enough.signal, ...(signal ? [signal] : [])];
    await Promise.race([up.promise, this.#deps.clock.sleep(waitMs, AbortSignal.any(ends))]);
    this.#waiting.delete(up.resolve);
    enough.abort();
    return isUp();
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
