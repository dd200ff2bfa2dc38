// Partner models of this process: definitions become served models with prices, and calls run, wait and recover after a crash.
// Whether callers can reach them is up to the areas.

import { recordingProblem } from "../../capabilities/blobs/index.ts";
import type { CallFollowing } from "../../capabilities/calls/index.ts";
import { createPassingCalls } from "../../capabilities/calls/index.ts";
import { type DefinitionTexts, definitionTexts } from "../../capabilities/conformance/index.ts";
import { slotsOf } from "../../capabilities/limits/index.ts";
import {
  type CatalogHolder,
  type CatalogModel,
  catalogHolder,
  createCatalog,
  createInputChecker,
  createModelCalls,
  type KeeperHolder,
  keeperHolder,
  type ModelCalls,
  ownCatalogs,
  ownCredentialModels,
  type PublishedHolder,
  priceModels,
  publishedHolder,
  routeModels,
  shippedSettings,
} from "../../capabilities/model-calls/index.ts";
import { createOwnCredentials, type OwnCredentials } from "../../capabilities/own-credentials/index.ts";
import {
  type BuiltInProviders,
  checkProvider,
  createAnswerReader,
  createProviderHealth,
  createProviderUpstream,
  isProviderAddress,
  type LiveProviders,
  type ProviderCatalog,
  type ProviderHealth,
  type ProviderMeter,
  type ServerCredentials,
  serverCredentialList,
} from "../../capabilities/providers/index.ts";
import { createRoutes, type Routes } from "../../capabilities/routes/index.ts";
import { createSealer } from "../../capabilities/secrets/index.ts";
import { allowancesOf } from "../../foundation/http/outgoing/egress-policies.ts";
import { createGuardedClient } from "../../foundation/http/outgoing/guarded-client.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { Secret } from "../../foundation/settings.ts";
import { drainSecondsOf, withinDrain } from "../drain-seconds.ts";
import type { GraphRouter } from "./build-jobs.ts";
import { buildModelRequests } from "./build-model-requests.ts";
import { buildProviders, type Providers } from "./providers/build-providers.ts";
import type { ServingDeps } from "./serving-deps.ts";

export interface ModelCallBuildDeps extends ServingDeps {
  readonly providerMeter: ProviderMeter;
  // The operator's credentials.
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly known: KnownSecrets;
  // Providers that this process brings itself: the sandbox.
  readonly builtIn: BuiltInProviders;
  // Node classes that call these models.
  readonly classes: GraphRouter["classes"];
  readonly badges: GraphRouter["badges"];
  // How to follow calls of other areas.
  readonly followings: readonly CallFollowing[];
  // Called with the models served now, so that their prices can be recorded.
  priced(models: readonly CatalogModel[]): Promise<void>;
}

export interface BuiltModelCalls {
  readonly models: ModelCalls;
  // To be connected once jobs are built.
  readonly published: PublishedHolder;
  readonly keeper: KeeperHolder;
  readonly catalog: ProviderCatalog;
  readonly live: LiveProviders;
  // This server's own credentials at providers, as operators see and change them.
  readonly serverCredentials: ServerCredentials;
  readonly definitionTexts: DefinitionTexts;
  readonly ownCredentials: OwnCredentials;
  readonly routes: Routes;
  readonly health: ProviderHealth;
  // What graphs can ask of models.
  readonly forGraphs: GraphRouter;
}

export async function buildModelCalls(deps: ModelCallBuildDeps): Promise<BuiltModelCalls> {
  const { life, capabilities, paying, config } = deps;
  const { database } = deps.storage;
  const catalog = catalogHolder();
  const published = publishedHolder();
  const keeper = keeperHolder();
  const priced = priceModels({ database, prices: paying.prices, creditsPerUsd: config.creditsPerUsd });
  const providers = await buildProviders({
    ...deps,
    sealer: createSealer(capabilities.keyRing),
    bus: paying.bus,
    database,
    audit: capabilities.audit,
    async apply(served) {
      const ready: CatalogModel[] = [];
      for (const model of served) ready.push(...(await priced(model)));
      catalog.replace(createCatalog(ready));
      await deps.priced(ready);
    },
  });
  const { live, credentials, isForOwn } = providers;
  await live.start();
  life.work("provider definitions", live);
  const machinery = buildMachinery(deps, credentials.isOwnHost);
  const serverCredentials = buildServerCredentials(deps, providers, machinery);
  const ownCredentials = buildOwnCredentials(deps, providers);
  const passing = createPassingCalls({ clock: deps.clock, bus: paying.bus, usage: paying.usage });
  life.onStop("slots of passing calls", () => passing.close());
  const requests = buildModelRequests({ ...deps, passing });
  // Calls at a provider have the drain time to come back; another process adopts the rest. Registered after the requests, so
  // that the queue still takes the end of a call that comes back.
  const drained = () => withinDrain(deps, Promise.allSettled(machinery.detached));
  life.onStop("calls at providers", drained, drainSecondsOf(config) + 5);
  const catalogFor = ownCatalogs({ own: ownCredentials, live, current: () => catalog.current(), priced });
  const routes = buildRoutes(deps, catalog, catalogFor);
  const health = createProviderHealth(deps.clock, deps.log);
  const models = createModelCalls({
    ...machinery,
    ...payment(deps),
    catalog,
    published,
    catalogFor,
    routed: routeModels({ routes, catalogFor }),
    health,
    isEnabled: () => config.router,
    entitlements: capabilities.identity.entitlements,
    own: ownCredentialModels(ownCredentials),
    isForOwn,
    modelOf: live.modelOf.bind(live),
    passing,
    requests,
    bodies: deps.requestBodies,
    safety: deps.safety,
    keeper,
  });
  paying.follow([models.following, ...deps.followings]);
  // Every process with models runs requests until it stops; requests still waiting then stay in the queue.
  const running = requests.run(life.background, models.runRequest, life.stopping);
  life.onStop("work on model requests", () => running, 15);
  const forGraphs: GraphRouter = {
    call: models.callFromGraph,
    cancelCallsOf: models.cancelCallsOf,
    classes: deps.classes,
    badges: deps.badges,
    priceOf: models.priceOf,
    priceFor: models.priceFor,
    served: () => catalog.current().models,
    definitionVersionOf: (modelId) =>
      catalog.current().models.find(({ id }) => id === modelId)?.definitionVersion ?? null,
    upstream: machinery.upstream,
    isServedAddress: (url) => catalog.current().models.some((model) => isProviderAddress(model, url)),
    client: createGuardedClient({
      policy: { allowHttp: false, allow: allowancesOf(config, "partners") },
      clock: deps.clock,
    }),
  };
  const texts = definitionTexts({ live, targetProblems: credentials.targetProblems, files: config.providers });
  const shown = { live, serverCredentials, definitionTexts: texts, ownCredentials, routes, health };
  return { models, published, keeper, catalog: providers.catalog, ...shown, forGraphs };
}

// A route of the server stands for models of the shared catalog; a workspace's own may also use its own credentials.
function buildRoutes(
  { storage, clock, capabilities, paying }: ModelCallBuildDeps,
  shared: CatalogHolder,
  catalogFor: ReturnType<typeof ownCatalogs>,
): Routes {
  return createRoutes({
    database: storage.database,
    clock,
    audit: capabilities.audit,
    async modelsOf(owner) {
      const { byId } = owner === null ? shared.current() : await catalogFor(owner);
      return (id) => byId.get(id) ?? null;
    },
    forgetting: paying.forgetting,
  });
}

// What a call costs and which resources it needs.
function payment({ config, capabilities, paying, clock, log }: ModelCallBuildDeps) {
  const { limits } = capabilities;
  return {
    deadlineMs: config.routerDeadlineSeconds * 1000,
    recordingProblem: recordingProblem({ blobs: paying.blobs, clock, log }),
    slotsOf: (caller: { readonly workspaceId: WorkspaceId }) => slotsOf(limits, caller.workspaceId),
    caps: paying.keyCaps,
    usage: paying.usage,
    calls: paying.calls,
    prices: paying.prices,
    pastRuns: paying.pastRuns,
    backlogOf: (workspaceId: WorkspaceId) => limits.limitOf(workspaceId, "queued_requests"),
    queueSeconds: config.requestQueueSeconds,
  };
}

// What runs a call: connections, threads for large bodies, and the calls that no connection waits for.
function buildMachinery(deps: ModelCallBuildDeps, isOwnHost: (host: string) => boolean) {
  const { life, clock, log } = deps;
  const upstream = createProviderUpstream({ clock, isOwnHost, allow: allowancesOf(deps.config, "partners") });
  // Not awaited: another process follows calls that are still at a provider after the drain. Cutting them would look like an
  // end.
  life.onStop("connections to providers", () => void upstream.close());
  const inputs = createInputChecker(clock);
  life.onStop("threads for large bodies", () => inputs.close());
  const answers = createAnswerReader();
  life.onStop("thread for large answers", () => answers.close());
  const detached = new Set<Promise<unknown>>();
  const { credentialRefused } = deps.paying;
  const { providerMeter, known, tracer = null } = deps;
  return { upstream, inputs, answers, detached, credentialRefused, providerMeter, known, tracer, clock, log };
}

const resealEveryMs = 600_000;

function buildServerCredentials(
  { life, secrets, known }: ModelCallBuildDeps,
  { live, held, writing }: Pick<Providers, "live" | "held" | "writing">,
  machinery: Pick<ReturnType<typeof buildMachinery>, "upstream" | "clock">,
): ServerCredentials {
  known.add(() => held.texts());
  // After a rotation of the key ring.
  const round = () => held.resealAll();
  life.repeat({ name: "server credentials: seal them anew", role: "background", everyMs: resealEveryMs, round });
  return {
    ...writing,
    list: serverCredentialList({ live, held, secrets, shipped: shippedSettings }),
    check: (provider) => checkProvider({ ...machinery, live }, provider),
  };
}

function buildOwnCredentials(
  { storage, capabilities, paying, clock, life, known }: ModelCallBuildDeps,
  { live, takers }: Pick<Providers, "live" | "takers">,
) {
  const { keyRing, audit } = capabilities;
  const own = createOwnCredentials({
    database: storage.database,
    clock,
    sealer: createSealer(keyRing),
    keyRing,
    audit,
    definitionOf: (provider) => live.definitionOf(provider),
    takers,
    forgetting: paying.forgetting,
  });
  known.addWorkspaceSource((workspaceId) => own.textsOf(workspaceId));
  // After a rotation of the key ring.
  const round = () => own.resealAll();
  life.repeat({ name: "own credentials: seal them anew", role: "background", everyMs: resealEveryMs, round });
  return own;
}
