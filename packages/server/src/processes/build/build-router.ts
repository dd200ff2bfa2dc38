// The model router of this process: definitions become served models with prices, and calls find their way back after
// a crash.

import type { AccountModel, ModelRequest } from "@atelier/contract";
import {
  type CatalogModel,
  callFromGraph,
  catalogHolder,
  catalogOf,
  createInputChecker,
  describeModel,
  followInvocations,
  judgedInputs,
  type ModelRouterDeps,
  modelRouter,
  presentEntry,
  presentRequest,
  requestRunner,
} from "../../areas/model-router/index.ts";
import type { CallFollowing } from "../../capabilities/calls/index.ts";
import { createPassingCalls } from "../../capabilities/calls/index.ts";
import type { ModelRequests } from "../../capabilities/model-requests/index.ts";
import { createOwnCredentials, type OwnCredentials } from "../../capabilities/own-credentials/index.ts";
import { parseSubject, priceOf, priceWords, validatePrice } from "../../capabilities/prices/index.ts";
import {
  createAnswerReader,
  isAddressOfProvider,
  type LiveProviders,
  type ProviderCatalog,
  type ProviderMeter,
  type ServedModel,
} from "../../capabilities/providers/index.ts";
import { createSealer } from "../../capabilities/secrets/index.ts";
import type { Webhooks } from "../../capabilities/webhooks/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Area, area } from "../../foundation/http/area.ts";
import { createGuardedClient } from "../../foundation/http/guarded-client.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import type { Secret } from "../../foundation/settings.ts";
import { drainSecondsOf, withinDrain } from "../drain-seconds.ts";
import { recordingProblem } from "../recording-problem.ts";
import { type Paying, slotsOf } from "./build-calls.ts";
import type { Capabilities } from "./build-capabilities.ts";
import type { GraphRouter } from "./build-jobs.ts";
import { buildModelRequests } from "./build-model-requests.ts";
import { buildProviders, type Providers } from "./build-providers.ts";
import { allowancesOf } from "./egress-policies.ts";
import type { Storage } from "./open-storage.ts";
import { free, ownCatalogs, ownCredentialModels } from "./own-credential-models.ts";
import type { ProcessDeps } from "./process-deps.ts";
import type { BuiltInProviders } from "./provider-credentials.ts";
import { createProviderUpstream } from "./provider-upstream.ts";
import { checkProvider, type ServerCredentials, serverCredentialList } from "./server-credentials.ts";

export interface RouterDeps extends ProcessDeps {
  readonly storage: Storage;
  readonly capabilities: Capabilities;
  readonly paying: Paying;
  readonly webhooks: Webhooks;
  readonly metrics: Metrics;
  readonly providerMeter: ProviderMeter;
  readonly baseUrl: () => string;
  // The operator's credentials.
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly known: KnownSecrets;
  // What this process brings itself: the sandbox.
  readonly builtIn: BuiltInProviders;
  // How calls of other areas are followed.
  readonly followings: readonly CallFollowing[];
  // What is served now, and at which prices.
  priced(models: readonly CatalogModel[]): Promise<void>;
}

export interface Router {
  readonly area: Area;
  readonly catalog: ProviderCatalog;
  readonly live: LiveProviders;
  // This server's own at providers, as operators see and change them.
  readonly serverCredentials: ServerCredentials;
  readonly ownCredentials: OwnCredentials;
  // What a workspace can call, by id and in order.
  modelsFor(workspaceId: WorkspaceId): Promise<readonly string[]>;
  // The same, as people choose among them.
  describedFor(workspaceId: WorkspaceId): Promise<readonly AccountModel[]>;
  // A queued call, as its own reads show it.
  queued(locator: Parameters<ModelRequests["find"]>[0]): Promise<ModelRequest | null>;
  // What graphs may ask of it.
  readonly forGraphs: GraphRouter;
}

export async function buildRouter(deps: RouterDeps): Promise<Router> {
  const { life, capabilities, paying } = deps;
  const catalog = catalogHolder();
  const priced = pricing(deps);
  const providers = await buildProviders({
    ...deps,
    sealer: createSealer(capabilities.keyRing),
    bus: paying.bus,
    database: deps.storage.database,
    audit: capabilities.audit,
    async apply(models) {
      const ready: CatalogModel[] = [];
      for (const model of models) ready.push(...(await priced(model)));
      catalog.replace(catalogOf(ready));
      await deps.priced(ready);
    },
  });
  const { live, credentials, isForOwn } = providers;
  await live.start();
  const following = live.run(life.background, life.stopping);
  life.onStop("provider definitions", () => following);
  const machinery = buildMachinery(deps, credentials.isOwnHost);
  const serverCredentials = buildServerCredentials(deps, providers, machinery);
  const ownCredentials = buildOwnCredentials(deps, providers);
  const own = ownCredentialModels(ownCredentials);
  const passing = createPassingCalls({ clock: deps.clock, bus: paying.bus, usage: paying.usage });
  deps.life.onStop("slots of passing calls", () => passing.close());
  const requests = buildModelRequests({ ...deps, passing });
  const invocations = followInvocations({
    ...machinery,
    calls: paying.calls,
    requests,
    modelOf: live.modelOf.bind(live),
    prices: paying.prices,
    underOwnCredential: own.forFollowing,
  });
  paying.follow([invocations, ...deps.followings]);
  const routerDeps: ModelRouterDeps = {
    ...admission(deps),
    ...payment(deps),
    ...machinery,
    catalog,
    catalogFor: ownCatalogs({ own: ownCredentials, live, current: () => catalog.current(), priced }),
    cursors: capabilities.cursors,
    baseUrl: deps.baseUrl,
    underOwnCredential: own.forCall,
    pastRuns: paying.pastRuns,
    passing,
    requests,
    judged: judgedInputs(),
  };
  runRequests(deps, requests, routerDeps);
  const forGraphs: GraphRouter = {
    call: callFromGraph(routerDeps),
    // A graph is checked before it is known whose credential it will run under.
    priceOf: (modelId) => catalog.current().byId.get(modelId)?.price ?? (isForOwn(modelId) ? free : null),
    async priceFor(modelId, workspaceId) {
      const model = catalog.current().byId.get(modelId);
      if (!model) return isForOwn(modelId) ? free : null;
      return (await own.forCall(model, workspaceId)).price;
    },
    served: () => catalog.current().models,
    upstream: machinery.upstream,
    isServedAddress: (url) => catalog.current().models.some((model) => isAddressOfProvider(model, url)),
    client: createGuardedClient({
      policy: { allowHttp: false, allow: allowancesOf(deps.config, "partners") },
      clock: deps.clock,
    }),
  };
  return {
    area: area(modelRouter(routerDeps)),
    catalog: providers.catalog,
    live,
    serverCredentials,
    ownCredentials,
    ...looks(routerDeps, requests),
    forGraphs,
  };
}

// For those who look at what there is.
function looks(deps: Pick<ModelRouterDeps, "catalogFor" | "baseUrl">, requests: Pick<ModelRequests, "find">) {
  return {
    async modelsFor(workspaceId) {
      return (await deps.catalogFor(workspaceId)).models.map(({ id }) => id);
    },
    async describedFor(workspaceId) {
      const { models } = await deps.catalogFor(workspaceId);
      return models.map((model) => ({
        ...presentEntry(model),
        ...describeModel(model),
        price: priceWords(model.price.definition, model.price.creditsPerUsd),
      }));
    },
    async queued(locator) {
      const request = await requests.find(locator);
      return request && presentRequest(deps.baseUrl(), request);
    },
  } satisfies Partial<Router>;
}

// Who may come in.
function admission({ config, capabilities }: RouterDeps) {
  const { identity, limits } = capabilities;
  return {
    authenticate: (arrival) => identity.authenticate(arrival),
    isEnabled: () => config.router,
    isEnabledFor: (caller) => identity.entitlements.isRouterEnabled(caller.workspaceId),
    admitRate: (caller) => limits.admit(caller.workspaceId, "router_and_partner"),
    async requireEntitlement(caller, modelId) {
      if (!(await identity.entitlements.mayRun(caller.workspaceId, modelId))) {
        throw new Fault("forbidden", "This workspace may not run this model.");
      }
    },
  } satisfies Partial<ModelRouterDeps>;
}

// What a call costs and takes.
function payment({ config, capabilities, paying, webhooks, clock, log }: RouterDeps) {
  return {
    bodyBytesMax: config.routerBodyBytesMax,
    deadlineMs: config.routerDeadlineSeconds * 1000,
    recordingProblem: recordingProblem({ blobs: paying.blobs, clock, log }),
    slotsOf: (caller) => slotsOf(capabilities.limits, caller.workspaceId),
    caps: paying.keyCaps,
    usage: paying.usage,
    calls: paying.calls,
    findCall: paying.calls.find,
    backlogOf: (workspaceId) => capabilities.limits.limitOf(workspaceId, "queued_requests"),
    queueSeconds: config.requestQueueSeconds,
    checkWebhookUrl: (url) => webhooks.checkUrl(url),
  } satisfies Partial<ModelRouterDeps>;
}

// What waits is run by every process that serves the router, until it stops; what waits then stays.
function runRequests(deps: RouterDeps, requests: ModelRequests, routerDeps: ModelRouterDeps): void {
  const { life, config, paying } = deps;
  const { entitlements } = deps.capabilities.identity;
  const run = requestRunner({
    ...routerDeps,
    requests,
    prices: paying.prices,
    async requireAdmitted(workspaceId, modelId) {
      if (!config.router || !(await entitlements.isRouterEnabled(workspaceId)))
        throw new Fault("workspace_not_enabled", "The model router is not enabled for this workspace any more.");
      if (!(await entitlements.mayRun(workspaceId, modelId)))
        throw new Fault("forbidden", "This workspace may not run this model any more.");
    },
  });
  const running = requests.run(life.background, run, life.stopping);
  life.onStop("work on model requests", () => running, 15);
}

// What runs a call: connections, threads for large bodies, and the calls that no connection waits for.
function buildMachinery(deps: RouterDeps, isOwnHost: (host: string) => boolean) {
  const { life, clock, log } = deps;
  const upstream = createProviderUpstream({ clock, isOwnHost, allow: allowancesOf(deps.config, "partners") });
  // Not awaited: what is still at a provider after the drain is another process's to follow, and cutting it would look
  // like an end.
  life.onStop("connections to providers", () => void upstream.close());
  const inputs = createInputChecker(clock);
  life.onStop("threads for large bodies", () => inputs.close());
  const answers = createAnswerReader();
  life.onStop("thread for large answers", () => answers.close());
  const detached = new Set<Promise<unknown>>();
  // A call that is at its provider is given the drain to come back; what is left is adopted by another process.
  const drainSeconds = drainSecondsOf(deps.config);
  life.onStop("calls at providers", () => withinDrain(deps, Promise.allSettled(detached)), drainSeconds + 5);
  const { credentialRefused } = deps.paying;
  const { providerMeter, known, tracer = null } = deps;
  return { upstream, inputs, answers, detached, credentialRefused, providerMeter, known, tracer, clock, log };
}

const resealEveryMs = 600_000;

function buildServerCredentials(
  { life, secrets, known }: RouterDeps,
  { live, held, writing }: Pick<Providers, "live" | "held" | "writing">,
  machinery: Pick<ReturnType<typeof buildMachinery>, "upstream" | "clock">,
): ServerCredentials {
  known.add(() => held.texts());
  // After a rotation of the key ring.
  const round = () => held.resealAll();
  life.repeat({ name: "server credentials: seal them anew", role: "background", everyMs: resealEveryMs, round });
  return {
    ...writing,
    list: serverCredentialList({ live, held, secrets }),
    check: (provider) => checkProvider({ ...machinery, live }, provider),
  };
}

function buildOwnCredentials(
  { storage, capabilities, paying, clock, life, known }: RouterDeps,
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
  known.addOfWorkspaces((workspaceId) => own.textsOf(workspaceId));
  // After a rotation of the key ring.
  const round = () => own.resealAll();
  life.repeat({ name: "own credentials: seal them anew", role: "background", everyMs: resealEveryMs, round });
  return own;
}

// Prices follow definitions: a changed one is a new record, and a model is served with the record it was written under.
function pricing(deps: RouterDeps) {
  const { paying, storage, config } = deps;
  const known = new WeakMap<ServedModel, CatalogModel>();
  return async (served: ServedModel): Promise<CatalogModel[]> => {
    const ready = known.get(served);
    if (ready) return [ready];
    const price = validatePrice(served.definition.price);
    const subject = parseSubject(`model:${served.id}`);
    if (!price.ok || subject === null) return [];
    const { record } = await storage.database.transaction((tx) =>
      paying.prices.ensure(tx, { subject, definition: price.definition, createdBy: "provider definition" }),
    );
    paying.prices.drop(subject);
    const model = { ...served, price: priceOf(price.definition, config.creditsPerUsd), priceRecordId: record.id };
    known.set(served, model);
    return [model];
  };
}
