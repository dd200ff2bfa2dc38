// `atelier serve`: every area in one process. The order of this file is the order of the start; the lifecycle undoes it
// in reverse. Config → database → migrations → capabilities → areas → listen → ready.
import type { Readiness } from "@atelier/contract";
import { accountAreas } from "../areas/account/index.ts";
import { adminArea } from "../areas/admin/index.ts";
import { mcp } from "../areas/mcp/index.ts";
import { nodeRegistry } from "../areas/node-registry/index.ts";
import { createBadgeMaps, priceBadges, priceBadgesAdmin, retireSeed } from "../areas/price-badges/index.ts";
import { metricsPage, type ReadinessCheck, readiness, type SystemDeps, system } from "../areas/system/index.ts";
import { workersArea } from "../areas/workers/index.ts";
import type { BackgroundReports } from "../capabilities/background-reports/index.ts";
import { badgeProof } from "../capabilities/badge-proof/index.ts";
import { registerCreditMetrics } from "../capabilities/calls/index.ts";
import { type Deployment, type DeploymentId, findDeployment } from "../capabilities/deployments/index.ts";
import { type Bootstrapped, bootstrap } from "../capabilities/identity/index.ts";
import { leaseRulesOf } from "../capabilities/jobs/index.ts";
import { findRingDisagreement } from "../capabilities/secrets/index.ts";
import { actingAsAdmin } from "../capabilities/tokens/index.ts";
import type { Webhooks } from "../capabilities/webhooks/index.ts";
import type { Config } from "../config.ts";
import { registerBackgroundMetrics } from "../foundation/background-metrics.ts";
import { type Clock, systemClock } from "../foundation/clock.ts";
import { Fault } from "../foundation/fault.ts";
import { type Admission, createAdmission } from "../foundation/http/admission.ts";
import { type Area, area } from "../foundation/http/area.ts";
import type { EgressPolicy } from "../foundation/http/egress-guard.ts";
import { hostsOf, isLoopback } from "../foundation/http/loopback-guard.ts";
import { peerReader } from "../foundation/http/peer-address.ts";
import { serve } from "../foundation/http/serve.ts";
import { newRequestId } from "../foundation/ids.ts";
import type { Lifecycle } from "../foundation/lifecycle.ts";
import type { Log } from "../foundation/log.ts";
import { createMetrics, type Metrics } from "../foundation/metrics.ts";
import type { Secret } from "../foundation/settings.ts";
import { type DeploymentHosts, deploymentHosts } from "../surfaces/deployment-host.ts";
import { sharedPool } from "../surfaces/pools.ts";
import { arrivalPolicy } from "./arrival-policy.ts";
import { badgesOfPrices, wishesOfModels, wishesOfPartners } from "./build/badges-of-prices.ts";
import { buildPaying, type Paying } from "./build/build-calls.ts";
import { buildCapabilities, type Capabilities, firstWorkspaceCreated } from "./build/build-capabilities.ts";
import { buildPartners } from "./build/build-partners.ts";
import { buildRegistry } from "./build/build-registry.ts";
import { buildRouter } from "./build/build-router.ts";
import { buildWebhooks, webhookPolicy } from "./build/build-webhooks.ts";
import { buildWorkflows } from "./build/build-workflows.ts";
import { contentAddress } from "./build/content-address.ts";
import { deploymentAddresses, mountOfAll, mountOfHost, reservedHost } from "./build/deployment-mounts.ts";
import { openPicture } from "./build/open-graph-file.ts";
import { openStorage, prepareSchema, type Storage } from "./build/open-storage.ts";
import { requireReachable } from "./build/registry-egress.ts";
import { backgroundReportsOf, reportBackground } from "./build/report-background.ts";
import { UsageProblem } from "./commands/command.ts";
import { isDevelopment } from "./development.ts";
import { drainSecondsLeft, drainSecondsOf } from "./drain-seconds.ts";
import { createInvariantWatch } from "./invariants.ts";
import { releaseNotes } from "./release-notes.ts";
import { runSandbox } from "./run-sandbox.ts";
import { serverVersion } from "./server-version.ts";

// Decisions, section 6: where an application listens on this machine.
const applicationPort = 8188;

export interface Gateway {
  readonly baseUrl: string;
  readonly platformUrl: string;
  readonly port: number;
  // What the first start made; shown once.
  readonly bootstrapped: Bootstrapped;
  // A fresh sign-in link's token for the owner of the first workspace; null when there is nobody.
  linkOwner(): Promise<string | null>;
  // What /readyz says.
  look(): Promise<Readiness>;
}

export interface GatewayDeps {
  readonly config: Config;
  readonly life: Lifecycle;
  readonly log: Log;
  readonly clock?: Clock;
  // Providers' credentials by the name of their setting (ATELIER_PROVIDER_…).
  readonly credentials?: ReadonlyMap<string, Secret>;
  // `atelier deployment`: serve and work for this one deployment and nothing else.
  readonly deploymentId?: DeploymentId;
  // Puts the first key where its owner finds it, before it exists.
  readonly keepFirstKey?: (key: string) => Promise<void>;
  // Proves to whoever reads the data folder that this process is its server.
  readonly prove?: SystemDeps["prove"];
}

export async function startGateway({
  config,
  life,
  log,
  clock = systemClock,
  credentials = new Map(),
  deploymentId,
  keepFirstKey,
  prove,
}: GatewayDeps): Promise<Gateway> {
  requireReachable(config);
  const storage = await openStorage({ config, life, log });
  await prepareSchema(storage, { config, log });
  const { database } = storage;
  const deployment = deploymentId === undefined ? null : await requireDeployment(database, deploymentId);
  let port = config.port;
  const ownUrl = () => `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
  const baseUrl = () => config.baseUrl ?? ownUrl();
  const platformUrl = () => config.platformUrl ?? baseUrl();
  const capabilities = await buildCapabilities({ config, database, life, clock, log, baseUrl });
  const bootstrapped = await bootstrap(
    {
      db: database,
      clock,
      audit: capabilities.audit,
      workspaceCreated: firstWorkspaceCreated(config),
      ...(keepFirstKey === undefined ? {} : { keepKey: keepFirstKey }),
    },
    config.bootstrapKey?.reveal() ?? null,
  );
  const paying = await buildPaying({ config, storage, audit: capabilities.audit, life, clock, log });
  const metrics = createMetrics();
  life.onStop("metrics", () => metrics.stop());
  const admission = createAdmission({ settings: config, clock, metrics, log });
  registerCreditMetrics(metrics, database);
  registerBackgroundMetrics(metrics, life.background);
  const name = deployment ? `deployment ${deployment.name}` : "serve";
  const backgroundReports = backgroundReportsOf({ database, clock, name });
  const watching = createInvariantWatch({ database, log, metrics }).run(life.background, life.stopping);
  life.onStop("watch over invariants", () => watching);
  const ownPorts = () => [port, config.contentPort ?? port + 1, applicationPort];
  const webhooks = buildWebhooks({
    config,
    life,
    clock,
    log,
    metrics,
    database,
    capabilities,
    ownPorts,
  });
  const hosts = deploymentHosts(() => deploymentAddresses(config, port));
  const { areas, look } = await buildAreas({
    config,
    life,
    log,
    clock,
    storage,
    credentials,
    capabilities,
    paying,
    metrics,
    backgroundReports,
    admission,
    webhooks,
    egress: webhookPolicy(config, ownPorts),
    baseUrl,
    ownUrl,
    platformUrl,
    deploymentHosts: hosts,
    deployment,
    prove,
  });
  const names = isLoopback(config.host) ? ["127.0.0.1", "localhost", "::1"] : [config.host];
  const server = await serve({
    areas,
    host: config.host,
    port: config.port,
    clock,
    log,
    metrics,
    policy: (listening) => {
      const known = arrivalPolicy(config, names, listening, [baseUrl, platformUrl]);
      port = listening;
      const others = [baseUrl(), platformUrl(), config.cloudUrl ?? baseUrl()].map((url) => new URL(url).host);
      const reserved = reservedHost(config, [...others, ...hostsOf(names, listening)]);
      return {
        ...known,
        mountOf: deployment === null ? mountOfHost(hosts, reserved) : mountOfAll(deployment.id, hosts, known.hosts),
      };
    },
    corsOrigins: new Set(config.corsOrigins),
    readPeer: peerReader(config.trustProxy),
    admission,
    bufferedBytesMax: config.bufferedBytesMax,
  });
  port = server.port;
  const drainSeconds = drainSecondsOf(config);
  life.onStop("listener", () => server.stop(drainSecondsLeft(config, life)), drainSeconds + 5);
  reportBackground(backgroundReports, life);
  return {
    baseUrl: baseUrl(),
    platformUrl: platformUrl(),
    port,
    bootstrapped,
    linkOwner: () => linkOwner(capabilities.identity),
    look,
  };
}

async function linkOwner({ workspaces, signIn }: Capabilities["identity"]): Promise<string | null> {
  const owner = await workspaces.firstOwner();
  const actor = { kind: "system", id: null, name: "first start" } as const;
  return owner && (await signIn.createLink(owner.id, { actor })).token;
}

interface AreaDeps {
  readonly config: Config;
  readonly life: Lifecycle;
  readonly log: Log;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly credentials: ReadonlyMap<string, Secret>;
  readonly capabilities: Capabilities;
  readonly paying: Paying;
  readonly metrics: Metrics;
  readonly backgroundReports: BackgroundReports;
  readonly admission: Admission;
  readonly webhooks: Webhooks;
  readonly egress: EgressPolicy;
  readonly baseUrl: () => string;
  // Where this process listens, whatever it is called outside.
  readonly ownUrl: () => string;
  readonly platformUrl: () => string;
  readonly deploymentHosts: DeploymentHosts;
  readonly deployment: Deployment | null;
  readonly prove: SystemDeps["prove"];
}

async function buildAreas(deps: AreaDeps): Promise<{ areas: readonly Area[]; look: () => Promise<Readiness> }> {
  const { config, life, log, clock, capabilities, metrics } = deps;
  const { database } = deps.storage;
  const { identity, adminTokens, audit, limits, cursors, keyRing } = capabilities;
  const proof = badgeProof({ creditsPerUsd: config.creditsPerUsd });
  life.onStop("badge proof", () => proof.close());
  const retired = await retireSeed({ database, clock });
  if (retired > 0) log.info({ rows: retired }, "badges of the old seed gave way to badges of prices");
  const maps = createBadgeMaps({ database, cacheControl: config.badgesCacheControl });
  await maps.start();
  const reading = maps.run(life.background, life.stopping);
  life.onStop("badge maps", () => reading);
  const badges = badgesOfPrices({ maps, log });

  const authenticateAdmin = (arrival: Parameters<typeof adminTokens.authenticate>[0]) =>
    adminTokens.authenticate(arrival);
  const withSandbox = config.sandbox === "on" || (config.sandbox === "auto" && isDevelopment(config));
  const sandbox = withSandbox ? await runSandbox({ life, log, clock }) : null;
  const secrets = deps.credentials;
  const partners = await buildPartners({ ...deps, secrets, sandbox });
  await badges.follow("partners", wishesOfPartners(partners.all));
  const router = await buildRouter({
    config,
    life,
    clock,
    log,
    storage: deps.storage,
    capabilities,
    paying: deps.paying,
    baseUrl: deps.baseUrl,
    secrets,
    builtIn: { definitions: sandbox ? [sandbox.definition] : [], secrets: sandbox?.secrets ?? new Map() },
    followings: [partners.following],
    priced: (models) => badges.follow("models", wishesOfModels(models)),
  });
  const content = contentAddress(config);
  const registry = await buildRegistry({ ...deps, contentUrl: content.url });
  const workflows = await buildWorkflows({ ...deps, router: router.forGraphs, content, registry });
  const checks: readonly ReadinessCheck[] = [
    {
      name: "database",
      look: async () => ((await deps.storage.isAnswering()) ? null : "The database does not answer."),
    },
    { name: "blob store", look: () => deps.paying.blobs.freeSpaceProblem() },
    { name: "key ring", look: () => findRingDisagreement({ database, ring: keyRing, clock }) },
    {
      name: "release state",
      look: async () => (router.live.isLoaded() ? null : "The provider definitions are not loaded yet."),
    },
  ];
  const metricsArea = area(metricsPage({ authenticateAdmin, metricsText: () => metrics.text() }));
  const areas: Area[] = [
    priceBadges({ maps }),
    priceBadgesAdmin({
      database,
      proof,
      maps,
      clock,
      log,
      audit,
      cursors,
      authenticate: authenticateAdmin,
      actorOf: (caller) => actingAsAdmin(caller, newRequestId()).actor,
    }),
    adminArea({
      database,
      tokens: adminTokens,
      audit,
      backgroundReports: deps.backgroundReports,
      limits,
      credits: deps.paying.credits,
      workspaces: identity.workspaces,
      entitlements: identity.entitlements,
      providers: router,
      deployments: {
        deployments: workflows.deployments.deployments,
        urlsOf: workflows.deployments.urlsOf,
        hasWorkspace: (id) => isThere(identity.workspaces.get(id)),
      },
      workers: {
        workerTokens: capabilities.workerTokens,
        pools: workflows.pools,
        sharedPool,
        requirePools: workflows.deployments.requirePools,
      },
      cursors,
    }),
    workersArea({
      tokens: capabilities.workerTokens,
      pools: workflows.pools,
      jobs: workflows.jobs,
      assets: workflows.assets,
      blobs: deps.paying.blobs,
      leaseRules: leaseRulesOf(config.jobLeaseSeconds),
      deployments: workflows.deployments.deployments,
      clock,
    }),
    ...accountAreas({
      identity,
      clock,
      keyRing,
      cursors,
      credits: deps.paying.credits,
      keyCaps: deps.paying.keyCaps,
      usage: deps.paying.usage,
      webhooks: deps.webhooks,
      ownCredentials: router.ownCredentials,
      platformUrl: deps.platformUrl,
      isHttps: config.platformUrl?.startsWith("https:") ?? config.baseUrl?.startsWith("https:") ?? false,
      isOwnOrigin: (origin) =>
        origin === new URL(deps.platformUrl()).origin || origin === new URL(deps.baseUrl()).origin,
      admit: (caller) => limits.admit(caller.principal.workspaceId, "workflow_and_registry"),
    }),
    router.area,
    ...partners.areas(workflows.assets),
    ...workflows.areas,
    ...workflows.deployments.areas,
    ...nodeRegistry({ registry, identity, adminTokens, limits, requiredFields: requiredFieldsOf(config) }),
    area(
      mcp({
        authenticate: (arrival) => identity.authenticate(arrival),
        admit: (caller) => limits.admit(caller.workspaceId, "workflow_and_registry"),
        ownUrl: deps.ownUrl,
        version: serverVersion,
        openPicture: openPicture(router.forGraphs),
        shrinkPicture: (bytes) => workflows.assets.shrink(bytes, 512),
      }),
    ),
    metricsArea,
  ];
  const look = readiness({ checks, clock, stopping: life.stopping });
  const systemArea: Area = area(
    system({
      version: serverVersion,
      baseUrl: deps.baseUrl,
      prove: deps.prove,
      look,
      releaseNotes: await releaseNotes(),
      // What is mounted under a path of its own is the same once more.
      mounted: () =>
        [...areas, systemArea]
          .filter(({ mountPath }) => mountPath === undefined)
          .flatMap((each) => each.routes.map((route) => route.operation)),
    }),
  );
  const mounted = deps.deployment === null ? areas : [...workflows.deployments.areas, metricsArea];
  return { areas: [...mounted, systemArea], look };
}

async function requireDeployment(database: Storage["database"], id: DeploymentId): Promise<Deployment> {
  const found = await findDeployment(database, id);
  if (found === null) throw new UsageProblem([`There is no deployment ${id} in this database.`]);
  return found;
}

async function isThere(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return false;
    throw thrown;
  }
}

function requiredFieldsOf({ registryRequiredFields }: Config) {
  return (["repository", "license"] as const).filter((name) => registryRequiredFields.includes(name));
}
