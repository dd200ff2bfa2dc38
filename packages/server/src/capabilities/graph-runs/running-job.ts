// One job this worker runs, from its claim to the stored end. It writes outputs while it runs, each with retries, and then
// one end. Every write names the attempt, and the other side refuses writes of any attempt but the newest, so each may be
// retried for as long as this process lives.
// Which end it is depends on why the job was stopped. If the lease is lost, nothing is written. If the lease may be lost,
// nothing is published and the job is given back, so that it need not count as lost. A job that succeeded while it was being
// stopped has succeeded. If the end cannot be stored, the lease lapses.
import type { Clock } from "../../foundation/clock.ts";
import { AwayFault, Fault, isPassingFault } from "../../foundation/fault.ts";
import type { Log } from "../../foundation/log.ts";
import { retry } from "../../foundation/retry.ts";
import type { Span, Tracer } from "../../foundation/tracing/index.ts";
import type { ClaimedJob, JobEnding, JobLease, JobProgress, LeaseState, WorkerPort } from "../jobs/index.ts";
import { type GraphRunner, LeaseLost, type RunReport } from "./graph-runner.ts";
import type { NodeBoard } from "./node-board.ts";

export interface RunningJobDeps {
  readonly port: WorkerPort;
  readonly runner: GraphRunner;
  readonly clock: Clock;
  readonly log: Log;
  // After this long without a heartbeat the lease may be over: the work is killed and nothing is published.
  readonly selfFenceMs: number;
  // Null or absent: no traces.
  readonly tracer?: Tracer | null;
}

// `silent`: no heartbeat succeeded, so the lease may be lost, but that is not confirmed.
export type StopReason = "canceled" | "lost" | "silent" | "given_back";

// If an end cannot be stored for this long, the lease lapses. The work is done; only the slot waits.
const storeEndMsMax = 600_000;

export class RunningJob {
  readonly #deps: RunningJobDeps;
  readonly #job: ClaimedJob;
  readonly #stop = new AbortController();
  #beatAtMs: number;
  #reason: StopReason | null = null;
  #board: NodeBoard | null = null;
  #progress: JobProgress | null = null;
  #span: Span | null = null;

  constructor(deps: RunningJobDeps, job: ClaimedJob) {
    this.#deps = deps;
    this.#job = job;
    this.#beatAtMs = deps.clock.monotonicMs();
  }

  get lease(): JobLease {
    return this.#job.lease;
  }

  // Only the first reason counts.
  stop(reason: StopReason): void {
    this.#reason ??= reason;
    this.#stop.abort(this.#reason === "silent" ? "lost" : this.#reason);
  }

  // The result of a heartbeat sent at that time.
  heard(state: LeaseState | undefined, sentAtMs: number): void {
    if (state === "lost") this.stop("lost");
    else this.#beatAtMs = sentAtMs;
    if (state === "canceling") this.stop("canceled");
  }

  // A slow node reports nothing in between, so we repeat the last progress with its current running time.
  repeatProgress(): void {
    if (this.#progress !== null && this.#board?.isRunning === true && !this.#stop.signal.aborted)
      this.#deps.port.progress(this.lease, this.#progress, () => this.#nodesNow());
  }

  // The worker's own fence, on a clock that cannot be set.
  stopWhenSilent(): void {
    const { clock, selfFenceMs } = this.#deps;
    if (clock.monotonicMs() - this.#beatAtMs >= selfFenceMs) this.stop("silent");
  }

  async run(): Promise<void> {
    const { tracer = null } = this.#deps;
    if (tracer === null) return this.#runToTheEnd();
    const { jobId, attempt } = this.lease;
    const attributes = { "atelier.job_id": jobId, "atelier.attempt": attempt, "atelier.nodes": this.#job.nodesTotal };
    const after = this.#job.traceparent ?? null;
    await tracer.around({ name: "run job", kind: "consumer", after, attributes }, async (span) => {
      this.#span = span;
      await this.#runToTheEnd();
    });
  }

  async #runToTheEnd(): Promise<void> {
    const { runner, log } = this.#deps;
    const { jobId } = this.lease;
    let ending: JobEnding;
    try {
      ending = await runner.run(this.#job, this.#report(), this.#stop.signal);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      if (error instanceof AwayFault) {
        log.warn({ err: error, jobId }, "a job was returned to the queue: a service it needs is unavailable");
        return this.#giveBack();
      }
      if (!this.#stop.signal.aborted) log.error({ err: error, jobId }, "a graph could not be run");
      ending =
        error instanceof Fault ? refusedEnding(error) : { kind: "failed", problem: runnerFailed, isRetryable: true };
    }
    await this.#settle(ending);
  }

  async #settle(ending: JobEnding): Promise<void> {
    const hasSucceeded = ending.kind === "succeeded";
    switch (this.#reason) {
      case "lost":
        return;
      case "silent":
        return this.#giveBack();
      case "given_back":
        return hasSucceeded ? this.#finish(ending) : this.#giveBack();
      case "canceled":
        return this.#finish(hasSucceeded ? ending : { kind: "canceled" });
      default:
        return this.#finish(ending);
    }
  }

  async #finish(ending: JobEnding): Promise<void> {
    this.#progress = null;
    this.#board?.close(ending);
    const nodes = this.#nodesNow();
    this.#span?.note("atelier.outcome", ending.kind);
    if (ending.kind === "failed") this.#span?.failed(ending.problem.code);
    await this.#try(() => this.#deps.port.finish(this.lease, ending, nodes), { totalMsMax: storeEndMsMax });
  }

  #nodesNow(): string | null {
    return this.#board?.picture(this.lease.attempt) ?? null;
  }

  async #giveBack(): Promise<void> {
    await this.#try(() => this.#deps.port.giveBack(this.lease), { totalMsMax: storeEndMsMax });
  }

  #report(): RunReport {
    const { port, selfFenceMs } = this.#deps;
    const { lease } = this;
    // If the database has a problem, heartbeats fail too, and then the worker's own fence ends this.
    const insist = <T>(work: () => Promise<T>): Promise<T> =>
      this.#inTrace(() => this.#try(work, { totalMsMax: 2 * selfFenceMs, signal: this.#stop.signal }));
    return {
      progress: (progress) => {
        this.#progress = progress;
        port.progress(lease, progress, () => this.#nodesNow());
      },
      nodes: (board) => {
        this.#board = board;
      },
      preview: (preview) => port.preview(lease, preview),
      output: async ({ open, ...output }) => {
        const kept = await insist(async () => port.output(lease, { ...output, source: await open() }));
        if (kept !== null) return;
        this.stop("lost");
        throw new LeaseLost();
      },
      releasePart: (part) => insist(() => port.releasePart(lease, part)),
      insist,
    };
  }

  // Requests of a graph come from its child process, which knows no trace.
  #inTrace<T>(work: () => Promise<T>): Promise<T> {
    const { tracer = null } = this.#deps;
    return tracer === null || this.#span === null ? work() : tracer.within(this.#span, work);
  }

  #try<T>(work: () => Promise<T>, limit: { readonly totalMsMax: number; readonly signal?: AbortSignal }): Promise<T> {
    return retry(work, {
      attemptsMax: Number.POSITIVE_INFINITY,
      firstDelayMs: 100,
      delayMsMax: 2_000,
      isRetryable: isPassingFault,
      clock: this.#deps.clock,
      random: Math.random,
      ...limit,
    });
  }
}

// A foreseen failure explains itself. It is final only if another attempt would hit it again.
function refusedEnding({ code, message }: Fault): JobEnding {
  const isFinal = code === "quota_exceeded" || code === "payload_too_large" || code === "invalid_request";
  return { kind: "failed", problem: { code, message, nodeId: null, classType: null }, isRetryable: !isFinal };
}

const runnerFailed = {
  code: "engine_crashed",
  message: "The engine that ran this job failed. The job is retried while it has attempts left.",
  nodeId: null,
  classType: null,
};
