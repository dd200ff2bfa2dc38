// Workers that wait at a dispatcher for something to do. Each gets one answer: jobs, or nothing when its time is up, its
// signal fires or the dispatcher closes. If a look is running when the time is up, the worker waits for it, since it may
// bring a job. A worker that does not wait still gets one look; one whose signal fires gets none.
import type { Clock } from "../../../foundation/clock.ts";
import type { WorkerId } from "../job.ts";
import { anyWork, type WorkerOffer } from "../job-needs.ts";
import type { ClaimedJob, WorkRequest } from "../worker-port.ts";

export interface WaitingWorker {
  readonly workerId: WorkerId;
  readonly slots: number;
  readonly offer: WorkerOffer;
  readonly lockId: string | null;
  isOver: boolean;
  isLate: boolean;
  wasLookedFor: boolean;
  readonly resolve: (jobs: readonly ClaimedJob[]) => void;
}

// `some`: there may be more for the workers that got nothing, so we look again right away.
export type Served = "all" | "some" | "nobody";

// A worker that has not asked for this long may be gone.
const busyMsMax = 30_000;
// If the database is away, a worker must still be told that there is nothing.
const serveMsMax = 15_000;

export class WaitingWorkers {
  readonly #clock: Clock;
  readonly #waiting = new Set<WaitingWorker>();
  // When each worker last asked, and what it offered.
  readonly #offers = new Map<WorkerId, { readonly offer: WorkerOffer; readonly atMs: number }>();
  readonly #closing = new AbortController();
  #isServing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  wait({
    workerId,
    slots,
    waitMs,
    signal,
    offer = anyWork,
    lockId = null,
  }: WorkRequest): Promise<readonly ClaimedJob[]> {
    const { promise, resolve } = Promise.withResolvers<readonly ClaimedJob[]>();
    const done = new AbortController();
    const worker: WaitingWorker = {
      workerId,
      slots,
      offer,
      lockId,
      isOver: false,
      isLate: false,
      wasLookedFor: false,
      resolve(jobs) {
        done.abort();
        resolve(jobs);
      },
    };
    this.#waiting.add(worker);
    this.#offers.set(workerId, { offer, atMs: this.#clock.monotonicMs() });
    void this.#leaveLater(worker, waitMs, AbortSignal.any([signal, done.signal, this.#closing.signal]));
    return promise;
  }

  // One look for all workers waiting now.
  async serve(look: (here: readonly WaitingWorker[]) => Promise<Served>): Promise<Served> {
    const here = [...this.#waiting];
    this.#isServing = true;
    let served: Served = "all";
    try {
      served = await look(here);
      return served;
    } finally {
      this.#isServing = false;
      for (const worker of served === "some" ? [] : here) {
        worker.wasLookedFor = true;
        if (worker.isLate) this.#leave(worker);
      }
    }
  }

  // False if the worker has left meanwhile.
  hand(worker: WaitingWorker, jobs: readonly ClaimedJob[]): boolean {
    this.#waiting.delete(worker);
    if (worker.isOver) return false;
    worker.isOver = true;
    worker.resolve(jobs);
    return true;
  }

  // The offers of workers that are here, have models loaded and are not free.
  busyOffers(free: ReadonlySet<WorkerId>, nowMs: number): WorkerOffer[] {
    const busy: WorkerOffer[] = [];
    for (const [workerId, { offer, atMs }] of this.#offers) {
      if (nowMs - atMs > busyMsMax) this.#offers.delete(workerId);
      else if (!free.has(workerId) && offer.modelsLoaded.size > 0) busy.push(offer);
    }
    return busy;
  }

  close(): void {
    this.#closing.abort();
    for (const worker of this.#waiting) this.#leave(worker);
  }

  async #leaveLater(worker: WaitingWorker, waitMs: number, limit: AbortSignal): Promise<void> {
    if (waitMs > 0) await this.#clock.sleep(waitMs, limit);
    if (limit.aborted || (worker.wasLookedFor && !this.#isServing)) {
      this.#leave(worker);
      return;
    }
    worker.isLate = true;
    await this.#clock.sleep(serveMsMax, limit);
    this.#leave(worker);
  }

  #leave(worker: WaitingWorker): void {
    this.hand(worker, []);
  }
}
