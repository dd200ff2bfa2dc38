// One dispatcher per pool and process. Workers wait here (waiting-workers.ts), find-work.ts finds jobs for them, and the
// dispatcher claims those and hands them over. A worker learns of a job only after its claim is written, with attempt and
// lease. If the worker has left by then, the job is given back; if that fails too, or this process dies in between, the
// lease lapses and the sweep puts the job back.
import type { Log } from "../../../foundation/log.ts";
import { oneLoop } from "../../../foundation/memory/one-loop.ts";
import type { ReadyHint } from "../changes/job-hints.ts";
import type { ClaimedJob, JobLease, WorkRequest } from "../worker-port.ts";
import type { ClaimRequest } from "./claim-jobs.ts";
import { type FindWorkDeps, WorkFinder } from "./find-work.ts";
import { type Served, type WaitingWorker, WaitingWorkers } from "./waiting-workers.ts";

export interface DispatcherDeps extends FindWorkDeps {
  readonly log: Log;
  claim(requests: readonly ClaimRequest[]): Promise<ClaimedJob[]>;
  giveBack(lease: JobLease): Promise<void>;
}

export interface Dispatcher {
  claim(request: WorkRequest): Promise<readonly ClaimedJob[]>;
  hint(hint: ReadyHint): void;
  close(): void;
}

const failurePauseMs = 500;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { clock, log } = deps;
  const waiting = new WaitingWorkers(clock);
  const finder = new WorkFinder(deps);
  const closing = new AbortController();
  let bell = new AbortController();

  async function claimFor(here: readonly WaitingWorker[]): Promise<Served> {
    const { claims, isWhole } = await finder.find(here, (free, nowMs) => waiting.busyOffers(free, nowMs));
    if (claims.size === 0) return "nobody";
    const asked = [...claims].map(([jobId, { workerId, lockId }]) => ({ jobId, workerId, lockId }));
    const claimed = Map.groupBy(await deps.claim(asked), ({ lease }) => claims.get(lease.jobId));
    for (const [worker, jobs] of claimed) if (worker && !waiting.hand(worker, jobs)) giveBack(deps, jobs);
    return isWhole ? "all" : "some";
  }

  const pump = oneLoop(
    () => waiting.size > 0 && !closing.signal.aborted,
    async () => {
      bell = new AbortController();
      const served = await waiting.serve(claimFor).catch(async (err: unknown) => {
        log.warn({ err }, "could not claim jobs; trying again");
        await clock.sleep(failurePauseMs, closing.signal);
        return "all";
      });
      if (served === "nobody") await clock.sleep(finder.pauseMs(), AbortSignal.any([bell.signal, closing.signal]));
    },
  );

  return {
    claim(request) {
      if (request.slots < 1 || request.signal.aborted || closing.signal.aborted) return Promise.resolve([]);
      const answer = waiting.wait(request);
      bell.abort();
      void pump();
      return answer;
    },
    hint(hint) {
      finder.hint(hint);
      bell.abort();
    },
    close() {
      closing.abort();
      waiting.close();
    },
  };
}

function giveBack(deps: DispatcherDeps, jobs: readonly ClaimedJob[]): void {
  for (const { lease } of jobs) {
    deps
      .giveBack(lease)
      .catch((err: unknown) => deps.log.warn({ err, jobId: lease.jobId }, "a job could not be returned to the queue"));
  }
}
