// Who works next when there is more to do than can be done at once. At most `turnsMax` requests work at the same time,
// and at most half of those for one flow (a workspace, or the address of an unknown caller). Later ones wait in
// the line of the own flow; the lines are served in turn, one request of each, so that a flow which sends a thousand
// requests delays the others by its next one and not by a thousand. A request that has waited longer than `ageMsMax` in a
// line that is not shorter than half the average is refused, and not worked for after its caller has lost patience; who
// has few in line is given ten times as long, since he is not the reason. So overload is refused, to those who make it.
// Overload is lines that have not been empty for that longer time: before it all are given as long, because a flush of the
// disk or a pause of the processor that ends by itself is no reason to refuse anything.
// A turn is held while we work, not while we wait for others: `leave` gives it back, and one that is held for longer
// than `workMsMax` while another waits is taken away, because it waits for something unknown to us. A turn
// that is given back is free in the next round of the event loop: so one round never works through more than `turnsMax`
// requests, however many have arrived, and requests that wait for an answer of the database are not kept waiting by them.
import type { Clock } from "../../clock.ts";
import { Fault } from "../../fault.ts";

export interface FairTurnsOptions {
  readonly clock: Clock;
  readonly turnsMax: number;
  readonly ageMsMax: number;
  readonly waitingPerFlowMax?: number;
  readonly waitingMax?: number;
  readonly workMsMax?: number;
  // Lines that began so short a time ago are a pause and no overload; ten times `ageMsMax` unless told.
  readonly pauseMsMax?: number;
  readonly onShed?: () => void;
}

const sweepMs = 20;
const patienceFactor = 10;
// Node takes in one new connection in a round of the event loop. While some come, each round begins little: else a
// client that comes new would wait for as many whole rounds as there are others before him.
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

  // From here on this request only waits for others; may be called more than once.
  leave(): void {
    this.#turns.leave(this);
  }

  // At once where there is room, else after waiting in line like everybody. Throws service_unavailable.
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
  // In the order in which they began.
  readonly #running = new Set<Turn>();
  readonly #ring: Flow[] = [];
  // The flows of turns that were given back in this round of the event loop.
  readonly #leaving: string[] = [];
  #waiting = 0;
  // Since when there was always one in line.
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

  // Nothing works and nothing waits: an immediate answer needs no turn.
  get isIdle(): boolean {
    return this.#running.size === 0 && this.#leaving.length === 0 && this.#waiting === 0;
  }

  turnOf(key: string): Turn {
    return new Turn(this, key);
  }

  // A connection has come, and perhaps more wait behind it.
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
    // Requests that were left out for the sake of new connections comes in the next round, also when none came.
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

  // One request of each flow in turn, as long as there is room.
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

  // The flow that has the most in line gives up its oldest, so that there is always room for others.
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

  // The seconds differ from one to the next, so that they do not all come back together.
  #refusal(): Fault {
    this.#shed += 1;
    this.#options.onShed();
    return new Fault("service_unavailable", "The server has more to do than it can. Try again shortly.", {
      retryAfterSeconds: 1 + (this.#shed % 3),
      isOverload: true,
    });
  }
}
