// Takes jobs from the queue and runs them, one per slot. The other side of the port fences every write by the attempt. This
// side has what a worker needs to check itself: a heartbeat on a separate timer, and a stop of all work if no heartbeat has
// succeeded for too long, measured on a clock that cannot be set. Jobs the same worker id still has from an earlier process
// are continued first. How a single job ends is in running-job.ts.
import type { Background } from "../../foundation/background.ts";
import { type ClaimedJob, type JobId, leaseKey, type PoolId, type WorkerId, type WorkerOffer } from "../jobs/index.ts";
import { RunningJob, type RunningJobDeps } from "./running-job.ts";

export interface GraphWorkerOptions extends Omit<RunningJobDeps, "selfFenceMs"> {
  readonly workerId: WorkerId;
  readonly poolId: PoolId;
  readonly slots: number;
  // What it can run, sent with every claim. Absent if it takes any job.
  readonly offer?: () => WorkerOffer;
  // Reports a cancel immediately; the heartbeat reports it too, only later. Returns a function that unsubscribes.
  readonly onCancel: (jobId: JobId, canceled: () => void) => () => void;
  readonly heartbeatMs?: number;
  // After this long without a heartbeat the lease may be over: the work is killed and nothing is published.
  readonly selfFenceMs?: number;
  // How long running jobs may continue after the stop before they are given back.
  readonly drainMs: number;
}

export interface GraphWorker {
  // Runs until the signal fires and all running jobs have ended or were given back.
  run(background: Background, signal: AbortSignal): Promise<void>;
  readonly running: number;
}

const claimWaitMs = 5_000;
const pauseAfterProblemMs = 500;

export function createGraphWorker(options: GraphWorkerOptions): GraphWorker {
  return new ClaimingWorker(options);
}

class ClaimingWorker implements GraphWorker {
  readonly #options: GraphWorkerOptions;
  readonly #jobDeps: RunningJobDeps;
  readonly #running = new Map<string, { readonly job: RunningJob; readonly done: Promise<void> }>();
  #slotFreed = Promise.withResolvers<void>();

  constructor(options: GraphWorkerOptions) {
    this.#options = options;
    this.#jobDeps = { ...options, selfFenceMs: options.selfFenceMs ?? 30_000 };
  }

  get running(): number {
    return this.#running.size;
  }

  async run(background: Background, signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const heartbeat = {
      name: "worker: heartbeat of its jobs",
      everyMs: this.#options.heartbeatMs ?? 10_000,
      begins: "after_pause",
      round: () => this.#beatOnce(),
    } as const;
    const beating = background.run(heartbeat, ended.signal);
    await this.#resume(signal);
    await this.#claim(signal);
    await this.#drain();
    ended.abort();
    await beating;
  }

  async #resume(signal: AbortSignal): Promise<void> {
    const { port, workerId, poolId, clock, log } = this.#options;
    while (!signal.aborted) {
      try {
        for (const job of await port.resume({ workerId, poolId })) this.#start(job);
        return;
      } catch (error) {
        log.warn({ err: error }, "could not find out which jobs this worker still has; trying again");
        await clock.sleep(pauseAfterProblemMs, signal);
      }
    }
  }

  async #claim(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      const free = this.#options.slots - this.#running.size;
      if (free <= 0) {
        await this.#untilSlotIsFree(signal);
        continue;
      }
      try {
        const jobs = await this.#claimOnce(free, signal);
        if (failures > 0) log.info({ failures }, "jobs can be claimed again");
        failures = 0;
        for (const job of jobs) this.#start(job);
      } catch (error) {
        if (signal.aborted) return;
        // The source of jobs may be away for hours, so we log only the start and the end of that.
        const say = failures === 0 ? "warn" : "debug";
        log[say]({ err: error }, "could not claim jobs; trying again");
        failures += 1;
        await clock.sleep(pauseAfterProblemMs, signal);
      }
    }
  }

  #claimOnce(slots: number, signal: AbortSignal): Promise<readonly ClaimedJob[]> {
    const { port, workerId, poolId } = this.#options;
    const offer = this.#options.offer?.();
    const asked = { workerId, poolId, slots, waitMs: claimWaitMs, signal };
    return port.claim(offer === undefined ? asked : { ...asked, offer });
  }

  async #untilSlotIsFree(signal: AbortSignal): Promise<void> {
    this.#slotFreed = Promise.withResolvers<void>();
    if (this.#running.size >= this.#options.slots) await Promise.race([this.#slotFreed.promise, abortOf(signal)]);
  }

  #start(claimed: ClaimedJob): void {
    const key = leaseKey(claimed.lease);
    if (this.#running.has(key)) return;
    const job = new RunningJob(this.#jobDeps, claimed);
    // Starts only after the job has been added to the running ones.
    const done = Promise.resolve().then(() => this.#runToTheEnd(key, job));
    this.#running.set(key, { job, done });
  }

  async #runToTheEnd(key: string, job: RunningJob): Promise<void> {
    const { jobId } = job.lease;
    const leave = this.#options.onCancel(jobId, () => job.stop("canceled"));
    try {
      await job.run();
    } catch (error) {
      this.#options.log.error({ err: error, jobId }, "the end of a job could not be stored; its lease will expire");
    } finally {
      leave();
      this.#running.delete(key);
      this.#slotFreed.resolve();
    }
  }

  async #beatOnce(): Promise<void> {
    const { port, clock, log } = this.#options;
    const beating = [...this.#running.values()].map(({ job }) => job);
    if (beating.length === 0) return;
    const atMs = clock.monotonicMs();
    try {
      const states = await port.heartbeat(beating.map(({ lease }) => lease));
      for (const [index, job] of beating.entries()) job.heard(states[index], atMs);
    } catch (error) {
      log.warn({ err: error, jobs: beating.length }, "a heartbeat failed");
    }
    for (const job of beating) {
      job.stopWhenSilent();
      job.repeatProgress();
    }
  }

  async #drain(): Promise<void> {
    const enough = new AbortController();
    const allDone = () => Promise.all([...this.#running.values()].map(({ done }) => done));
    await Promise.race([allDone(), this.#options.clock.sleep(this.#options.drainMs, enough.signal)]);
    enough.abort();
    for (const { job } of this.#running.values()) job.stop("given_back");
    await allDone();
  }
}

function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
