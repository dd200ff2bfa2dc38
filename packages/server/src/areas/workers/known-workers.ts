// Which worker is calling, for which pool, and what it can run. Needed for every request, so it is cached for a few seconds. A
// worker id that comes with another token is refused like one that never reported.
import type { JobLease, PoolId, WorkerId } from "../../capabilities/jobs/index.ts";
import type { Pools, WorkerStatus } from "../../capabilities/pools/index.ts";
import type { WorkerCaller } from "../../capabilities/tokens/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";
import { parseId } from "../../foundation/ids.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";

export interface KnownWorkersDeps {
  readonly pools: Pick<Pools, "statusOf" | "seen">;
  readonly clock: Clock;
}

export interface KnownWorker extends WorkerStatus {
  readonly workerId: WorkerId;
}

type Request = Pick<Incoming<WorkerCaller>, "caller" | "params">;

export interface KnownWorkers {
  // Throws forbidden if this worker has not reported with this token, or not for one of its token's pools.
  of(request: Request): Promise<KnownWorker>;
  // Throws forbidden, and not_found if it is not a lease.
  lease(request: Request): Promise<{ readonly worker: KnownWorker; readonly lease: JobLease }>;
  // Call when the worker has reported again.
  changed(workerId: WorkerId): void;
  // Records a sign of life from time to time.
  seen(worker: KnownWorker, modelsLoaded: readonly string[] | null): void;
}

interface Kept {
  readonly worker: KnownWorker;
  seenAtMs: number;
  models: string;
}

const keptMs = 5_000;
const keptMax = 10_000;
const seenEveryMs = 10_000;

export function createKnownWorkers({ pools, clock }: KnownWorkersDeps): KnownWorkers {
  const kept = new TtlCache<WorkerId, Kept>({ clock, keepMs: keptMs, entriesMax: keptMax });

  async function read(workerId: WorkerId): Promise<KnownWorker | null> {
    const known = kept.get(workerId);
    if (known) return known.worker;
    const found = await pools.statusOf(workerId);
    if (found === null) return null;
    const status = { ...found, workerId };
    const { seenAtMs = Number.NEGATIVE_INFINITY, models = "" } = kept.getStale(workerId) ?? {};
    kept.set(workerId, { worker: status, seenAtMs, models });
    return status;
  }

  async function of({ caller, params }: Request): Promise<KnownWorker> {
    const workerId = parseId<"worker">(params["workerId"] ?? "");
    const known = workerId && (await read(workerId));
    const isOwn = known?.tokenId === caller.tokenId && caller.poolIds.includes(known.poolId);
    if (!isOwn) throw new Fault("forbidden", "This worker has not registered with this token. Send its report first.");
    return known;
  }

  return {
    of,
    async lease(request) {
      const known = await of(request);
      const jobId = parseId<"job">(request.params["jobId"] ?? "");
      const attempt = /^[1-9][0-9]{0,6}$/.test(request.params["attempt"] ?? "")
        ? Number(request.params["attempt"])
        : null;
      if (jobId === null || attempt === null) throw noSuchLease();
      return { worker: known, lease: { jobId, attempt, workerId: known.workerId } };
    },
    changed: (workerId) => kept.delete(workerId),
    seen({ workerId }, modelsLoaded) {
      const known = kept.getStale(workerId);
      const models = modelsLoaded?.join("\n") ?? known?.models ?? "";
      const nowMs = clock.monotonicMs();
      if (!known || (nowMs - known.seenAtMs < seenEveryMs && models === known.models)) return;
      known.seenAtMs = nowMs;
      known.models = models;
      // Only a hint: the next sign of life will come soon.
      pools.seen(workerId, modelsLoaded).catch(() => undefined);
    },
  };
}

export function requireWorkerId(params: Readonly<Record<string, string>>): WorkerId {
  const workerId = parseId<"worker">(params["workerId"] ?? "");
  if (workerId === null) throw new Fault("invalid_request", "The worker id must be a UUID in lower case.");
  return workerId;
}

// The same for unknown, foreign and lost leases: a worker that does not hold a job learns nothing about it.
export function noSuchLease(): Fault {
  return new Fault("not_found", "This worker does not hold this attempt of the job.");
}

export function requirePool(caller: WorkerCaller, asked: string | null): PoolId {
  const [only] = caller.poolIds;
  if (asked === null && only !== undefined && caller.poolIds.length === 1) return only;
  if (asked === null) throw new Fault("invalid_request", "This token is for several pools: pool_id must name one.");
  const poolId = caller.poolIds.find((id) => id === asked);
  if (poolId === undefined) throw new Fault("forbidden", "This token is not for that pool.");
  return poolId;
}
