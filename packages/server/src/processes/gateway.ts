// `atelier serve`: every area in one process. This file follows the order of the start, and the lifecycle undoes it in reverse.
// Config → database → migrations → capabilities → areas → listen → ready. A process that does not answer callers
// (ATELIER_ROLES) is built the same way and listens only for probes.

import { type Readiness, tokenOperations } from "@atelier/contract";
import { Counter } from "prom-client";
import { processChecks, readiness, type SystemDeps } from "../areas/system/index.ts";
import { backgroundReportsOf } from "../capabilities/background-reports/index.ts";
import { prepareSchema, registerBackupMetrics, scheduleOf } from "../capabilities/backup/index.ts";
import { registerCreditMetrics } from "../capabilities/calls/index.ts";
import type { Deployment, DeploymentId } from "../capabilities/deployments/index.ts";
import { findDeployment } from "../capabilities/deployments/shared-sql.ts";
import { createErrorAnswers, type ErrorAnswers } from "../capabilities/error-answers/index.ts";
import { type Bootstrapped, bootstrap } from "../capabilities/identity/index.ts";
import type { PoolId } from "../capabilities/jobs/index.ts";
import { watchMoney } from "../capabilities/notices/index.ts";
import { buildSafety, requireSafety } from "../capabilities/safety/index.ts";
import { secretsOfRing } from "../capabilities/secrets/index.ts";
import type { Config } from "../config.ts";
import { registerBackgroundMetrics } from "../foundation/background-metrics.ts";
import { forgettingOver } from "../foundation/bus/forgetting.ts";
import { openBus } from "../foundation/bus/open-bus.ts";
import { type Clock, systemClock } from "../foundation/clock.ts";
import { createInvariantWatch } from "../foundation/database/index.ts";
import { openStorage, type Storage } from "../foundation/database/opening/open-storage.ts";
import { createAdmission } from "../foundation/http/admission/admission.ts";
import type { Area } from "../foundation/http/area.ts";
import { hostsOf, isLoopback, loopbackNames } from "../foundation/http/loopback-guard.ts";
import { serve } from "../foundation/http/serve.ts";
import { newRequestId } from "../foundation/ids.ts";
import { createKnownSecrets, type KnownSecrets } from "../foundation/known-secrets.ts";
import type { Lifecycle } from "../foundation/lifecycle.ts";
import type { Log } from "../foundation/log.ts";
import { createMetrics, type Metrics } from "../foundation/metrics.ts";
import type { Secret } from "../foundation/settings.ts";
import { UsageProblem } from "../foundation/settings.ts";
import { chooseIsolation } from "../foundation/threads/choose-isolation.ts";
import { registerTraceMetrics } from "../foundation/tracing/index.ts";
import { openTracing } from "../foundation/tracing/open-tracing.ts";
import { arrivalPolicy } from "../surfaces/arrival-policy.ts";
import { deploymentHosts } from "../surfaces/deployment-host.ts";
import { deploymentAddresses, mountAll, mountHost, reservedHost } from "../surfaces/deployment-mounts.ts";
import { dialectOf, switchHint } from "../surfaces/dialect/index.ts";
import { ownAddresses } from "../surfaces/own-addresses.ts";
import { type AreaDeps, buildAreas } from "./build/build-areas.ts";
import { buildPaying } from "./build/build-calls.ts";
import { buildCapabilities, type Capabilities, firstWorkspaceCreated } from "./build/build-capabilities.ts";
import { requireReachable } from "./build/build-registry.ts";
import { buildServices } from "./build/build-services.ts";
import { keepBodies } from "./build/keep-bodies.ts";
import { keepForDays } from "./build/keep-for-days.ts";
import { buildMail, consoleUrl, requireMail } from "./build/notices/build-mail.ts";
import { buildWebhooks } from "./build/notices/build-webhooks.ts";
import { listening } from "./build/open/listening.ts";
import { listenForMonitoring } from "./build/open/monitoring-listener.ts";
import type { Among, ProcessDeps } from "./build/process-deps.ts";
import { secretsOfEnvironment, secretsOfSettings } from "./build/server-secrets.ts";
import { drainSecondsLeft, drainSecondsOf } from "./drain-seconds.ts";
import { effectiveSettings, type SettingSources } from "./effective-settings.ts";
import { allInvariants } from "./invariants.ts";
import { hasRole, partOf, requireRoles } from "./roles.ts";
import type { SharedSandbox } from "./run-sandbox.ts";
import { serverVersion } from "./server-version.ts";
import { scheduleBackups } from "./upkeep/build-backups.ts";
import { buildSelling } from "./upkeep/build-selling.ts";

export interface Gateway {
  readonly baseUrl: string;
  readonly platformUrl: string;
  // Without the gateway role, the port of the processes that have it.
  readonly port: number;
  // The port of the separate listener for metrics and probes. Null without one.
  readonly monitoringPort: number | null;
  // What the first start created; shown once.
  readonly bootstrapped: Bootstrapped;
  // The token of a new sign-in link for the owner of the first workspace. Null if there is none.
  linkOwner(): Promise<string | null>;
  // Whether a browser ever signed in here, as far back as sessions are kept.
  wasSignedIn(): Promise<boolean>;
  // The answer of /readyz.
  look(): Promise<Readiness>;
  // Where user-made content is served.
  readonly contentPort: number;
  readonly sandbox: SharedSandbox | null;
  // A new worker token for one pool. A living one of the same name is revoked.
  makeWorkerToken(name: string, poolId: PoolId): Promise<{ readonly secret: string; revoke(): Promise<void> }>;
}

export interface GatewayDeps {
  readonly config: Config;
  // Where the settings come from, for operators who look.
  readonly sources?: SettingSources;
  readonly life: Lifecycle;
  readonly log: Log;
  readonly clock?: Clock;
  // Collects the secrets of the process. The log masks them if it was created with the same object.
  readonly known?: KnownSecrets;
  // Providers' credentials, keyed by the name of their setting (ATELIER_PROVIDER_…).
  readonly credentials?: ReadonlyMap<string, Secret>;
  // `atelier deployment`: serve and work for this deployment only.
  readonly deploymentId?: DeploymentId;
  // And answer the workers that it starts.
  readonly hasWorkers?: boolean;
  // Stores the first key where its owner finds it, before it exists in the database.
  readonly keepFirstKey?: (key: string) => Promise<void>;
  readonly among?: Among | null;
  // Proves to programs that can read the data folder that this process is its server.
  readonly prove?: SystemDeps["prove"];
}

export async function startGateway(given: GatewayDeps): Promise<Gateway> {
  const { config, life, log, clock = systemClock, credentials = new Map() } = given;
  requireReachable(config);
  requireRoles(config);
  requireSafety(config);
  requireMail(config);
  const { tracer, spanCounts } = openTracing({ config, life, clock, version: serverVersion });
  const opened = await openMachine(given);
  const { storage } = opened;
  const deployment = await deploymentOf(storage, given.deploymentId);
  const addresses = ownAddresses(config);
  const { baseUrl, platformUrl, ownPorts } = addresses;
  const among = given.among ?? null;
  const bus = await openBus({ config, storage, clock, log });
  life.onStop("bus", () => bus.close());
  const forgetting = forgettingOver(bus);
  const { database, lists } = storage;
  const parts = { ...opened, config, life, log, clock, database, lists, baseUrl, among, bus, forgetting, tracer };
  const capabilities = await buildCapabilities(parts);
  const known = knownSecrets(given, capabilities);
  const started = { ...parts, known };
  const bootstrapped = await makeFirstWorkspace(given, started, capabilities);
  const paying = await buildPaying({ ...started, audit: capabilities.audit });
  const watching = watchOver({ ...started, name: nameOf(config, deployment) });
  registerTraceMetrics(watching.metrics.registry, spanCounts);
  watching.metrics.gauge("atelier_bus_connected", "1 if other processes can wake this one, else 0.", () =>
    paying.bus.problem() === null ? 1 : 0,
  );
  registerReplicaMetrics(watching.metrics, storage.replica);
  const { webhooks, egress } = buildWebhooks({ ...started, ...watching, capabilities, ownPorts });
  const mail = buildMail({ ...started, ...watching });
  watchMoney(life, paying, { webhooks, mail, consoleUrl: consoleUrl(addresses, config) });
  const safety = buildSafety({ ...started, ...watching, version: serverVersion });
  const requestBodies = await keepBodies({ ...started, ...watching, capabilities });
  const deps: AreaDeps = {
    ...started,
    ...watching,
    secrets: credentials,
    capabilities,
    paying,
    webhooks,
    mail,
    requestBodies,
    retention: keepForDays({ ...started, capabilities }),
    selling: buildSelling({ ...started, capabilities }),
    safety,
    addresses,
    egress,
    deploymentHosts: deploymentHosts(() => deploymentAddresses(config, addresses.port())),
    deployment,
    dialect: dialectOf({
      name: config.dialect,
      surface: deployment ? "deployment" : "cloud",
      clock,
      creditsPerUsd: config.creditsPerUsd,
    }),
    prove: given.prove,
    settings: effectiveSettings(config, given.sources ?? {}),
    hasWorkers: given.hasWorkers ?? false,
  };
  const services = await buildServices(deps);
  const { live } = services.models;
  const checks = processChecks({ storage, bus, blobs: paying.blobs, keyRing: capabilities.keyRing, live, clock });
  const look = readiness({ checks, clock, leaving: life.leaving });
  const monitoringPort = await listenForMonitoring(deps, look);
  if (hasRole(config, "gateway")) await listen(deps, await buildAreas(deps, services, look));
  await scheduleBackups(started);
  life.work("background reports", watching.backgroundReports);
  const { identity } = capabilities;
  const found = { baseUrl: baseUrl(), platformUrl: platformUrl(), port: addresses.port(), monitoringPort };
  const { contentPort } = services.workflows;
  const ready = { ...found, bootstrapped, look, contentPort, sandbox: services.sandbox };
  return {
    ...ready,
    linkOwner: () => linkOwner(identity),
    wasSignedIn: () => identity.signIn.wasUsed(),
    makeWorkerToken: (name, poolId) => makeWorkerToken(capabilities, name, poolId),
  };
}

// What this machine gives: the walls around child processes are tried while the database opens.
async function openMachine({ config, life, log }: GatewayDeps) {
  const isolated = chooseIsolation(config);
  const storage = await openStorage({ config, life, log });
  await prepareSchema(storage, { config, log });
  return { storage, isolation: await isolated() };
}

// Secrets of workspaces, and those that operators entered, are added by the code that unseals them.
function knownSecrets(given: GatewayDeps, { keyRing }: Capabilities): KnownSecrets {
  const { config, known = createKnownSecrets(), credentials = new Map<string, Secret>() } = given;
  const fixed = [...secretsOfSettings(config), ...secretsOfEnvironment(credentials)];
  known.add(() => fixed);
  known.add(secretsOfRing(keyRing));
  return known;
}

// For operators who look at all processes in one list.
function nameOf(config: Config, deployment: Deployment | null): string {
  const part = partOf(config);
  return `${deployment ? `deployment ${deployment.name}` : "serve"}${part === null ? "" : ` (${part})`}`;
}

interface Started extends ProcessDeps {
  readonly database: Storage["database"];
}

function makeFirstWorkspace(
  { config, keepFirstKey }: GatewayDeps,
  { database, clock }: Started,
  { audit }: Capabilities,
): Promise<Bootstrapped> {
  const keeping = keepFirstKey === undefined ? {} : { keepKey: keepFirstKey };
  const workspaceCreated = firstWorkspaceCreated(config);
  return bootstrap({ db: database, clock, audit, workspaceCreated, ...keeping }, config.bootstrapKey?.reveal() ?? null);
}

// Metrics, admission and monitoring, which every process has whatever it serves.
function watchOver({ config, life, log, clock, database, name }: Started & { readonly name: string }) {
  const metrics = createMetrics();
  metrics.fact("atelier_build_info", "What runs here.", { version: serverVersion, node: process.version });
  metrics.fact("atelier_process_info", "What this process does.", { roles: config.roles.toSorted().join(",") });
  life.onStop("metrics", () => metrics.stop());
  const errorAnswers = keepErrors({ life, clock, log, database, metrics });
  const admission = createAdmission({ settings: config, clock, metrics, log, errorAnswered: errorAnswers.note });
  registerCreditMetrics(metrics, database);
  registerBackupMetrics(metrics, { database, clock, schedule: scheduleOf(config) });
  registerBackgroundMetrics(metrics, life.background);
  const backgroundReports = backgroundReportsOf({ database, clock, name });
  const invariants = createInvariantWatch({ database, log, metrics, invariants: allInvariants });
  life.work("watch over invariants", invariants);
  return { metrics, admission, errorAnswers, backgroundReports };
}

function keepErrors(deps: Omit<Started, "config"> & { readonly metrics: Metrics }): ErrorAnswers {
  const unkept = deps.metrics.counter(
    "atelier_error_answers_unkept_total",
    "Errors that were not stored because there were too many, so they cannot be looked up by request id.",
  );
  const errorAnswers = createErrorAnswers({ ...deps, onUnkept: () => unkept.add() });
  const round = () => errorAnswers.forget();
  deps.life.repeat({ name: "error answers: forget old ones", role: "background", everyMs: 600_000, round });
  deps.life.onStop("error answers", () => errorAnswers.close());
  return errorAnswers;
}

function registerReplicaMetrics(metrics: Metrics, replica: Storage["replica"]): void {
  if (replica === null) return;
  const isUsed = () => (replica.problem() === null ? 1 : 0);
  metrics.gauge("atelier_database_replica_in_use", "1 if lists are read from the replica, else 0.", isUsed);
  new Counter({
    name: "atelier_list_reads_total",
    help: "Reads of lists and figures, by the database server that answered.",
    labelNames: ["server"],
    registers: [metrics.registry],
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(replica.counts)) this.labels(server).inc(count);
    },
  });
}

const openToTokens: ReadonlySet<string> = new Set(Object.values(tokenOperations).flat());

async function listen(deps: AreaDeps, areas: readonly Area[]): Promise<void> {
  const { config, life, addresses, dialect } = deps;
  const server = await serve({
    areas: dialect?.respell(areas) ?? areas,
    rim: dialect?.rim ?? null,
    ...(dialect === null ? { hintAt: switchHint } : {}),
    host: config.host,
    port: config.port,
    isShared: (deps.among ?? null) !== null,
    ...listening(deps),
    tracer: deps.tracer ?? null,
    policy: (listening) => policyOf(deps, listening),
    pages: { operations: openToTokens, isKnown: (origin) => deps.capabilities.identity.tokens.isOrigin(origin) },
  });
  addresses.listensOn(server.port);
  life.onStop("listener", () => server.stop(drainSecondsLeft(config, life)), drainSecondsOf(config) + 5);
}

// Called once, when the port is known; from then on the URLs are correct.
function policyOf(deps: AreaDeps, listening: number) {
  const { config, addresses, deployment, deploymentHosts: hosts, hasWorkers } = deps;
  const { baseUrl, platformUrl } = addresses;
  const names = isLoopback(config.host) ? loopbackNames : [config.host];
  const known = arrivalPolicy(config, names, listening, [baseUrl, platformUrl]);
  addresses.listensOn(listening);
  const others = [baseUrl(), platformUrl(), config.cloudUrl ?? baseUrl()].map((url) => new URL(url).host);
  const reserved = reservedHost(config, [...others, ...hostsOf(names, listening)]);
  return {
    ...known,
    mountOf: deployment === null ? mountHost(hosts, reserved) : mountAll(deployment.id, hosts, known.hosts, hasWorkers),
  };
}

async function linkOwner({ workspaces, signIn }: Capabilities["identity"]): Promise<string | null> {
  const owner = await workspaces.firstOwner();
  const actor = { kind: "system", id: null, name: "first start" } as const;
  return owner && (await signIn.createLink(owner.id, { actor })).token;
}

async function makeWorkerToken({ workerTokens }: Capabilities, name: string, poolId: PoolId) {
  const by = { actor: { kind: "system", id: null } as const, requestId: newRequestId() };
  const old = (await workerTokens.list()).find((token) => token.name === name && token.revokedAt === null);
  if (old) await workerTokens.revoke(old.id, by);
  const { secret, token } = await workerTokens.create({ name, poolIds: [poolId], expiresAt: null }, by);
  return { secret, revoke: () => workerTokens.revoke(token.id, by).then(() => undefined) };
}

async function deploymentOf({ database }: Storage, id: DeploymentId | undefined): Promise<Deployment | null> {
  if (id === undefined) return null;
  const found = await findDeployment(database, id);
  if (found === null) throw new UsageProblem([`There is no deployment ${id} in this database.`]);
  return found;
}
