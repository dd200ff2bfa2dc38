// The areas of a gateway, each given what it names, and what /readyz looks at. A process that serves one deployment mounts
// that one's areas, the metrics and what the server says of itself.

import { operations, type Readiness } from "@atelier/contract";
import { type AccountDeps, accountAreas } from "../../areas/account/index.ts";
import { adminArea } from "../../areas/admin/index.ts";
import { type ConsoleDeps, consoleArea, showConsole } from "../../areas/console/index.ts";
import { mcp } from "../../areas/mcp/index.ts";
import { nodeRegistry } from "../../areas/node-registry/index.ts";
import { priceBadges, priceBadgesAdmin } from "../../areas/price-badges/index.ts";
import { metricsPage, type ReadinessCheck, readiness, type SystemDeps, system } from "../../areas/system/index.ts";
import { workersArea } from "../../areas/workers/index.ts";
import type { BackgroundReports } from "../../capabilities/background-reports/index.ts";
import type { ErrorAnswers } from "../../capabilities/error-answers/index.ts";
import { leaseRulesOf } from "../../capabilities/jobs/index.ts";
import { findRingDisagreement } from "../../capabilities/secrets/index.ts";
import { actingAsAdmin } from "../../capabilities/tokens/index.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import type { ReplicaReads } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Area, type Arrival, area } from "../../foundation/http/area.ts";
import { newRequestId } from "../../foundation/ids.ts";
import { sharedPool } from "../../surfaces/pools.ts";
import { releaseNotes } from "../release-notes.ts";
import { serverVersion } from "../server-version.ts";
import { accountLooks } from "./account-looks.ts";
import { buildOidc } from "./build-oidc.ts";
import { buildReleaseNotes } from "./build-release-notes.ts";
import type { ServiceDeps, Services } from "./build-services.ts";
import { storeOrigin } from "./content-redirect.ts";
import { openClients, openConsole } from "./open-console.ts";
import { openPicture } from "./open-graph-file.ts";
import type { OwnAddresses } from "./own-addresses.ts";
import { serverChecks } from "./server-checks.ts";

export interface AreaDeps extends ServiceDeps {
  readonly addresses: OwnAddresses;
  readonly backgroundReports: BackgroundReports;
  readonly errorAnswers: ErrorAnswers;
  readonly prove: SystemDeps["prove"];
}

export interface BuiltAreas {
  readonly areas: readonly Area[];
  // What /readyz says.
  look(): Promise<Readiness>;
}

export async function buildAreas(deps: AreaDeps, services: Services): Promise<BuiltAreas> {
  const { router, partners, workflows } = services;
  const metrics = area(
    metricsPage({ authenticateAdmin: authenticateAdmin(deps), metricsText: () => deps.metrics.text() }),
  );
  const oidc = buildOidc(deps);
  const console = consoleDeps(deps, services, oidc !== null);
  const all: readonly Area[] = [
    ...badgeAreas(deps, services),
    operatorArea(deps, services),
    workerArea(deps, services),
    ...accountAreasOf(deps, services, { oidc, showConsole: showConsole(console) }),
    router.area,
    ...partners.areas(workflows.assets),
    ...workflows.areas,
    ...workflows.deployments.areas,
    ...registryAreas(deps, services),
    agentArea(deps, services),
    consoleArea(console),
    metrics,
  ];
  const look = readiness({ checks: readinessChecks(deps, services), clock: deps.clock, leaving: deps.life.leaving });
  const about = area(
    system({
      version: serverVersion,
      baseUrl: deps.baseUrl,
      prove: deps.prove,
      look,
      showConsole: showConsole(console),
      releaseNotes: await releaseNotes(),
      serverNotes: buildReleaseNotes(deps, services).list,
      // What is mounted under a path of its own is the same once more.
      mounted: all
        .filter(({ mountPath, isOutsideContract }) => mountPath === undefined && !isOutsideContract)
        .flatMap(({ routes }) => routes.map(({ operation }) => operation)),
    }),
  );
  const mounted = deps.deployment === null ? all : [...workflows.deployments.areas, metrics];
  return { areas: [...mounted, about], look };
}

function consoleDeps(deps: AreaDeps, { workflows }: Services, hasIssuer: boolean): ConsoleDeps {
  const oidc = hasIssuer ? { name: deps.config.oidcName, url: operations.beginOidcSignIn.path } : null;
  return {
    files: openConsole(deps.config.home, deps.log),
    clients: openClients(deps.config.home, deps.log),
    storeOrigin: storeOrigin(deps.config),
    config: () => ({
      version: serverVersion,
      surface: "cloud",
      auth: "session",
      base_url: deps.baseUrl(),
      content_url: workflows.contentUrl(),
      sign_in: { links: true, oidc },
    }),
  };
}

function authenticateAdmin({ capabilities }: AreaDeps) {
  return (arrival: Arrival) => capabilities.adminTokens.authenticate(arrival);
}

// Without it everything is answered, by the server that writes: a remark.
function replicaCheck(replica: Pick<ReplicaReads, "problem">): ReadinessCheck {
  return {
    name: "replica",
    look: async () => {
      const problem = replica.problem();
      return problem === null ? null : { remark: `Lists are read from the primary: ${problem}` };
    },
  };
}

// A bus that was never reached is set up wrongly. One that goes away later takes nothing along but speed: no reason to send
// callers elsewhere, for there it is away, too. It is a remark.
function busCheck(bus: Bus): ReadinessCheck {
  let wasReached = false;
  return {
    name: "bus",
    look: async () => {
      const problem = bus.problem();
      wasReached ||= problem === null;
      return wasReached && problem !== null ? { remark: problem } : problem;
    },
  };
}

function readinessChecks(deps: AreaDeps, { router }: Services): readonly ReadinessCheck[] {
  const { storage, paying, capabilities, clock } = deps;
  return [
    {
      name: "database",
      look: async () => ((await storage.isAnswering()) ? null : "The database does not answer."),
    },
    ...(storage.replica === null ? [] : [replicaCheck(storage.replica)]),
    busCheck(paying.bus),
    { name: "blob store", look: () => paying.blobs.freeSpaceProblem() },
    {
      name: "key ring",
      look: () => findRingDisagreement({ database: storage.database, ring: capabilities.keyRing, clock }),
    },
    {
      name: "release state",
      look: async () => (router.live.isLoaded() ? null : "The provider definitions are not loaded yet."),
    },
  ];
}

function badgeAreas(deps: AreaDeps, { badges }: Services): readonly Area[] {
  const { audit, cursors } = deps.capabilities;
  return [
    priceBadges(badges),
    priceBadgesAdmin({
      ...badges,
      database: deps.storage.database,
      clock: deps.clock,
      log: deps.log,
      audit,
      cursors,
      authenticate: authenticateAdmin(deps),
      actorOf: (caller) => actingAsAdmin(caller, newRequestId()).actor,
    }),
  ];
}

function operatorArea(deps: AreaDeps, services: Services): Area {
  const { router, workflows } = services;
  const { adminTokens, identity, workerTokens } = deps.capabilities;
  const { deployments, urlsOf, requirePools } = workflows.deployments;
  return adminArea({
    ...deps.capabilities,
    database: deps.storage.database,
    tokens: adminTokens,
    backgroundReports: deps.backgroundReports,
    runChecks: serverChecks(deps, services),
    credits: deps.paying.credits,
    workspaces: identity.workspaces,
    operators: identity.operators,
    entitlements: identity.entitlements,
    providers: router,
    deployments: { deployments, urlsOf, hasWorkspace: (id) => isThere(identity.workspaces.get(id)) },
    workers: { workerTokens, pools: workflows.pools, sharedPool, requirePools },
  });
}

function workerArea({ config, capabilities, paying, clock }: AreaDeps, { workflows }: Services): Area {
  return workersArea({
    ...workflows,
    tokens: capabilities.workerTokens,
    blobs: paying.blobs,
    leaseRules: leaseRulesOf(config.jobLeaseSeconds),
    deployments: workflows.deployments.deployments,
    clock,
  });
}

function accountAreasOf(
  deps: AreaDeps,
  services: Services,
  pages: Pick<AccountDeps, "oidc" | "showConsole">,
): readonly Area[] {
  const { router, workflows } = services;
  const { config, paying, addresses } = deps;
  const { limits } = deps.capabilities;
  const { platformUrl, baseUrl } = addresses;
  return accountAreas({
    ...deps.capabilities,
    ...paying,
    clock: deps.clock,
    webhooks: deps.webhooks,
    ownCredentials: router.ownCredentials,
    queue: workflows.jobs.queue,
    ...pages,
    ...accountLooks(services, paying, deps.errorAnswers),
    platformUrl,
    isHttps: config.platformUrl?.startsWith("https:") ?? config.baseUrl?.startsWith("https:") ?? false,
    isOwnOrigin: (origin) => [platformUrl(), baseUrl()].some((url) => new URL(url).origin === origin),
    admit: (caller) => limits.admit(caller.principal.workspaceId, "workflow_and_registry"),
  });
}

function registryAreas({ config, capabilities }: AreaDeps, { registry }: Services): readonly Area[] {
  const { identity, adminTokens, limits } = capabilities;
  const requiredFields = (["repository", "license"] as const).filter((name) =>
    config.registryRequiredFields.includes(name),
  );
  return nodeRegistry({ registry, identity, adminTokens, limits, requiredFields });
}

function agentArea({ capabilities, addresses }: AreaDeps, { router, workflows }: Services): Area {
  const { identity, limits } = capabilities;
  return area(
    mcp({
      authenticate: (arrival) => identity.authenticate(arrival),
      admit: (caller) => limits.admit(caller.workspaceId, "workflow_and_registry"),
      watch: (caller, lost) => identity.watch(caller, lost),
      ownUrl: addresses.ownUrl,
      version: serverVersion,
      openPicture: async (url, modelId) => {
        const model = await router.live.modelOf(modelId, null);
        return model && openPicture(router.forGraphs)(url, model);
      },
      shrinkPicture: (bytes) => workflows.assets.shrink(bytes, 512),
    }),
  );
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
