// A scaler: starts and stops workers of one pool on this machine, as many as the server wants. It asks the server in one long
// call that also reports what it does, and the server answers as soon as the number changes. If it is killed, its workers finish
// what they have and end.
import { join } from "node:path";
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import { ServerCallProblem, type ServerClient } from "../remote-work/index.ts";
import { planWorkers } from "./plan-workers.ts";
import { readOrders, type ScalerOrders, wireFailure } from "./scaler-wire.ts";
import { type SlotDeps, WorkerSlot } from "./worker-slot.ts";

export interface ScalerDeps extends Omit<SlotDeps, "number" | "home" | "onChange"> {
  readonly scalerId: string;
  readonly name: string;
  readonly poolId: string | null;
  readonly home: string;
  // Null: the deployment's own limits.
  readonly range: { readonly min: number; readonly max: number } | null;
  readonly jobsPerWorker: number | null;
  readonly idleSeconds: number;
  readonly server: Pick<ServerClient, "call">;
  onOrders(orders: ScalerOrders): void;
  // The server will not answer this scaler, however often it asks.
  onRefused(error: ServerCallProblem): void;
  readonly clock: Clock;
  readonly log: Log;
}

const waitMsMax = 20_000;
const marginMs = 10_000;
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
    const orders = await this.#ask(signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      if (error instanceof ServerCallProblem && !error.isPassing) this.#deps.onRefused(error);
      throw error;
    });
    if (orders === null) return;
    if (orders.workersWanted !== this.#wanted)
      log.info({ wanted: orders.workersWanted, before: this.#wanted, jobs: orders.unfinishedJobs }, "scaling");
    this.#wanted = orders.workersWanted;
    this.#deps.onOrders(orders);
    this.#note(orders);
    this.#follow(orders.workersWanted);
  }

  async #ask(signal: AbortSignal): Promise<ScalerOrders> {
    const { scalerId, name, poolId, range, jobsPerWorker, idleSeconds, server, clock } = this.#deps;
    const states = this.workers.map(({ planned }) => planned.state);
    const count = (...some: string[]) => states.filter((state) => some.includes(state)).length;
    const failure = this.workers.flatMap((slot) => slot.failure ?? [])[0] ?? null;
    const untilMs = this.#lookAtMs === null ? waitMsMax : Math.max(0, this.#lookAtMs - clock.monotonicMs());
    const hasIdle = count("ready") > (this.#wanted ?? 0);
    const waitMs = this.#wanted === null ? 0 : Math.min(waitMsMax, untilMs, hasIdle ? lookAgainMs : waitMsMax);
    const json = {
      pool_id: poolId,
      name,
      workers_min: range?.min ?? null,
      workers_max: range?.max ?? null,
      jobs_per_worker: jobsPerWorker,
      idle_seconds: idleSeconds,
      known_wanted: this.#wanted,
      running: count("ready"),
      starting: count("starting", "waiting"),
      draining: count("leaving"),
      failure: failure && wireFailure(failure),
      wait_ms: Math.round(waitMs),
    };
    const path = `/api/workers/scalers/${scalerId}`;
    return readOrders(await server.call({ method: "PUT", path, json, signal, totalMs: waitMs + marginMs }));
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
