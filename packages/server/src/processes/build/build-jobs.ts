// v2 jobs of this process: the queue, the engine that runs graphs, the worker between them, and who is notified.

import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import type { Badge } from "@atelier/contract";
import type { ClassSet } from "@atelier/engine";
import { createStreamQuota, type WorkflowWork } from "../../areas/workflows/index.ts";
import type { Assets } from "../../capabilities/assets/index.ts";
import { besideJobs, createGraphWorker, embeddedRunner, openEngine } from "../../capabilities/graph-runs/index.ts";
import {
  awaitedWorkers,
  engineGraphs,
  type GraphModels,
  type NodePolicy,
  type OpenGraphFileDeps,
  openGraphFile,
  priceGraph,
} from "../../capabilities/graphs/index.ts";
import {
  createJobs,
  type JobNotifier,
  type Jobs,
  jobPlannerSettings,
  outputsOf,
  type PoolId,
  type WorkerId,
  type WorkerPort,
} from "../../capabilities/jobs/index.ts";
import { type CallFromGraph, type ModelCalls, nodeCaller } from "../../capabilities/model-calls/index.ts";
import type { Pools } from "../../capabilities/pools/index.ts";
import { parseCredits } from "../../capabilities/prices/index.ts";
import { createSealer } from "../../capabilities/secrets/index.ts";
import type { EgressPolicies } from "../../foundation/http/outgoing/egress-policies.ts";
import { trustedId } from "../../foundation/ids.ts";
import { createJsonReader } from "../../foundation/json/large-json.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { serverVersion } from "../server-version.ts";
import type { ServingDeps } from "./serving-deps.ts";

export interface JobsBuildDeps extends ServingDeps {
  readonly assets: Assets;
  readonly notifier: JobNotifier;
  readonly egress: EgressPolicies;
  readonly policy: NodePolicy;
  readonly pools: Pick<Pools, "environments">;
  // What graphs can ask of the router.
  readonly router: GraphRouter;
}

// The worker of this process: whose jobs it takes, through which port, and within which limits.
export interface OwnWorker {
  readonly workerId: WorkerId;
  readonly poolId: PoolId;
  readonly slots: number;
  readonly port: WorkerPort;
  readonly jobSecondsMax: number;
  readonly jobMemoryMegabytesMax: number;
}

export interface GraphRouter extends GraphModels, Pick<OpenGraphFileDeps, "upstream" | "isServedAddress" | "client"> {
  // The version of a served model's definition. Null if it is not served, or its definition is only in this process.
  definitionVersionOf(modelId: string): number | null;
  readonly call: CallFromGraph;
  // Asks providers to stop what nodes of these jobs have there.
  cancelCallsOf: ModelCalls["cancelCallsOf"];
  // What graphs can use: the engine's classes, and those declared for models.
  readonly classes: ClassSet;
  // The badges of declared classes, by name.
  badges(): ReadonlyMap<string, Badge>;
}

export interface BuiltJobs {
  readonly jobs: Jobs;
  readonly work: WorkflowWork;
  // How many graphs run in parallel in this process. With 0 it runs none.
  readonly slots: number;
  // Call once, when everything that a job needs is ready.
  startWorker(worker: OwnWorker): void;
}

export function buildJobs(deps: JobsBuildDeps): BuiltJobs {
  const { config, life, clock, log, capabilities, paying, assets, router } = deps;
  const pricePerSecond = secondPrice(config.jobSecondCredits);
  const database = deps.storage.open("connections of jobs", { poolSize: 4, readers: 1, settings: jobPlannerSettings });
  const jobs = createJobs({
    database,
    clock,
    log,
    bus: paying.bus,
    assets,
    limits: capabilities.limits,
    sealer: createSealer(capabilities.keyRing),
    cursors: capabilities.cursors,
    notifier: deps.notifier,
    cancelBegan: (canceled) =>
      void router
        .cancelCallsOf(canceled)
        .catch((error: unknown) => log.warn({ err: error }, "calls of a canceled job could not be stopped")),
    audit: capabilities.audit,
    outputs: outputsOf({ ...deps, egress: deps.egress.outputs, version: serverVersion }),
    metrics: deps.metrics,
    tracer: deps.tracer ?? null,
    settings: {
      leaseSeconds: config.jobLeaseSeconds,
      keepSeconds: config.jobKeepDays * 86_400,
      runPricePerSecond: pricePerSecond,
      workspaceShare: config.workspaceSharePercent / 100,
    },
  });
  life.onStop("jobs", () => jobs.close(), 15);
  life.work("upkeep of jobs", jobs);
  const bodies = createJsonReader(clock);
  life.onStop("threads for large submissions", () => bodies.close());
  const work: WorkflowWork = {
    jobs,
    bodies,
    streamQuota: createStreamQuota({ limits: capabilities.limits }),
    graphs: engineGraphs(router, config.applicationProfile),
    policy: deps.policy,
    awaited: awaitedWorkers(jobs, deps.pools),
    withinBudgets: ({ keyId, jobId, ...job }) =>
      paying.keyCaps.requireJobWithinBudgets({ ...job, apiKeyId: keyId, callId: trustedId<"call">(jobId) }),
    price: priceGraph(router, pricePerSecond * BigInt(config.jobSecondsMax)),
    pastRuns: paying.pastRuns,
    egress: deps.egress,
    cursors: capabilities.cursors,
    health: () => ({ status: "healthy", version: serverVersion }),
  };
  const slots = config.engineSlots ?? availableParallelism();
  return { jobs, work, slots, startWorker: (own) => runGraphs(deps, jobs, own) };
}

function runGraphs(deps: JobsBuildDeps, jobs: Jobs, own: OwnWorker): void {
  const { config, life, clock, log, router } = deps;
  const { slots } = own;
  if (slots === 0) return;
  const ownOffer = { classes: new Set(router.classes.names), modelsLoaded: new Set<string>() };
  const { engine, limits } = openEngine(deps, {
    ...own,
    nodeSecondsMax: config.nodeSecondsMax,
    applicationProfile: config.applicationProfile,
    folder: join(resolve(config.home), "engine"),
  });
  const worker = createGraphWorker({
    workerId: own.workerId,
    poolId: own.poolId,
    slots,
    port: own.port,
    runner: embeddedRunner({
      engine,
      openFile: openGraphFile({ ...router, assets: deps.assets, blobs: deps.paying.blobs }),
      callModel: nodeCaller(deps.capabilities.identity, router.call),
      isAlone: async (workspaceId) => (await deps.capabilities.limits.limitOf(workspaceId, "own_engine")) > 0,
      limits,
      classes: router.classes,
      clock,
    }),
    tracer: deps.tracer ?? null,
    offer: () => ownOffer,
    clock,
    log,
    ...besideJobs(jobs, config.jobLeaseSeconds),
    drainMs: config.jobDrainSeconds * 1000,
  });
  life.work("running graphs", worker, config.jobDrainSeconds + 15);
}

function secondPrice(text: string | null): bigint {
  if (text === null) return 0n;
  const price = parseCredits(text);
  if (price === null || price < 0n)
    throw new UsageProblem([`ATELIER_JOB_SECOND_CREDITS must be an amount such as 0.05, not "${text}".`]);
  return price;
}
