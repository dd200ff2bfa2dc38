// Paces refusals. A caller who ignores refusals sends the next request as soon as the last one is refused: the faster we
// refuse, the more of the process such callers get. So we send at most `perSecondMax` refusals a second. Above that they wait
// in queues, one per flow, served round-robin. Waiting slows the flood down and costs no one else anything: a caller who is
// refused now and then has a queue to itself.
import type { Clock } from "../../clock.ts";

// The refusals that cost the caller nothing to provoke. Others come at the end of work that had its turn.
export function isPaced({ status }: { readonly status: number }): boolean {
  return status === 401 || status === 421 || status === 429 || status === 503;
}

export interface PacedRefusalsOptions {
  readonly clock: Clock;
  readonly perSecondMax: number;
  // Beyond this number, connections are cut without an answer.
  readonly waitingMax?: number;
}

export interface Refusal {
  readonly send: () => void;
  readonly drop: () => void;
}

const drainMs = 5;

export class PacedRefusals {
  readonly #options: Required<PacedRefusalsOptions>;
  readonly #burst: number;
  // The map's order is the order in which the queues are served.
  readonly #lines = new Map<string, Refusal[]>();
  #left: number;
  #filledAtMs: number;
  #waiting = 0;

  constructor(options: PacedRefusalsOptions) {
    this.#options = { waitingMax: 20_000, ...options };
    this.#burst = Math.max(1, options.perSecondMax / 50);
    this.#left = this.#burst;
    this.#filledAtMs = options.clock.monotonicMs();
  }

  get waiting(): number {
    return this.#waiting;
  }

  refuse(key: string, refusal: Refusal): void {
    if (this.#waiting === 0 && this.#spend()) {
      refusal.send();
      return;
    }
    if (this.#waiting >= this.#options.waitingMax) {
      refusal.drop();
      return;
    }
    const line = this.#lines.get(key);
    if (line === undefined) this.#lines.set(key, [refusal]);
    else line.push(refusal);
    this.#waiting += 1;
    if (this.#waiting === 1) this.#drainLater();
  }

  #spend(): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    const gained = ((nowMs - this.#filledAtMs) / 1000) * this.#options.perSecondMax;
    this.#left = Math.min(this.#burst, this.#left + gained);
    this.#filledAtMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  #drainLater(): void {
    this.#options.clock.after(drainMs, () => {
      while (this.#waiting > 0 && this.#spend()) this.#sendNext();
      if (this.#waiting > 0) this.#drainLater();
    });
  }

  #sendNext(): void {
    for (const [key, line] of this.#lines) {
      this.#lines.delete(key);
      const refusal = line.shift();
      // Back to the end of the order.
      if (line.length > 0) this.#lines.set(key, line);
      this.#waiting -= 1;
      refusal?.send();
      return;
    }
  }
}
