// Takes jobs from the queue and runs them, a slot each. Every write is fenced by the attempt on the other side of the
// port; here is what keeps a worker honest with itself: a heartbeat on its own timer, and a stop of all work when no
// heartbeat has come through for too long, measured on a clock that cannot be set. What the same worker id still had
// from a process before this one is gone on with first.
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import { AwayFault, Fault, isPassingFault } from "../../foundation/fault.ts";
import type { Log } from "../../foundation/log.ts";
import { retry } from "../../foundation/retry.ts";
import type {
  ClaimedJob,
  JobEnding,
  JobId,
  JobLease,
  PoolId,
  WorkerId,
  WorkerOffer,
  WorkerPort,
} from "../jobs/index.ts";
import { type GraphRunner, LeaseLost, type RunReport } from "./graph-runner.ts";

export interface GraphWorkerOptions {
  readonly workerId: WorkerId;
  readonly poolId: PoolId;
  readonly slots: number;
  readonly port: WorkerPort;
  readonly runner: GraphRunner;
  // What it can run, asked for with every claim; absent: whatever comes.
  readonly offer?: () => WorkerOffer;
  readonly clock: Clock;
  readonly log: Log;
  // Tells at once that a job is to be canceled; the heartbeat tells it too, only later. Returns the way to stop asking.
  readonly onCancel: (jobId: JobId, canceled: () => void) => () => void;
  readonly heartbeatMs?: number;
  // Without a heartbeat for this long the lease may be over: the work is killed and nothing is published.
  readonly selfFenceMs?: number;
  // How long running jobs may go on after the stop before they are given back.
  readonly drainMs: number;
}

export interface GraphWorker {
  // Until the signal fires and what ran has ended or was given back.
  run(background: Background, signal: AbortSignal): Promise<void>;
  readonly running: number;
}

// `silent`: no heartbeat came through, so the lease may be lost; nobody has said so.
type StopReason = "canceled" | "lost" | "silent" | "given_back";

interface Running {
  readonly lease: JobLease;
  readonly stop: AbortController;
  readonly done: Promise<void>;
  beatAtMs: number;
  reason: StopReason | null;
}

const claimWaitMs = 5_000;
const pauseAfterProblemMs = 500;
// An end that cannot be stored for so long is left to the lease. The work is done; only the slot waits.
const storeEndMsMax = 600_000;

export function createGraphWorker(options: GraphWorkerOptions): GraphWorker {
  const { port, clock, log, slots, workerId, poolId } = options;
  const heartbeatMs = options.heartbeatMs ?? 10_000;
  const selfFenceMs = options.selfFenceMs ?? 30_000;
  const running = new Map<string, Running>();
  let slotFreed = Promise.withResolvers<void>();

  function stopRun(run: Running, reason: StopReason): void {
    run.reason ??= reason;
    run.stop.abort(run.reason === "silent" ? "lost" : run.reason);
  }

  const trying = (more: { readonly totalMsMax: number; readonly signal?: AbortSignal }) => ({
    attemptsMax: Number.POSITIVE_INFINITY,
    firstDelayMs: 100,
    delayMsMax: 2_000,
    isRetryable: isPassingFault,
    clock,
    random: Math.random,
    ...more,
  });

  // Fenced on the other side, so it may be tried for as long as there is somebody to try.
  const stored = <T>(store: () => Promise<T>): Promise<T> => retry(store, trying({ totalMsMax: storeEndMsMax }));

  function start(job: ClaimedJob): void {
    const stop = new AbortController();
    const key = keyOf(job.lease);
    if (running.has(key)) return;
    const run: Running = {
      lease: job.lease,
      stop,
      beatAtMs: clock.monotonicMs(),
      reason: null,
      done: Promise.resolve().then(async () => {
        const leave = options.onCancel(job.lease.jobId, () => stopRun(run, "canceled"));
        try {
          await runToTheEnd(job, run);
        } catch (error) {
          log.error(
            { err: error, jobId: job.lease.jobId },
            "the end of a job could not be stored; its lease will lapse",
          );
        } finally {
          leave();
          running.delete(key);
          slotFreed.resolve();
        }
      }),
    };
    running.set(key, run);
  }

  async function runToTheEnd(job: ClaimedJob, run: Running): Promise<void> {
    let ending: JobEnding;
    try {
      ending = await options.runner.run(job, reportOf(run), run.stop.signal);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      if (error instanceof AwayFault) {
        log.warn({ err: error, jobId: job.lease.jobId }, "a job is given back: what it needs of us is away");
        return stored(() => port.giveBack(job.lease));
      }
      if (!run.stop.signal.aborted) log.error({ err: error, jobId: job.lease.jobId }, "a graph could not be run");
      ending =
        error instanceof Fault ? refusedEnding(error) : { kind: "failed", problem: runnerFailed, isRetryable: true };
    }
    switch (run.reason) {
      case "lost":
        return;
      case "silent":
        // Nothing is published; if nobody has taken it meanwhile, the job need not be counted as lost.
        await stored(() => port.giveBack(job.lease));
        return;
      case "given_back":
        // Ended all the same while it was being stopped: then that is what happened.
        if (ending.kind === "succeeded") await stored(() => port.finish(job.lease, ending));
        else await stored(() => port.giveBack(job.lease));
        return;
      case "canceled": {
        const canceled: JobEnding = ending.kind === "succeeded" ? ending : { kind: "canceled" };
        await stored(() => port.finish(job.lease, canceled));
        return;
      }
      default:
        await stored(() => port.finish(job.lease, ending));
    }
  }

  function reportOf(run: Running): RunReport {
    const { lease } = run;
    // The trouble of a database shows in the heartbeats too: then the worker's own fence ends this.
    const insist = <T>(work: () => Promise<T>): Promise<T> =>
      retry(work, trying({ totalMsMax: 2 * selfFenceMs, signal: run.stop.signal }));
    return {
      progress: (progress) => port.progress(lease, progress),
      preview: (preview) => port.preview(lease, preview),
      async output({ open, ...wish }) {
        const kept = await insist(async () => port.output(lease, { ...wish, source: await open() }));
        if (kept !== null) return;
        stopRun(run, "lost");
        throw new LeaseLost();
      },
      releasePart: (part) => insist(() => port.releasePart(lease, part)),
      insist,
    };
  }

  async function beatOnce(): Promise<void> {
    const beating = [...running.values()];
    if (beating.length === 0) return;
    const atMs = clock.monotonicMs();
    try {
      const states = await port.heartbeat(beating.map((run) => run.lease));
      for (const [index, run] of beating.entries()) {
        if (states[index] === "lost") stopRun(run, "lost");
        else run.beatAtMs = atMs;
        if (states[index] === "canceling") stopRun(run, "canceled");
      }
    } catch (error) {
      log.warn({ err: error, jobs: beating.length }, "a heartbeat did not come through");
    }
    for (const run of beating) if (clock.monotonicMs() - run.beatAtMs >= selfFenceMs) stopRun(run, "silent");
  }

  async function claim(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const free = slots - running.size;
      if (free <= 0) {
        slotFreed = Promise.withResolvers<void>();
        if (running.size >= slots) await Promise.race([slotFreed.promise, abortOf(signal)]);
        continue;
      }
      try {
        const offer = options.offer?.();
        const asked = { workerId, poolId, slots: free, waitMs: claimWaitMs, signal };
        const jobs = await port.claim(offer === undefined ? asked : { ...asked, offer });
        if (failures > 0) log.info({ failures }, "jobs can be claimed again");
        failures = 0;
        for (const job of jobs) start(job);
      } catch (error) {
        if (signal.aborted) return;
        // Whoever gives out jobs may be away for hours: it is said when it begins and when it ends.
        const say = failures === 0 ? "warn" : "debug";
        log[say]({ err: error }, "no jobs could be claimed; trying again");
        failures += 1;
        await clock.sleep(pauseAfterProblemMs, signal);
      }
    }
  }

  async function resume(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for (const job of await port.resume({ workerId, poolId })) start(job);
        return;
      } catch (error) {
        log.warn({ err: error }, "it is not known yet what this worker still has; trying again");
        await clock.sleep(pauseAfterProblemMs, signal);
      }
    }
  }

  async function drain(): Promise<void> {
    const enough = new AbortController();
    const all = Promise.all([...running.values()].map((run) => run.done));
    await Promise.race([all, clock.sleep(options.drainMs, enough.signal)]);
    enough.abort();
    for (const run of running.values()) stopRun(run, "given_back");
    await Promise.all([...running.values()].map((run) => run.done));
  }

  return {
    get running() {
      return running.size;
    },
    async run(background, signal) {
      const ended = new AbortController();
      const heartbeat = {
        name: "worker: heartbeat of its jobs",
        everyMs: heartbeatMs,
        begins: "after_pause",
        round: beatOnce,
      } as const;
      const beating = background.run(heartbeat, ended.signal);
      await resume(signal);
      await claim(signal);
      await drain();
      ended.abort();
      await beating;
    },
  };
}

// What was foreseen says itself what is wrong. Only what another attempt would meet again is the end.
function refusedEnding({ code, message }: Fault): JobEnding {
  const isFinal = code === "quota_exceeded" || code === "payload_too_large" || code === "invalid_request";
  return { kind: "failed", problem: { code, message, nodeId: null, classType: null }, isRetryable: !isFinal };
}

const runnerFailed = {
  code: "engine_crashed",
  message: "The engine that ran this job failed. It is tried again while it has attempts left.",
  nodeId: null,
  classType: null,
};

const keyOf = (lease: JobLease): string => `${lease.jobId} ${lease.attempt}`;

function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
