// Worker tokens, and who works for a pool right now.
import { ChangePoolWorker, CreateWorkerToken, operations, type PoolWorker, type WorkerToken } from "@atelier/contract";
import type { Deployments } from "../../capabilities/deployments/index.ts";
import type { HeldJob, Jobs, PoolId } from "../../capabilities/jobs/index.ts";
import type { Pools, PoolWorker as PresentWorker } from "../../capabilities/pools/index.ts";
import type { WorkerToken as StoredToken, WorkerTokens } from "../../capabilities/tokens/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { parseId, requireId } from "../../foundation/ids.ts";
import { badField } from "../../foundation/json/bad-field.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { requireMoment } from "./require-field.ts";

export interface WorkerTokenRouteDeps {
  readonly workerTokens: Pick<WorkerTokens, "create" | "list" | "revoke">;
  readonly pools: Pick<Pools, "present" | "setDraining">;
  readonly jobs: Pick<Jobs, "held">;
  readonly deployments: Pick<Deployments, "problemsOf">;
  readonly sharedPool: PoolId;
  // Throws invalid_request for a pool that does not exist.
  requirePools(poolIds: readonly PoolId[]): Promise<void>;
}

export function listWorkerTokensRoute({ workerTokens }: WorkerTokenRouteDeps): Route<AdminCaller> {
  return route(operations.listWorkerTokens, async () =>
    freshAnswer(200, { data: (await workerTokens.list()).map(presentToken) }),
  );
}

export function createWorkerTokenRoute(deps: WorkerTokenRouteDeps): Route<AdminCaller> {
  const { workerTokens, sharedPool } = deps;
  return route(operations.createWorkerToken, async (incoming) => {
    const request = requireValid(CreateWorkerToken, await incoming.json());
    const poolIds = request.pool_ids?.map(requirePoolId) ?? [sharedPool];
    await deps.requirePools(poolIds);
    const expiresAt = request.expires_at == null ? null : requireMoment("expires_at", request.expires_at);
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    const made = await workerTokens.create({ name: request.name, poolIds, expiresAt }, by);
    return freshAnswer(201, { ...presentToken(made.token), secret: made.secret });
  });
}

export function revokeWorkerTokenRoute({ workerTokens }: WorkerTokenRouteDeps): Route<AdminCaller> {
  return route(operations.revokeWorkerToken, async (incoming) => {
    await workerTokens.revoke(incoming.params["tokenId"] ?? "", actingAsAdmin(incoming.caller, incoming.requestId));
    return { status: 204 };
  });
}

export function listPoolWorkersRoute(deps: WorkerTokenRouteDeps): Route<AdminCaller> {
  return route(operations.listPoolWorkers, async ({ params }) =>
    freshAnswer(200, { data: await workersOf(deps, namedPool(deps, params)) }),
  );
}

export function changePoolWorkerRoute(deps: WorkerTokenRouteDeps): Route<AdminCaller> {
  return route(operations.changePoolWorker, async (incoming) => {
    const poolId = namedPool(deps, incoming.params);
    const { draining } = requireValid(ChangePoolWorker, await incoming.json());
    const workerId = requireId<"worker">(incoming.params["workerId"], "This pool has no such worker.");
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    await deps.pools.setDraining({ workerId, poolId }, draining, by);
    return { status: 204 };
  });
}

export function namedPool(
  { sharedPool }: Pick<WorkerTokenRouteDeps, "sharedPool">,
  params: Readonly<Record<string, string>>,
): PoolId {
  const word = params["poolId"] ?? "";
  return word === "shared" ? sharedPool : requireId(word, "There is no such pool.");
}

async function workersOf({ pools, jobs, deployments }: WorkerTokenRouteDeps, poolId: PoolId): Promise<PoolWorker[]> {
  const [workers, held] = await Promise.all([pools.present(poolId), jobs.held(poolId)]);
  const byWorker = Map.groupBy(held, ({ workerId }) => workerId);
  const problems = await Promise.all(workers.map((worker) => deployments.problemsOf(poolId, worker)));
  return workers.map((worker, at) => presentWorker(worker, byWorker.get(worker.workerId) ?? [], problems[at] ?? []));
}

function requirePoolId(text: string): PoolId {
  const poolId = parseId<"pool">(text);
  if (poolId === null) throw badField("pool_ids", "must be a list of pool ids");
  return poolId;
}

function presentToken(token: StoredToken): WorkerToken {
  return {
    id: token.id,
    name: token.name,
    pool_ids: [...token.poolIds],
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
  };
}

function presentWorker(worker: PresentWorker, held: readonly HeldJob[], problems: readonly string[]): PoolWorker {
  return {
    id: worker.workerId,
    name: worker.name,
    engine: worker.environment.engine,
    version: worker.environment.version,
    slots: worker.slots,
    node_classes: Object.keys(worker.environment.classes).length,
    models_loaded: [...worker.modelsLoaded],
    seen_at: worker.seenAt.toISOString(),
    draining: worker.isDraining,
    lock_id: worker.lock?.lockId ?? null,
    problems: [...problems],
    jobs: held.map(({ jobId, workspaceId, claimedAt }) => ({
      id: jobId,
      workspace_id: workspaceId,
      started_at: claimedAt.toISOString(),
    })),
  };
}
