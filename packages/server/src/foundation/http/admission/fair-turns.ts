// Decides which request runs next when there is more to do than the process can handle.
// At most `turnsMax` requests run at the same time, and at most half of those for one flow (a workspace, or the address of an
// unknown caller). Later ones wait in their flow's queue. The queues are served round-robin, one request each, so a flow that
// sends a thousand requests delays the others by one request and not by a thousand.
// A request is refused if it has waited longer than `ageMsMax` in a queue that is at least half as long as the average, so we
// do not work for a caller who has lost patience. A flow with a short queue is not the cause and gets ten times as long. So the
// refusals go to those who cause the overload. Overload means that the queues have not been empty for that longer time. Until
// then every flow gets the longer time, because a disk flush or a CPU pause that ends on its own is no reason to refuse
// anything.
// A request holds its turn while we work, not while we wait for others: `leave` gives it back. A turn held longer than
// `workMsMax` while another request waits is taken away, because its request must be waiting for something we do not know of. A
// returned turn becomes free in the next round of the event loop. So one round never processes more than `turnsMax` requests,
// however many have arrived, and they do not delay requests that wait for a database answer.
import type { Clock } from "../../clock.ts";
import { Fault } from "../../fault.ts";

export interface FairTurnsOptions {
  readonly clock: Clock;
  readonly turnsMax: number;
  readonly ageMsMax: number;
  readonly waitingPerFlowMax?: number;
  readonly waitingMax?: number;
  readonly workMsMax?: number;
  // Queues that formed this recently are a pause and not overload. Default: ten times `ageMsMax`.
  readonly pauseMsMax?: number;
  readonly onShed?: () => void;
}

const sweepMs = 20;
const patienceFactor = 10;
// Node accepts one new connection per round of the event loop. While connections arrive, each round starts only a few requests.
// Otherwise a new client would wait for as many full rounds as there are clients ahead of it.
const acceptingRoundMax = 4;

interface Waiter {
  readonly turn: Turn;
  readonly sinceMs: number;
  readonly begin: () => void;
  readonly refuse: (fault: Fault) => void;
}

interface Flow {
  readonly key: string;
  running: number;
  readonly waiting: Waiter[];
  isInRing: boolean;
}

export class Turn {
  readonly #turns: FairTurns;
  readonly key: string;
  sinceMs = 0;

  constructor(turns: FairTurns, key: string) {
    this.#turns = turns;
    this.key = key;
  }

  // From here on this request only waits for others. Idempotent.
  leave(): void {
    this.#turns.leave(this);
  }

  // Returns immediately if there is room, else after waiting in the queue. Throws service_unavailable.
  take(): void | Promise<void> {
    return this.#turns.take(this);
  }
}

export async function inTurn<T>(turn: Turn, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    turn.leave();
  }
}

export class FairTurns {
  readonly #options: Required<FairTurnsOptions>;
  readonly #perFlowMax: number;
  readonly #flows = new Map<string, Flow>();
  // In the order they started.
  readonly #running = new Set<Turn>();
  readonly #ring: Flow[] = [];
  // The flows of turns given back in this round of the event loop.
  readonly #leaving: string[] = [];
  #waiting = 0;
  // Since when at least one request has been waiting without a break.
  #waitingSinceMs = 0;
  #shed = 0;
  #begunInRound = 0;
  #acceptingRounds = 0;
  #isRoundEnding = false;
  #isSweeping = false;

  constructor(options: FairTurnsOptions) {
    this.#options = {
      waitingPerFlowMax: 1_024,
      waitingMax: 8_192,
      workMsMax: 1_000,
      pauseMsMax: options.ageMsMax * patienceFactor,
      onShed: () => {},
      ...options,
    };
    this.#perFlowMax = Math.max(1, Math.ceil(options.turnsMax / 2));
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting;
  }

  // Nothing is running and nothing waits, so an immediate answer needs no turn.
  get isIdle(): boolean {
    return this.#running.size === 0 && this.#leaving.length === 0 && this.#waiting === 0;
  }

  turnOf(key: string): Turn {
    return new Turn(this, key);
  }

  // A connection has arrived, and there may be more behind it.
  accepted(): void {
    this.#acceptingRounds = 2;
    this.#endRoundLater();
  }

  take(turn: Turn): void | Promise<void> {
    if (this.#running.has(turn)) return;
    const flow = this.#flowOf(turn.key);
    if (flow.waiting.length === 0 && this.#hasRoom(flow)) {
      this.#begin(turn, flow);
      return;
    }
    return this.#wait(turn, flow);
  }

  leave(turn: Turn): void {
    if (!this.#running.delete(turn)) return;
    this.#leaving.push(turn.key);
    this.#endRoundLater();
  }

  #endRoundLater(): void {
    if (this.#isRoundEnding) return;
    this.#isRoundEnding = true;
    setImmediate(this.#endRound);
  }

  readonly #endRound = (): void => {
    this.#isRoundEnding = false;
    this.#begunInRound = 0;
    if (this.#acceptingRounds > 0) this.#acceptingRounds -= 1;
    for (const key of this.#leaving) {
      const flow = this.#flowOf(key);
      flow.running -= 1;
      this.#forgetIdle(flow);
    }
    this.#leaving.length = 0;
    if (this.#waiting === 0) return;
    this.#serveNext();
    // A request skipped in favour of a new connection runs in the next round, even if no new connection arrived.
    if (this.#acceptingRounds > 0) this.#endRoundLater();
  };

  get #isOpen(): boolean {
    if (this.#running.size + this.#leaving.length >= this.#options.turnsMax) return false;
    return this.#acceptingRounds === 0 || this.#begunInRound < acceptingRoundMax;
  }

  #flowOf(key: string): Flow {
    const known = this.#flows.get(key);
    if (known !== undefined) return known;
    const fresh: Flow = { key, running: 0, waiting: [], isInRing: false };
    this.#flows.set(key, fresh);
    return fresh;
  }

  #forgetIdle(flow: Flow): void {
    if (flow.running === 0 && flow.waiting.length === 0 && !flow.isInRing) this.#flows.delete(flow.key);
  }

  #hasRoom(flow: Flow): boolean {
    return this.#isOpen && flow.running < this.#perFlowMax;
  }

  #begin(turn: Turn, flow: Flow): void {
    turn.sinceMs = this.#options.clock.monotonicMs();
    flow.running += 1;
    this.#running.add(turn);
    this.#begunInRound += 1;
    this.#endRoundLater();
  }

  #wait(turn: Turn, flow: Flow): Promise<void> {
    const { clock, waitingPerFlowMax, waitingMax } = this.#options;
    if (flow.waiting.length >= waitingPerFlowMax) {
      this.#forgetIdle(flow);
      return Promise.reject(this.#refusal());
    }
    if (this.#waiting >= waitingMax) this.#shedLongest();
    return new Promise((begin, refuse) => {
      const sinceMs = clock.monotonicMs();
      flow.waiting.push({ turn, sinceMs, begin, refuse });
      if (this.#waiting === 0) this.#waitingSinceMs = sinceMs;
      this.#waiting += 1;
      if (!flow.isInRing) {
        flow.isInRing = true;
        this.#ring.push(flow);
      }
      this.#sweepLater();
    });
  }

  // Starts one request of each flow in turn while there is room.
  #serveNext(): void {
    const nowMs = this.#options.clock.monotonicMs();
    while (this.#isOpen) {
      const flow = this.#nextFlow();
      if (flow === null) return;
      this.#refuseOld(flow, nowMs);
      const waiter = flow.waiting.shift();
      if (waiter === undefined) continue;
      this.#waiting -= 1;
      this.#begin(waiter.turn, flow);
      waiter.begin();
    }
  }

  #nextFlow(): Flow | null {
    for (let left = this.#ring.length; left > 0; left--) {
      const flow = this.#ring.shift();
      if (flow === undefined) return null;
      if (flow.waiting.length === 0) {
        flow.isInRing = false;
        this.#forgetIdle(flow);
        continue;
      }
      this.#ring.push(flow);
      if (flow.running < this.#perFlowMax) return flow;
    }
    return null;
  }

  // The flow with the longest queue loses its oldest request, so there is always room for others.
  #shedLongest(): void {
    let longest: Flow | null = null;
    for (const flow of this.#ring) if (flow.waiting.length > (longest?.waiting.length ?? 0)) longest = flow;
    const waiter = longest?.waiting.shift();
    if (waiter === undefined) return;
    this.#waiting -= 1;
    waiter.refuse(this.#refusal());
  }

  #sweepLater(): void {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    this.#options.clock.after(sweepMs, () => {
      this.#isSweeping = false;
      this.#sweep();
      if (this.#waiting > 0) this.#sweepLater();
    });
  }

  #sweep(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const flow of this.#ring) this.#refuseOld(flow, nowMs);
    for (const turn of this.#running) {
      if (turn.sinceMs > nowMs - this.#options.workMsMax) break;
      this.leave(turn);
    }
    this.#serveNext();
  }

  #refuseOld({ waiting }: Flow, nowMs: number): void {
    const patientMs = this.#options.ageMsMax * patienceFactor;
    const isOverload = nowMs - this.#waitingSinceMs >= this.#options.pauseMsMax;
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const isShort = waiting.length === 1 || waiting.length * this.#ring.length * 2 < this.#waiting;
      const ageMsMax = isShort || !isOverload ? patientMs : this.#options.ageMsMax;
      if (nowMs - first.sinceMs < ageMsMax) return;
      waiting.shift();
      this.#waiting -= 1;
      first.refuse(this.#refusal());
    }
  }

  // The Retry-After seconds vary, so that callers do not all come back together.
  #refusal(): Fault {
    this.#shed += 1;
    this.#options.onShed();
    return new Fault("service_unavailable", "The server is overloaded. Try again shortly.", {
      retryAfterSeconds: 1 + (this.#shed % 3),
      isOverload: true,
    });
  }
}
