// Builds the areas of a gateway, giving each what it asks for. A process that serves one deployment mounts only that
// deployment's areas, the metrics and what the server says about itself.

import { type EffectiveSetting, operations, type Readiness } from "@atelier/contract";
import { type AccountDeps, accountAreas, browserMembers, paymentEvents } from "../../areas/account/index.ts";
import { adminArea } from "../../areas/admin/index.ts";
import { type ConsoleDeps, consoleArea, openClients, openConsole, showConsole } from "../../areas/console/index.ts";
import { mcp } from "../../areas/mcp/index.ts";
import { modelRouter } from "../../areas/model-router/index.ts";
import { nodeRegistry } from "../../areas/node-registry/index.ts";
import { priceBadges, priceBadgesAdmin } from "../../areas/price-badges/index.ts";
import { metricsPage, openGuides, type SystemDeps, system } from "../../areas/system/index.ts";
import { workersArea } from "../../areas/workers/index.ts";
import { sumStored } from "../../capabilities/assets/shared-sql.ts";
import type { BackgroundReports } from "../../capabilities/background-reports/index.ts";
import { backupsOnRequest, planOf, readHistory, scheduleOf } from "../../capabilities/backup/index.ts";
import { storeOrigin } from "../../capabilities/blobs/index.ts";
import { listRefusals } from "../../capabilities/credential-refusals/shared-sql.ts";
import { isEditorInstalled } from "../../capabilities/editor/index.ts";
import type { ErrorAnswers } from "../../capabilities/error-answers/index.ts";
import { openPicture } from "../../capabilities/graphs/index.ts";
import { leaseRulesOf, readJobSeries } from "../../capabilities/jobs/index.ts";
import type { Mail } from "../../capabilities/mail/index.ts";
import { createPlaygroundRuns, type PlaygroundRuns } from "../../capabilities/playground-runs/index.ts";
import { sharedPool } from "../../capabilities/pools/index.ts";
import { openTemplates, templateFolders } from "../../capabilities/templates/index.ts";
import { actingAsAdmin } from "../../capabilities/tokens/index.ts";
import { countOpen } from "../../capabilities/workspace-data/index.ts";
import { type Area, type Arrival, area } from "../../foundation/http/area.ts";
import { newRequestId, trustedId } from "../../foundation/ids.ts";
import { machineMark } from "../../foundation/process-identity.ts";
import type { OwnAddresses } from "../../surfaces/own-addresses.ts";
import { personalDataOf } from "../personal-data.ts";
import { releaseNotes } from "../release-notes.ts";
import { serverVersion } from "../server-version.ts";
import { buildBackups } from "../upkeep/build-backups.ts";
import { type BuiltWeights, buildWeights } from "../workers/build-weights.ts";
import { workspaceHoldings } from "../workspace-holdings.ts";
import { accountLooks } from "./account-looks.ts";
import { buildEditor } from "./build-editor.ts";
import { buildOidc } from "./build-oidc.ts";
import { openaiAreas } from "./build-openai.ts";
import type { ServiceDeps, Services } from "./build-services.ts";
import { serverChecks } from "./server-checks.ts";

export interface AreaDeps extends ServiceDeps {
  readonly mail: Mail;
  readonly addresses: OwnAddresses;
  readonly backgroundReports: BackgroundReports;
  readonly errorAnswers: ErrorAnswers;
  readonly prove: SystemDeps["prove"];
  readonly settings: readonly EffectiveSetting[];
  // Whether a process that serves one deployment starts its workers.
  readonly hasWorkers: boolean;
}

// `look` produces the answer of /readyz.
export async function buildAreas(
  deps: AreaDeps,
  services: Services,
  look: () => Promise<Readiness>,
): Promise<readonly Area[]> {
  const { partners, workflows } = services;
  const weights = buildWeights(deps, workflows);
  const metrics = area(
    metricsPage({ authenticateAdmin: authenticateAdmin(deps), metricsText: () => deps.metrics.text() }),
  );
  const oidc = buildOidc(deps);
  const console = consoleDeps(deps, services, oidc !== null);
  const all: readonly Area[] = [
    ...badgeAreas(deps, services),
    operatorArea(deps, services, weights),
    workerArea(deps, services, weights),
    ...accountAreasOf(deps, services, { oidc, showConsole: showConsole(console) }),
    paymentEvents(deps.selling),
    modelRouterArea(deps, services),
    ...(await openaiAreas(deps, services)),
    ...partners.areas(workflows.assets),
    ...workflows.areas,
    ...workflows.deployments.areas,
    ...registryAreas(deps, services),
    agentArea(deps, services),
    consoleArea(console),
    ...editorAreas(deps, services),
    metrics,
  ];
  const about = area(
    system({
      version: serverVersion,
      baseUrl: deps.baseUrl,
      prove: deps.prove,
      look,
      showConsole: showConsole(console),
      securityContact: deps.config.securityContact,
      clock: deps.clock,
      releaseNotes: await releaseNotes(),
      serverNotes: services.releaseNotes.list,
      guides: openGuides(),
      // Areas under a mount path are copies of the same operations.
      mounted: all
        .filter(({ mountPath, isOutsideContract }) => mountPath === undefined && !isOutsideContract)
        .flatMap(({ routes }) => routes.map(({ operation }) => operation)),
    }),
  );
  const workers = deps.hasWorkers ? [workerArea(deps, services, weights)] : [];
  const mounted = deps.deployment === null ? all : [...workflows.deployments.areas, ...workers, metrics];
  return [...mounted, about];
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
      credits_per_usd: deps.config.creditsPerUsd,
      sells_credits: deps.selling !== null,
      editor_url: isEditorInstalled(deps.config.home) ? "/editor" : null,
      sign_in: { links: true, oidc },
    }),
  };
}

function authenticateAdmin({ capabilities }: AreaDeps) {
  return (arrival: Arrival) => capabilities.adminTokens.authenticate(arrival);
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

function modelRouterArea(deps: AreaDeps, { models }: Services): Area {
  const { config, capabilities, webhooks, clock, baseUrl, paying } = deps;
  const { identity, limits, cursors } = capabilities;
  return area(
    modelRouter({
      authenticate: (arrival) => identity.authenticateWithLinks(arrival),
      keyOfCall: async (wanted) => (await paying.usage.call(wanted))?.apiKeyId ?? null,
      admitRate: (caller) => limits.admit(caller.workspaceId, "router_and_partner"),
      models: models.models,
      clock,
      cursors,
      baseUrl,
      bodyBytesMax: config.routerBodyBytesMax,
      checkWebhookUrl: (url) => webhooks.checkUrl(url),
    }),
  );
}

function operatorArea(deps: AreaDeps, services: Services, weights: BuiltWeights): Area {
  const { models, workflows } = services;
  const { adminTokens, identity, workerTokens } = deps.capabilities;
  const { deployments, urlsOf, requirePools } = workflows.deployments;
  return adminArea({
    ...deps.capabilities,
    database: deps.storage.database,
    tokens: adminTokens,
    backgroundReports: deps.backgroundReports,
    runChecks: serverChecks(deps, services),
    mail: deps.mail,
    readBackups: () =>
      readHistory({ database: deps.storage.lists, clock: deps.clock, schedule: scheduleOf(deps.config) }),
    beginBackup: backupsOnRequest({
      ...deps,
      database: deps.storage.database,
      audit: deps.capabilities.audit,
      open: () => buildBackups(deps, planOf(deps.config)),
    }),
    settings: deps.settings,
    figures: {
      clock: deps.clock,
      usage: deps.paying.usage,
      jobs: (span) => readJobSeries(deps.storage.lists, span),
      stored: () => sumStored(deps.storage.lists),
      nameOf: async (id) => (await identity.workspaces.find(trustedId(id)))?.name ?? null,
    },
    listRefusals: (hours) => listRefusals(deps.storage.database, hours),
    credits: deps.paying.credits,
    callLimits: deps.paying.callLimits,
    workspaces: identity.workspaces,
    operators: identity.operators,
    personalData: personalDataOf(deps),
    entitlements: identity.entitlements,
    providers: models,
    selling: deps.selling,
    routes: models.routes,
    health: models.health,
    deployments: { deployments, urlsOf, hasWorkspace: async (id) => (await identity.workspaces.find(id)) !== null },
    ...weights,
    workers: { workerTokens, pools: workflows.pools, jobs: workflows.jobs, sharedPool, requirePools },
  });
}

function workerArea(
  { config, capabilities, paying, clock }: AreaDeps,
  { workflows }: Services,
  weights: BuiltWeights,
): Area {
  return workersArea({
    ...workflows,
    ...weights,
    tokens: capabilities.workerTokens,
    blobs: paying.blobs,
    limits: capabilities.limits,
    leaseRules: leaseRulesOf(config.jobLeaseSeconds),
    deployments: workflows.deployments.deployments,
    machine: machineMark(),
    clock,
  });
}

function accountAreasOf(
  deps: AreaDeps,
  services: Services,
  pages: Pick<AccountDeps, "oidc" | "showConsole">,
): readonly Area[] {
  const { models, workflows } = services;
  const { config, paying, addresses } = deps;
  const { limits } = deps.capabilities;
  const { platformUrl } = addresses;
  return accountAreas({
    ...deps.capabilities,
    ...paying,
    clock: deps.clock,
    webhooks: deps.webhooks,
    mail: deps.mail,
    ownCredentials: models.ownCredentials,
    routes: models.routes,
    queue: workflows.jobs.queue,
    playgroundRuns: keepPlaygroundRuns(deps),
    personalData: personalDataOf(deps),
    requestBodies: deps.requestBodies,
    retention: deps.retention,
    countOpen: (workspaceId) => countOpen(deps.storage.database, workspaceHoldings, workspaceId),
    selling: deps.selling,
    invoiceSeller: sellerLines(config.invoiceSeller),
    ...pages,
    ...accountLooks(deps, services),
    templates: openTemplates(templateFolders(config.home, config.templates), deps.log),
    platformUrl,
    ...browserRules(deps),
    admit: (caller) => limits.admit(caller.principal.workspaceId, "workflow_and_registry"),
  });
}

const sellerLines = (text: string | null) =>
  (text ?? "")
    .split("|")
    .map((line) => line.trim())
    .filter((line) => line !== "");

function browserRules({ config, addresses }: AreaDeps): Pick<AccountDeps, "isHttps" | "isOwnOrigin"> {
  const { platformUrl, baseUrl } = addresses;
  return {
    isHttps: config.platformUrl?.startsWith("https:") ?? config.baseUrl?.startsWith("https:") ?? false,
    isOwnOrigin: (origin) => [platformUrl(), baseUrl()].some((url) => new URL(url).origin === origin),
  };
}

function editorAreas(deps: AreaDeps, { workflows }: Services): readonly Area[] {
  if (workflows.editorApi === null) return [];
  const people = browserMembers({ ...deps.capabilities, ...browserRules(deps) });
  return buildEditor(deps, people, workflows.editorApi);
}

function keepPlaygroundRuns({ storage: { database }, clock, life }: AreaDeps): PlaygroundRuns {
  const runs = createPlaygroundRuns({ database, clock });
  const round = () => runs.forget();
  life.repeat({ name: "playground runs: forget old ones", role: "background", everyMs: 3_600_000, round });
  return runs;
}

function registryAreas({ clock, capabilities }: AreaDeps, { registry }: Services): readonly Area[] {
  const { identity, adminTokens, limits } = capabilities;
  return nodeRegistry({ registry, clock, identity, adminTokens, limits });
}

function agentArea({ capabilities, addresses }: AreaDeps, { models, workflows }: Services): Area {
  const { identity, limits } = capabilities;
  return area(
    mcp({
      authenticate: (arrival) => identity.authenticate(arrival),
      admit: (caller) => limits.admit(caller.workspaceId, "workflow_and_registry"),
      watch: (caller, lost) => identity.watch(caller, lost),
      ownUrl: addresses.ownUrl,
      version: serverVersion,
      openPicture: async (url, modelId) => {
        const model = await models.live.modelOf(modelId, null);
        return model && openPicture(models.forGraphs)(url, model);
      },
      shrinkPicture: (bytes) => workflows.assets.shrink(bytes, 512),
      listWorks: (page) => workflows.works.works.callable(page),
      priceWorks: workflows.priceWorks,
    }),
  );
}
