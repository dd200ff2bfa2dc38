// How many calls a second a fleet makes if the measuring machine has too few cores for it: a closed queueing network, simulated
// event by event. Each caller has one call under way. A call visits its gateway (one core, one at a time) three times,
// PostgreSQL (several cores, first come first served) twice, and waits for the disk after each of those and for the provider
// once. CPU times are those measured for one call, spread evenly over the visits and exponentially around their mean, from a
// fixed seed. Callers and the provider cost nothing.
export interface FleetModel {
  readonly gateways: number;
  readonly postgresCores: number;
  readonly callersPerGateway: number;
  readonly gatewayMs: number;
  readonly postgresMs: number;
  // For each of the two commits: the wait for the disk, which needs no core.
  readonly flushMs: number;
  readonly providerMs: number;
}

type Visit = { readonly at: "gateway" | "postgres" | "away"; readonly ms: number };

const callsCounted = 40_000;
const callsWarm = 4_000;

// Calls per second.
export function simulateFleet(model: FleetModel): number {
  const random = exponential(20261116);
  const visits = visitsOf(model);
  const events = new EventQueue();
  const gateways = Array.from({ length: model.gateways }, () => new Station(1, events));
  const postgres = new Station(model.postgresCores, events);
  let ended = 0;
  let warmAtMs = 0;
  const go = (gateway: Station, step: number): void => {
    const visit = visits[step];
    if (visit === undefined) {
      ended += 1;
      if (ended === callsWarm) warmAtMs = events.nowMs;
      go(gateway, 0);
      return;
    }
    const ms = visit.ms * random();
    const next = () => go(gateway, step + 1);
    if (visit.at === "away") events.after(ms, next);
    else (visit.at === "gateway" ? gateway : postgres).serve(ms, next);
  };
  for (const gateway of gateways) for (let caller = 0; caller < model.callersPerGateway; caller++) go(gateway, 0);
  while (ended < callsCounted + callsWarm) events.runNext();
  return (callsCounted * 1000) / (events.nowMs - warmAtMs);
}

function visitsOf({ gatewayMs, postgresMs, flushMs, providerMs }: FleetModel): readonly Visit[] {
  const gateway: Visit = { at: "gateway", ms: gatewayMs / 3 };
  const write: readonly Visit[] = [
    { at: "postgres", ms: postgresMs / 2 },
    { at: "away", ms: flushMs },
  ];
  return [gateway, ...write, gateway, { at: "away", ms: providerMs }, gateway, ...write];
}

class EventQueue {
  nowMs = 0;
  readonly #heap: { readonly atMs: number; readonly run: () => void }[] = [];

  after(ms: number, run: () => void): void {
    const heap = this.#heap;
    heap.push({ atMs: this.nowMs + ms, run });
    for (let at = heap.length - 1; at > 0; ) {
      const above = (at - 1) >> 1;
      if (this.#time(above) <= this.#time(at)) break;
      this.#swap(at, above);
      at = above;
    }
  }

  runNext(): void {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) throw new Error("nothing is under way");
    if (heap.length > 0) {
      heap[0] = last;
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        const least = this.#time(right) < this.#time(left) ? right : left;
        if (this.#time(at) <= this.#time(least)) break;
        this.#swap(at, least);
        at = least;
      }
    }
    this.nowMs = first.atMs;
    first.run();
  }

  #time(at: number): number {
    return this.#heap[at]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first && second) [this.#heap[one], this.#heap[other]] = [second, first];
  }
}

// Several servers with one queue.
class Station {
  readonly #events: EventQueue;
  readonly #line: { readonly ms: number; readonly next: () => void }[] = [];
  #free: number;

  constructor(servers: number, events: EventQueue) {
    this.#free = servers;
    this.#events = events;
  }

  serve(ms: number, next: () => void): void {
    if (this.#free === 0) return void this.#line.push({ ms, next });
    this.#free -= 1;
    this.#begin(ms, next);
  }

  #begin(ms: number, next: () => void): void {
    this.#events.after(ms, () => {
      const waiting = this.#line.shift();
      if (waiting) this.#begin(waiting.ms, waiting.next);
      else this.#free += 1;
      next();
    });
  }
}

// With mean 1.
function exponential(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return -Math.log(1 - ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32);
  };
}
