// The jobs the server has given this worker. If the answer to a claim did not arrive, the claim may still have given us
// jobs, so we first ask what we have before we claim more. No job is handed out twice.
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import { type ClaimedJob, type JobLease, leaseKey, type WorkerId, type WorkRequest } from "../jobs/index.ts";
import { ServerCallProblem, type ServerClient } from "./server-client.ts";
import { readJobs } from "./wire.ts";

export interface RemoteClaimsDeps {
  readonly server: ServerClient;
  readonly workerId: WorkerId;
  readonly clock: Clock;
  readonly log: Log;
  // Makes sure the server knows this worker. False if there is nothing to claim for now.
  ready(signal: AbortSignal): Promise<boolean>;
  // The server no longer knows this worker.
  onForgotten(): void;
}

const resumeMs = 15_000;
const claimMarginMs = 10_000;
const refusedPauseMs = 10_000;

export class RemoteClaims {
  readonly #deps: RemoteClaimsDeps;
  readonly #base: string;
  readonly #held = new Map<string, ClaimedJob>();
  #isUnsure = false;

  constructor(deps: RemoteClaimsDeps) {
    this.#deps = deps;
    this.#base = `/api/workers/${deps.workerId}`;
  }

  held(): readonly ClaimedJob[] {
    return [...this.#held.values()];
  }

  drop(lease: JobLease): void {
    this.#held.delete(leaseKey(lease));
  }

  async claim(asked: Omit<WorkRequest, "workerId">): Promise<readonly ClaimedJob[]> {
    if (!(await this.#deps.ready(asked.signal))) return [];
    if (this.#isUnsure) {
      const found = await this.#askAgain();
      if (found.length > 0) return found;
    }
    try {
      return await this.#claimOnce(asked);
    } catch (error) {
      // Stopped while waiting. If the server gave us jobs meanwhile, it takes them back or we ask for them again.
      if (asked.signal.aborted) return [];
      this.noticed(error);
      if (error instanceof ServerCallProblem && error.status === 401) {
        this.#deps.log.error({ err: error }, "the server refuses this worker's token");
        await this.#deps.clock.sleep(refusedPauseMs, asked.signal);
      }
      throw error;
    }
  }

  async resume(): Promise<readonly ClaimedJob[]> {
    return (await this.#deps.ready(new AbortController().signal)) ? this.#askAgain() : [];
  }

  // If an error shows that the server has forgotten us, we report again.
  noticed(error: unknown): unknown {
    if (error instanceof ServerCallProblem && error.status === 403) this.#deps.onForgotten();
    return error;
  }

  async #claimOnce({ slots, waitMs, offer, signal }: Omit<WorkRequest, "workerId">): Promise<readonly ClaimedJob[]> {
    const json = {
      slots: Math.min(slots, 64),
      wait_ms: waitMs,
      models_loaded: [...(offer?.modelsLoaded ?? [])].slice(0, 200),
    };
    this.#isUnsure = true;
    const totalMs = waitMs + claimMarginMs;
    const answer = await this.#deps.server.call({
      method: "POST",
      path: `${this.#base}/claims`,
      json,
      totalMs,
      signal,
    });
    this.#isUnsure = false;
    return this.#remember(readJobs(answer, this.#deps.workerId, "claimed"));
  }

  async #askAgain(): Promise<readonly ClaimedJob[]> {
    const answer = await this.#deps.server.call({ method: "GET", path: `${this.#base}/jobs`, totalMs: resumeMs });
    this.#isUnsure = false;
    return this.#remember(readJobs(answer, this.#deps.workerId, "resumed"));
  }

  #remember(jobs: readonly ClaimedJob[]): readonly ClaimedJob[] {
    const fresh = jobs.filter(({ lease }) => !this.#held.has(leaseKey(lease)));
    for (const job of fresh) this.#held.set(leaseKey(job.lease), job);
    return fresh;
  }
}
