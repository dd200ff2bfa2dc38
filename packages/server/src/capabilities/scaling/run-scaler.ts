// A scaler: starts and stops workers of one pool on this machine, as many as the server wants. It asks the server in one long
// call that also reports what it does, and the server answers as soon as the number changes. If it is killed, its workers finish
// what they have and end.
import { join } from "node:path";
import type { Background } from "../../foundation/background.ts";
import { planWorkers } from "./plan-workers.ts";
import { type AskingDeps, askServer, type ScalerOrders, waitMsMax } from "./scaler-wire.ts";
import { type SlotDeps, WorkerSlot } from "./worker-slot.ts";

export interface ScalerDeps extends AskingDeps, Omit<SlotDeps, "number" | "home" | "onChange"> {
  readonly home: string;
}

// While workers are idle or starts wait, the server is asked more often.
const lookAgainMs = 1_000;
const workName = "scaler: follow the wanted number";

export class Scaler {
  readonly #deps: ScalerDeps;
  readonly #slots = new Map<number, { readonly slot: WorkerSlot; readonly ended: Promise<void> }>();
  #bell = new AbortController();
  #wanted: number | null = null;
  #lookAtMs: number | null = null;
  #wake: () => void = () => undefined;

  constructor(deps: ScalerDeps) {
    this.#deps = deps;
  }

  get workers(): readonly WorkerSlot[] {
    return [...this.#slots.values()].map(({ slot }) => slot);
  }

  // Until the signal fires and all workers have ended.
  async run(background: Background, signal: AbortSignal): Promise<void> {
    this.#wake = () => {
      this.#bell.abort();
      background.wake(workName);
    };
    await background.run({ name: workName, everyMs: 0, round: (stopping) => this.#round(stopping) }, signal);
    for (const { slot } of this.#slots.values()) slot.stop();
    await Promise.all([...this.#slots.values()].map(({ ended }) => ended));
  }

  // While the server cannot be asked, workers go on, and those that die are replaced.
  async #round(stopping: AbortSignal): Promise<void> {
    const { log } = this.#deps;
    this.#bell = new AbortController();
    if (this.#wanted !== null) this.#follow(this.#wanted);
    const signal = AbortSignal.any([stopping, this.#bell.signal]);
    const orders = await this.#ask(signal);
    if (orders === null) return;
    if (orders.workersWanted !== this.#wanted)
      log.info({ wanted: orders.workersWanted, before: this.#wanted, jobs: orders.unfinishedJobs }, "scaling");
    this.#wanted = orders.workersWanted;
    this.#deps.onOrders(orders);
    this.#note(orders);
    this.#follow(orders.workersWanted);
  }

  #ask(signal: AbortSignal): Promise<ScalerOrders | null> {
    const { clock } = this.#deps;
    const states = this.workers.map(({ planned }) => planned.state);
    const count = (...some: string[]) => states.filter((state) => some.includes(state)).length;
    const failure = this.workers.flatMap((slot) => slot.failure ?? [])[0] ?? null;
    const untilMs = this.#lookAtMs === null ? waitMsMax : Math.max(0, this.#lookAtMs - clock.monotonicMs());
    const hasIdle = count("ready") > (this.#wanted ?? 0);
    const waitMs = this.#wanted === null ? 0 : Math.min(waitMsMax, untilMs, hasIdle ? lookAgainMs : waitMsMax);
    const counts = {
      running: count("ready"),
      starting: count("starting", "waiting"),
      draining: count("leaving"),
    };
    const state = { ...counts, known: this.#wanted, failure, waitMs: Math.round(waitMs) };
    return askServer(this.#deps, state, signal);
  }

  // Which workers have jobs, as the server knows.
  #note({ workers }: ScalerOrders): void {
    const jobs = new Map(workers.map(({ id, jobs: held }) => [id, held]));
    const nowMs = this.#deps.clock.monotonicMs();
    for (const slot of this.workers) {
      const held = slot.workerId === null ? undefined : jobs.get(slot.workerId);
      if (held === undefined) continue;
      if (held > 0) slot.idleSinceMs = null;
      else slot.idleSinceMs ??= nowMs;
    }
  }

  #follow(wanted: number): void {
    const { clock, idleSeconds } = this.#deps;
    const planned = this.workers.map((slot) => slot.planned);
    const plan = planWorkers(planned, { wanted, idleMs: idleSeconds * 1000, nowMs: clock.monotonicMs() });
    this.#lookAtMs = plan.lookAtMs;
    for (const number of plan.keep) this.#slots.get(number)?.slot.keep();
    for (const number of plan.letGo) this.#slots.get(number)?.slot.letGo();
    for (const number of plan.forget) this.#slots.get(number)?.slot.stop();
    for (let started = 0; started < plan.start; started += 1) this.#start();
  }

  // The smallest free number, so that homes are used again.
  #start(): void {
    let number = 0;
    while (this.#slots.has(number)) number += 1;
    const onChange = () => this.#wake();
    const slot = new WorkerSlot({ ...this.#deps, number, home: join(this.#deps.home, String(number)), onChange });
    const ended = slot
      .run()
      .catch((err: unknown) => this.#deps.log.error({ err, worker: number }, "a worker's slot failed"))
      .finally(() => {
        this.#slots.delete(number);
        onChange();
      });
    this.#slots.set(number, { slot, ended });
  }
}
