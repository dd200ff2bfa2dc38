// `atelier proxy`: the v2 API in front of an application on the same machine. It stores everything it promises in its own home
// (records, graphs, keys and the bytes of outputs), so neither its own end nor the application's loses any of it. It is not a
// tunnel: its client makes a fixed list of calls to the application, and nothing that a caller wrote becomes part of a URL
// there.

import { join } from "node:path";
import type { Isolation } from "@atelier/engine/isolation";
import { type ConsoleDeps, consoleArea, consoleAtRoot, openClients, openConsole } from "../../areas/console/index.ts";
import { surfaceDocument } from "../../areas/system/index.ts";
import { createStreamQuota, jobNotifier, type Surface, workflowAreas } from "../../areas/workflows/index.ts";
import { type ApplicationFiles, createApplicationFiles } from "../../capabilities/application-files/index.ts";
import { proxyLeaseSeconds, runApplicationJobs } from "../../capabilities/application-workers/index.ts";
import { type Application, openApplication, openKeptClasses } from "../../capabilities/applications/index.ts";
import { type Assets, createAssets } from "../../capabilities/assets/index.ts";
import { type Audit, createAudit } from "../../capabilities/audit/index.ts";
import { backgroundReportsOf } from "../../capabilities/background-reports/index.ts";
import { prepareSchema } from "../../capabilities/backup/index.ts";
import { type Blobs, createBlobs, openBlobs, tendBlobs } from "../../capabilities/blobs/index.ts";
import { allowAll, applicationGraphs, awaitedApplication, freeOfCharge } from "../../capabilities/graphs/index.ts";
import { bootstrap } from "../../capabilities/identity/index.ts";
import { listWorkspaces } from "../../capabilities/identity/shared-sql.ts";
import { createJobs, createPastRuns, type Jobs, jobPlannerSettings, outputsOf } from "../../capabilities/jobs/index.ts";
import { createLimits, type Limits } from "../../capabilities/limits/index.ts";
import { sharedPool } from "../../capabilities/pools/index.ts";
import {
  createSealer,
  cursorsOf,
  type LiveKeyRing,
  openRing,
  secretsOfRing,
} from "../../capabilities/secrets/index.ts";
import type { Webhooks } from "../../capabilities/webhooks/index.ts";
import { keepWebhookSecret } from "../../capabilities/webhooks/index.ts";
import type { Config } from "../../config.ts";
import { registerBackgroundMetrics } from "../../foundation/background-metrics.ts";
import { inProcessBus } from "../../foundation/bus/bus.ts";
import { type Clock, systemClock } from "../../foundation/clock.ts";
import { type Database, openDatabase } from "../../foundation/database/index.ts";
import { openStorage, type Storage } from "../../foundation/database/opening/open-storage.ts";
import { createAdmission } from "../../foundation/http/admission/admission.ts";
import type { Area } from "../../foundation/http/area.ts";
import { serveOnLoopback } from "../../foundation/http/loopback-listeners.ts";
import type { EgressPolicies } from "../../foundation/http/outgoing/egress-policies.ts";
import { peerReader } from "../../foundation/http/peer-address.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { createJsonReader } from "../../foundation/json/large-json.ts";
import { createKnownSecrets, type KnownSecrets } from "../../foundation/known-secrets.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import { createMetrics, type Metrics } from "../../foundation/metrics.ts";
import type { Secret } from "../../foundation/settings.ts";
import { chooseIsolation } from "../../foundation/threads/choose-isolation.ts";
import { type Dialect, dialectOf } from "../../surfaces/dialect/index.ts";
import { openProxyHome } from "../../surfaces/proxy-home.ts";
import { proxyPolicy } from "../../surfaces/proxy-policy.ts";
import { selfHosted } from "../../surfaces/self-hosted.ts";
import { buildWebhooks } from "../build/notices/build-webhooks.ts";
import { secretsOfSettings } from "../build/server-secrets.ts";
import { serverVersion } from "../server-version.ts";

export interface ProxyDeps {
  readonly config: Config;
  readonly home: string;
  readonly life: Lifecycle;
  readonly log: Log;
  readonly clock?: Clock;
  // Collects the secrets of the process. The log masks them if it was created with the same object.
  readonly known?: KnownSecrets;
  // An existing database. An embedded one in the home if absent.
  readonly databaseUrl?: Secret | null;
}

export interface Proxy {
  readonly url: string;
  readonly port: number;
  // The application's URL.
  readonly upstream: string;
  // Whether the application is up, or comes up within this time.
  isUpstreamUp(waitMs: number): Promise<boolean>;
}

const defaultApplicationUrl = "http://127.0.0.1:8188";
const gibibyte = 1024 ** 3;
// The disk belongs to the caller, so only limits that protect the process itself remain.
const ownMachineLimits = {
  bytes: Number.MAX_SAFE_INTEGER,
  assets: Number.MAX_SAFE_INTEGER,
  asset_bytes: 256 * gibibyte,
  jobs: 100_000,
  streams: 1_000,
} as const;

interface Parts extends Required<ProxyDeps> {
  readonly isolation: Isolation;
  readonly storage: Storage;
  readonly database: Database;
  readonly keyRing: LiveKeyRing;
  readonly audit: Audit;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly blobs: Blobs;
  readonly application: Application;
  // The application's URL, as configured.
  readonly upstream: string;
  readonly workspaceId: WorkspaceId;
}

export async function startProxy(given: ProxyDeps): Promise<Proxy> {
  const parts = await openParts(given);
  const { config, life, clock, log } = parts;
  const assets = openAssets(parts);
  const files = createApplicationFiles({ baseFolder: config.applicationFolder, blobs: parts.blobs });
  let port = config.proxyPort;
  const dialect = dialectOf({
    name: config.dialect,
    surface: "self-hosted",
    clock,
    creditsPerUsd: config.creditsPerUsd,
  });
  const surface = openSurface(parts, assets, files, dialect);
  const ownPorts = () => [port, Number(new URL(parts.application.url).port || 80)];
  const { webhooks, egress } = buildWebhooks({ ...parts, capabilities: parts, ownPorts });
  const jobs = openJobs(parts, { assets, surface, webhooks, egress, host: () => `127.0.0.1:${port}` });
  const bodies = createJsonReader(clock);
  life.onStop("threads for large submissions", () => bodies.close());
  const work = {
    jobs,
    bodies,
    streamQuota: createStreamQuota({ limits: parts.limits }),
    graphs: applicationGraphs(asLastSeen(parts.application), { files: "application", clock }),
    cursors: cursorsOf(parts.keyRing, clock),
    policy: allowAll,
    awaited: awaitedApplication(jobs, parts.application),
    price: freeOfCharge,
    pastRuns: createPastRuns(parts),
    egress,
    health: () => healthOf(parts),
  };
  const areas = workflowAreas({ surface, assets, limits: parts.limits, clock, work });
  const pages = consolePages(parts, () => port);
  const document = surfaceDocument({
    title: "Atelier self-hosted API",
    version: serverVersion,
    mounted: () => [...areas, ...pages].flatMap(({ routes }) => routes.map(({ operation }) => operation)),
    serverOf: () => config.baseUrl ?? "/",
  });
  const mounted = [...areas, document, ...pages];
  const server = await serveOnLoopback({
    areas: dialect?.respell(mounted) ?? mounted,
    rim: dialect?.rim ?? null,
    port,
    clock,
    log,
    metrics: parts.metrics,
    policy: (listening) => proxyPolicy(config, listening),
    corsOrigins: new Set(config.corsOrigins),
    readPeer: peerReader([]),
    admission: createAdmission({ ...parts, settings: config }),
    bufferedBytesMax: config.bufferedBytesMax,
  });
  port = server.port;
  const drainSeconds = config.drainSeconds ?? 5;
  life.onStop("listener", () => server.stop(drainSeconds), drainSeconds + 5);
  // Only now: the process that holds the port is the one proxy, and takes over what an earlier one left running.
  await keepWebhookSecret({ ...parts, secrets: webhooks.secrets });
  runApplicationJobs({ ...parts, assets, files, jobs });
  life.work("background reports", backgroundReportsOf({ database: parts.database, clock, name: "proxy" }));
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    upstream: parts.upstream,
    isUpstreamUp: (waitMs) => parts.application.whenUp(waitMs, life.stopping),
  };
}

// The console at the root: next to a local application, all of it that needs no account.
function consolePages({ config, log }: Parts, port: () => number): readonly Area[] {
  const deps: ConsoleDeps = {
    files: openConsole(config.home, log),
    clients: openClients(config.home, log),
    storeOrigin: null,
    config: () => ({
      version: serverVersion,
      surface: "self_hosted",
      auth: config.proxyToken === null ? "none" : "token",
      base_url: config.baseUrl ?? `http://127.0.0.1:${port()}`,
      content_url: null,
      credits_per_usd: null,
      sells_credits: false,
      editor_url: null,
      sign_in: { links: false, oidc: null },
    }),
  };
  return [consoleArea(deps), consoleAtRoot(deps)];
}

async function openParts(given: ProxyDeps): Promise<Parts> {
  const { home, life, log, clock = systemClock, known = createKnownSecrets() } = given;
  // A separate database, blobs and keys, whatever is configured for a server on this machine.
  const { databaseUrl = null } = given;
  const config: Config = { ...given.config, home, databaseUrl, blobs: null, secretsFile: null, secrets: null };
  const isolated = chooseIsolation(config);
  await openProxyHome(home);
  const storage = await openStorage({ config: { ...config, databasePoolSize: 6 }, life, log });
  await prepareSchema(storage, { config, log });
  const isolation = await isolated();
  const { database } = storage;
  const keyRing = await openRing(config, clock);
  const fixed = secretsOfSettings(config);
  known.add(() => fixed);
  known.add(secretsOfRing(keyRing));
  const audit = createAudit({ database });
  const limits = createLimits({ database, clock, defaults: ownMachineLimits });
  const metrics = createMetrics();
  life.onStop("metrics", () => metrics.stop());
  const blobs = createBlobs({ database, storage: await openBlobs(config), clock, log });
  tendBlobs(blobs, { life, log });
  registerBackgroundMetrics(metrics, life.background);
  await bootstrap({ db: database, clock, audit, workspaceCreated: async () => undefined }, null);
  const [workspace] = await listWorkspaces(database, { after: null, count: 1 });
  if (workspace === undefined) throw new Error("the proxy's database has no workspace");
  // The same across restarts of the proxy, so that the application keeps reporting on prompts it got earlier.
  const client = { clientId: workspace.id };
  const upstream = config.applicationUrl ?? defaultApplicationUrl;
  const classes = openKeptClasses(join(home, "application.json"), upstream);
  const kept = { objectInfo: await classes.recall(), classes };
  const application = openApplication({ url: upstream, clock, log, kept, ...client });
  life.onStop("application", () => application.close());
  const opened = { config, isolation, home, life, log, known, clock, databaseUrl, storage, database, keyRing, audit };
  return { ...opened, limits, metrics, blobs, application, upstream, workspaceId: workspace.id };
}

function openAssets(parts: Parts): Assets {
  const { config, life, keyRing, clock } = parts;
  const assets = createAssets({
    ...parts,
    cursors: cursorsOf(keyRing, clock),
    settings: {
      // Spec, Output URL rule 3: nothing is signed here.
      contentUrl: () => "http://127.0.0.1",
      signedUrlSeconds: config.signedUrlSeconds,
      retentionSeconds: null,
    },
  });
  life.work("work on assets", assets);
  life.onStop("assets", () => assets.close());
  return assets;
}

function openSurface(parts: Parts, assets: Assets, files: ApplicationFiles, dialect: Dialect | null): Surface {
  const { config, application } = parts;
  const endOf = dialect?.unsignedUrlEnd;
  return selfHosted({
    ...(endOf === undefined ? {} : { unsignedUrlEnd: (asset) => endOf(asset, config.jobKeepDays) }),
    workspaceId: parts.workspaceId,
    token: config.proxyToken?.reveal() ?? null,
    assets,
    publicUrl: () => config.baseUrl,
    poolId: sharedPool,
    folder: {
      ...files,
      async put(asset) {
        await files.put(asset);
        if (asset.filePath?.startsWith("models/")) application.refreshClasses();
      },
    },
  });
}

interface JobsParts {
  readonly assets: Assets;
  readonly surface: Surface;
  readonly webhooks: Webhooks;
  readonly egress: EgressPolicies;
  readonly host: () => string;
}

function openJobs(parts: Parts, { assets, surface, webhooks, egress, host }: JobsParts): Jobs {
  const { config, life, clock, log, keyRing } = parts;
  const bus = inProcessBus();
  life.onStop("bus", () => bus.close());
  const { connection } = parts.storage;
  const database = openDatabase({ connection, poolSize: 4, readers: 1, log, settings: jobPlannerSettings });
  life.onStop("connections of jobs", () => database.close());
  const jobs = createJobs({
    database,
    clock,
    log,
    bus,
    assets,
    limits: parts.limits,
    sealer: createSealer(keyRing),
    cursors: cursorsOf(keyRing, clock),
    notifier: jobNotifier({ webhooks, surfaceOf: () => surface, arrival: () => ({ headers: { host: host() } }) }),
    outputs: outputsOf({ assets, clock, egress: egress.outputs, webhooks, version: serverVersion }),
    metrics: parts.metrics,
    settings: { leaseSeconds: proxyLeaseSeconds, keepSeconds: config.jobKeepDays * 86_400 },
  });
  life.onStop("jobs", () => jobs.close(), 15);
  life.work("upkeep of jobs", jobs);
  return jobs;
}

// The queue is ours and outlives the application. While the application is down, graphs are checked against its last known
// state, seen by this process or an earlier one.
function asLastSeen(application: Application): Pick<Application, "state" | "classes" | "refreshClasses"> {
  return {
    classes: () => application.classes(),
    refreshClasses: () => application.refreshClasses(),
    state: () => (application.classes() === null ? application.state() : "up"),
  };
}

// Sends nothing: reports what the application's connection last saw.
function healthOf({ application, upstream }: Pick<Parts, "application" | "upstream">) {
  const state = application.state();
  const status: "healthy" | "degraded" = state === "up" ? "healthy" : "degraded";
  return { status, version: serverVersion, upstream, upstream_state: state };
}
