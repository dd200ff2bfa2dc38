// The v2 workflow API of the managed cloud, with the content origin.

import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { operations } from "@atelier/contract";
import type { AccountDeps } from "../../areas/account/index.ts";
import { content } from "../../areas/content/index.ts";
import { nodeArchives } from "../../areas/node-registry/index.ts";
import { estimateWorkflow, jobNotifier, workflowAreas } from "../../areas/workflows/index.ts";
import { type Assets, createAssets } from "../../capabilities/assets/index.ts";
import type { Deployment } from "../../capabilities/deployments/index.ts";
import { findPinner } from "../../capabilities/deployments/shared-sql.ts";
import { createEditorFiles } from "../../capabilities/editor-files/index.ts";
import { createEnvironments, type Environments } from "../../capabilities/environments/index.ts";
import { type Graphs, graphsBeside, poolGraphs } from "../../capabilities/graphs/index.ts";
import type { Jobs } from "../../capabilities/jobs/index.ts";
import type { PublishedHolder } from "../../capabilities/model-calls/index.ts";
import { createPools, type Pools, sharedPool } from "../../capabilities/pools/index.ts";
import type { Registry } from "../../capabilities/registry/index.ts";
import { createSavedWorkflows, createSaveReader } from "../../capabilities/saved-workflows/index.ts";
import type { PriceWorks } from "../../capabilities/works/index.ts";
import type { Config } from "../../config.ts";
import { tryPort } from "../../foundation/home/who-listens.ts";
import type { Admission } from "../../foundation/http/admission/admission.ts";
import type { Area } from "../../foundation/http/area.ts";
import { hostsOf, isLoopback, loopbackNames } from "../../foundation/http/loopback-guard.ts";
import type { EgressPolicies } from "../../foundation/http/outgoing/egress-policies.ts";
import { type RunningServer, type ServeOptions, serve } from "../../foundation/http/serve.ts";
import { cloud } from "../../surfaces/cloud.ts";
import { consoleOrigins } from "../../surfaces/console-origins.ts";
import { surfaceOfPool } from "../../surfaces/deployment-areas.ts";
import type { DeploymentHosts } from "../../surfaces/deployment-host.ts";
import type { Dialect } from "../../surfaces/dialect/index.ts";
import type { ContentAddress } from "../../surfaces/own-addresses.ts";
import { drainSecondsLeft, drainSecondsOf } from "../drain-seconds.ts";
import { hasRole } from "../roles.ts";
import { startWorkerOfProcess } from "../workers/own-worker.ts";
import { type ApplicationApiDeps, type BuiltApplicationApi, buildApplicationApi } from "./build-application-api.ts";
import { type BuiltDeployments, buildDeployments } from "./build-deployments.ts";
import { buildJobs, type GraphRouter } from "./build-jobs.ts";
import { buildPublishing } from "./build-publishing.ts";
import { buildWorks, type WorksBuildDeps } from "./build-works.ts";
import { listening } from "./open/listening.ts";
import type { ServingDeps } from "./serving-deps.ts";

export interface WorkflowDeps extends ServingDeps {
  readonly admission: Admission;
  readonly egress: EgressPolicies;
  readonly router: GraphRouter;
  // Connected to works here.
  readonly published: PublishedHolder;
  readonly followBadges: WorksBuildDeps["followBadges"];
  readonly badges: ApplicationApiDeps["badges"];
  // Where user-made content is served.
  readonly content: ContentAddress;
  // Node archives on the content origin, and where node classes may run.
  readonly registry: Registry;
  readonly deploymentHosts: DeploymentHosts;
  // The only deployment that this process serves and works for. Null for the shared pool and all deployments under their mount
  // paths.
  readonly deployment: Deployment | null;
  // Other spellings at the rim of its listeners. Null if there are none.
  readonly dialect: Dialect | null;
}

export interface Workflows {
  readonly areas: readonly Area[];
  readonly deployments: BuiltDeployments;
  readonly pools: Pools;
  // Locks that operators keep.
  readonly environments: Environments;
  readonly assets: Assets;
  readonly jobs: Jobs;
  // Estimates the cost of running a graph, in the shared pool or at a deployment.
  readonly estimate: AccountDeps["estimate"];
  // The API that the editor calls. Null in a process that serves one deployment.
  readonly editorApi: BuiltApplicationApi["forEditor"] | null;
  // What the managed surface knows about graphs.
  readonly graphs: Pick<Graphs, "ready" | "classes">;
  // Workflows that workspaces keep.
  readonly saved: AccountDeps["saved"];
  // Works that workspaces publish.
  readonly works: AccountDeps["works"];
  readonly priceWorks: PriceWorks;
  // Where user-made content is served.
  readonly contentUrl: () => string;
  // The port it actually listens on, whatever the URL says.
  readonly contentPort: number;
}

export async function buildWorkflows(deps: WorkflowDeps): Promise<Workflows> {
  const { config, life, clock, log, capabilities, paying } = deps;
  const { identity, limits } = capabilities;
  const assets = await openAssets(deps);
  const contentPort = hasRole(config, "gateway") ? await openContent(deps, assets) : contentPortOf(config);
  deps.content.listensOn(contentPort);
  const surface = cloud({
    identity,
    limits,
    assets,
    publicUrl: () => config.cloudUrl ?? config.baseUrl,
    poolId: sharedPool,
  });
  const dedicated = { hosts: deps.deploymentHosts, only: deps.deployment?.id ?? null };
  const notifier = jobNotifier({
    webhooks: deps.webhooks,
    surfaceOf: (job) =>
      job.poolId === sharedPool ? surface : surfaceOfPool({ ...deps, ...dedicated, assets }, job.poolId),
    arrival: () => ({ headers: { host: new URL(deps.baseUrl()).host } }),
  });
  const pools = createPools({
    database: deps.storage.database,
    clock,
    log,
    audit: deps.capabilities.audit,
    isTokenUsable: (id) => deps.capabilities.workerTokens.isUsable(id),
  });
  life.work("pools", pools);
  const built = buildJobs({ ...deps, assets, notifier, pools, policy: deps.registry.descriptors.policyAt("hosted") });
  const { jobs } = built;
  // Jobs of the managed surface are run by our own engine and by applications that work for the same pool.
  const bare = {
    ...built.work,
    graphs: graphsBeside(built.work.graphs, pools, sharedPool, deps.config.applicationProfile, deps.router.classes),
  };
  const { graphs: workGraphs, priceWorks } = buildWorks({ ...deps, surface, assets, limits, jobs, work: bare });
  const work = { ...bare, works: workGraphs };
  const deployments = buildDeployments({
    ...deps,
    assets,
    jobs,
    pools,
    work: built.work,
    graphsOfPool: (pool) => poolGraphs(pools, pool),
    ...dedicated,
  });
  const { database } = deps.storage;
  const environments = createEnvironments({ database, clock, audit: capabilities.audit, findPinner });
  if (hasRole(config, "engine")) {
    const worker = { ...deps, pools, deployments: deployments.deployments, environments };
    startWorkerOfProcess({ ...worker, built, jobs, assets, blobs: paying.blobs });
  }
  const { runs } = jobs;
  const savedWorkflows = createSavedWorkflows({ database, clock, json: work.bodies, graphs: work.graphs, runs });
  const editing = { savedWorkflows, editorFiles: createEditorFiles({ database, clock }) };
  const api =
    deps.deployment === null ? await buildApplicationApi({ ...deps, ...editing, surface, assets, limits, work }) : null;
  const areas = [...workflowAreas({ surface, assets, limits, clock, work }), ...(api?.areas ?? [])];
  const estimate: Workflows["estimate"] = ({ caller, deploymentId, bytes, ...files }) =>
    deploymentId === null
      ? estimateWorkflow({ ...work, surface, assets, limits }, caller, bytes, files)
      : deployments.estimate({ caller, deploymentId, bytes });
  const saves = createSaveReader(clock);
  life.onStop("threads for large saves", () => saves.close());
  const saved = { savedWorkflows, runs, poolId: sharedPool, saves };
  const submitting = { ...work, surface, assets };
  const expand = workGraphs.expandToPublish;
  const works = buildPublishing({ ...deps, submitting, jobs, assets, savedWorkflows, limits, expand });
  const { graphs } = work;
  const contentUrl = deps.content.url;
  const published = { works, priceWorks, editorApi: api?.forEditor ?? null };
  const kept = { deployments, pools, environments, assets, jobs };
  return { areas, ...kept, estimate, graphs, saved, ...published, contentUrl, contentPort };
}

async function openAssets(deps: WorkflowDeps) {
  const { config, life, clock, log, capabilities, paying, storage, content, isolation } = deps;
  const { limits, keyRing, cursors } = capabilities;
  const assets = createAssets({
    database: storage.database,
    lists: storage.lists,
    blobs: paying.blobs,
    limits,
    keyRing,
    cursors,
    clock,
    log,
    ...(isolation === undefined ? {} : { isolation }),
    settings: {
      contentUrl: content.url,
      signedUrlSeconds: config.signedUrlSeconds,
      retentionSeconds: null,
    },
  });
  // Earlier versions kept resumable uploads here; their clients upload again.
  await rm(join(resolve(config.home), "uploads"), { recursive: true, force: true });
  life.work("work on assets", assets);
  life.onStop("assets", () => assets.close());
  return assets;
}

const contentPortOf = ({ contentPort, port }: Pick<Config, "contentPort" | "port">) =>
  contentPort ?? (port === 0 ? 0 : port + 1);

async function openContent(deps: WorkflowDeps, assets: Assets): Promise<number> {
  const { config, life } = deps;
  const server = await serveContent(deps, assets);
  life.onStop("content listener", () => server.stop(drainSecondsLeft(config, life)), drainSecondsOf(config) + 5);
  return server.port;
}

// A separate origin, so that user-made content cannot reach our pages. Uses the port above ours, or a free one if that
// is taken.
async function serveContent(deps: WorkflowDeps, assets: Assets): Promise<RunningServer> {
  const { config, log } = deps;
  const names = isLoopback(config.host) ? loopbackNames : [config.host];
  const known = config.contentUrl === null ? [] : [new URL(config.contentUrl).host];
  const options: Omit<ServeOptions, "port"> = {
    areas: [
      content({
        assets,
        clock: deps.clock,
        archives: nodeArchives(deps.registry),
        requireHere: (workspaceId) => deps.capabilities.moves.requireHere(workspaceId, undefined),
      }),
    ],
    ...listening(deps),
    host: config.host,
    policy: (port) => ({
      hosts: isLoopback(config.host) ? new Set([...hostsOf(names, port), ...known]) : null,
      // Pages of other origins show the images: the signed URL is the permission.
      origins: null,
      openPaths: new Set(),
    }),
    // The console reads the bytes, to compare images pixel by pixel and to pack downloads. Other pages can only display them.
    readerOrigins: consoleOrigins(config, deps.baseUrl),
    // So do pages that use tokens.
    pages: {
      operations: new Set([operations.getSignedContent.id]),
      isKnown: (origin) => deps.capabilities.identity.tokens.isOrigin(origin),
    },
    rim: deps.dialect?.rim ?? null,
    isShared: (deps.among ?? null) !== null,
  };
  const wanted = contentPortOf(config);
  try {
    // The system does not report a conflict for a shareable port, so we check ourselves.
    if (options.isShared && config.contentPort === null) await requireFree(config.host, wanted);
    return await serve({ ...options, port: wanted });
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (!isTaken || config.contentPort !== null) throw error;
    log.warn({ port: wanted }, "the content origin's port is in use; using a free one");
    return serve({ ...options, port: 0 });
  }
}

async function requireFree(host: string, port: number): Promise<void> {
  const code = port === 0 ? null : await tryPort(host, port);
  if (code !== null) throw Object.assign(new Error(`Port ${port} cannot be used.`), { code });
}
