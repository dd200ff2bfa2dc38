// Processes that start and stop workers: they report what they do, and wait for how many are wanted.
import { operations, ReportScaler, type ScalerOrders } from "@atelier/contract";
import type { Deployments } from "../../capabilities/deployments/index.ts";
import type { Jobs } from "../../capabilities/jobs/index.ts";
import type { Pools } from "../../capabilities/pools/index.ts";
import type { WorkerCaller } from "../../capabilities/tokens/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { parseId } from "../../foundation/ids.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { requirePool } from "./known-workers.ts";

export interface ScalerRouteDeps {
  readonly deployments: Pick<Deployments, "scaling">;
  readonly pools: Pick<Pools, "present">;
  readonly jobs: Pick<Jobs, "held">;
}

export function reportScalerRoute({ deployments, pools, jobs }: ScalerRouteDeps): Route<WorkerCaller> {
  return route(operations.reportScaler, async (incoming) => {
    const id = parseId<"scaler">(incoming.params["scalerId"] ?? "");
    if (id === null) throw new Fault("invalid_request", "The scaler id must be a UUID in lower case.");
    const request = requireValid(ReportScaler, await incoming.json());
    const poolId = requirePool(incoming.caller, request.pool_id ?? null);
    incoming.waitsForOthers();
    const { failure } = request;
    const answer = await deployments.scaling.report({
      id,
      poolId,
      tokenId: incoming.caller.tokenId,
      name: request.name,
      running: request.running,
      starting: request.starting,
      draining: request.draining,
      failure: failure && { at: failure.at, message: failure.message, lines: failure.lines, retryAt: failure.retry_at },
      workersMin: request.workers_min,
      workersMax: request.workers_max,
      jobsPerWorker: request.jobs_per_worker,
      idleSeconds: request.idle_seconds,
      knownWanted: request.known_wanted,
      waitMs: request.wait_ms,
      signal: incoming.waitSignal,
    });
    const [present, held] = await Promise.all([pools.present(poolId), jobs.held(poolId)]);
    const byWorker = Map.groupBy(held, ({ workerId }) => workerId);
    const orders: ScalerOrders = {
      pool_id: poolId,
      workers_wanted: answer.workersWanted,
      workers_min: answer.workersMin,
      workers_max: answer.workersMax,
      unfinished_jobs: answer.unfinishedJobs,
      workers: present.map(({ workerId }) => ({ id: workerId, jobs: byWorker.get(workerId)?.length ?? 0 })),
    };
    return jsonAnswer(200, orders, { "cache-control": "no-store" });
  });
}
