// What the tests of the surfaces share; it holds no test itself. A house is a database, a blob store on the disk and the
// assets over them, served once per surface and from the content origin, over real HTTP. The clock of the assets
// is moved by hand; everything else runs on the real one.
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  builtInClasses,
  builtInEditorClasses,
  conversionOf,
  describeClasses,
  isUiGraph,
  validateGraph,
} from "@atelier/engine";
import { Agent, type Dispatcher, request } from "undici";
import { serveAreas } from "../../test/support/small-server.ts";
import { type TestDatabase, testDatabase } from "../../test/support/test-database.ts";
import { content } from "../areas/content/index.ts";
import {
  allowAll,
  createStreamQuota,
  type DescribedClasses,
  freeOfCharge,
  type Graphs,
  type Surface,
  type WorkflowWork,
  workflowAreas,
} from "../areas/workflows/index.ts";
import { type Assets, createAssets } from "../capabilities/assets/index.ts";
import { createAudit } from "../capabilities/audit/index.ts";
import { type Blobs, createBlobs, fileBlobStorage } from "../capabilities/blobs/index.ts";
import {
  createDeployments,
  type DeploymentId,
  type DeploymentInput,
  type Deployments,
  poolOf,
  type ReportedWorker,
} from "../capabilities/deployments/index.ts";
import { bootstrap, createFailureBudget, createIdentity, type Scope } from "../capabilities/identity/index.ts";
import { createJobs, type Jobs, type PoolId } from "../capabilities/jobs/index.ts";
import { createLimits, type Limits } from "../capabilities/limits/index.ts";
import { createSealer, cursorsOf, type LiveKeyRing, openKeyRing } from "../capabilities/secrets/index.ts";
import { inProcessBus } from "../foundation/bus/bus.ts";
import { type HandClock, handClock, systemClock } from "../foundation/clock.ts";
import { sql } from "../foundation/database/index.ts";
import { Fault } from "../foundation/fault.ts";
import type { Area } from "../foundation/http/area.ts";
import { newId, type WorkspaceId } from "../foundation/ids.ts";
import { silentLog } from "../foundation/log.ts";
import { readWhole } from "../foundation/read-json.ts";
import { areasByArrival } from "./areas-by-arrival.ts";
import { cloud } from "./cloud.ts";
import { deployment } from "./deployment.ts";
import { deploymentMount, deploymentMountPattern } from "./deployment-host.ts";
import { sharedPool } from "./pools.ts";
import { selfHosted } from "./self-hosted.ts";

export const bySystem = { actor: { kind: "system", id: null } } as const;

export interface House {
  readonly db: TestDatabase;
  readonly blobs: Blobs;
  readonly assets: Assets;
  readonly jobs: Jobs;
  readonly limits: Limits;
  readonly clock: HandClock;
  readonly ring: LiveKeyRing;
  readonly folder: string;
  readonly workspaceId: WorkspaceId;
  readonly key: string;
  // Another workspace, and its key.
  readonly stranger: { readonly workspaceId: WorkspaceId; readonly key: string };
  readonly cloudPort: number;
  // A deployment under its mount path, with a matching worker present from the start.
  readonly deploymentPort: number;
  readonly deploymentPool: PoolId;
  readonly deploymentMount: string;
  readonly deployments: Deployments;
  readonly deploymentId: DeploymentId;
  // The workers that the deployment is told of.
  workers: readonly ReportedWorker[];
  readonly selfHostedPort: number;
  readonly contentPort: number;
  // Another key of the first workspace, with these scopes alone.
  keyWith(scopes: readonly Scope[]): Promise<string>;
  // v2 over a surface of the test's own; with other work where a test says so.
  areasOf(surface: Surface, changed?: Partial<WorkflowWork>): Area[];
  // Names of files in temporary folders, and of parts that are not needed any more.
  leftovers(): Promise<string[]>;
  close(): Promise<void>;
}

// With a database of the test's own where it gives one; the house closes it all the same.
export async function aHouse(changed: Partial<WorkflowWork> = {}, given?: TestDatabase): Promise<House> {
  const db = given ?? (await testDatabase());
  const folder = await mkdtemp(join(tmpdir(), "atelier-assets-"));
  const clock = handClock(new Date(Math.floor(Date.now() / 1000) * 1000));
  const ring = await openKeyRing({ path: join(folder, "secrets.json"), createIfMissing: true, clock });
  const limits = createLimits({ database: db, clock: systemClock });
  const identity = makeIdentity(db, ring, limits);
  const first = await bootstrap(
    { db, clock: systemClock, audit: createAudit({ database: db }), workspaceCreated: async () => {} },
    null,
  );
  assert.ok(first.fresh);
  const storage = fileBlobStorage({ directory: join(folder, "blobs"), reserve: { bytes: 0, share: 0 } });
  const blobs = createBlobs({ database: db, storage, graceSeconds: 0 });
  let contentPort = 0;
  const assets = createAssets({
    database: db,
    blobs,
    limits,
    keyRing: ring,
    cursors: cursorsOf(ring, clock),
    clock,
    log: silentLog,
    settings: {
      contentUrl: () => `http://127.0.0.1:${contentPort}`,
      signedUrlSeconds: 6 * 3600,
      retentionSeconds: null,
    },
  });
  const publicUrl = () => null;
  const surfaces = {
    cloud: cloud({ identity, limits, assets, publicUrl, poolId: sharedPool }),
    selfHosted: selfHosted({ workspaceId: first.workspaceId, token: null, assets, publicUrl, poolId: sharedPool }),
  };
  const jobs = createJobs({
    database: db,
    clock: systemClock,
    log: silentLog,
    bus: inProcessBus(),
    assets,
    limits,
    sealer: createSealer(ring),
    cursors: cursorsOf(ring, clock),
  });
  const work: WorkflowWork = {
    jobs,
    graphs: builtInGraphs,
    policy: allowAll,
    price: freeOfCharge,
    egress: { allowHttp: false },
    cursors: cursorsOf(ring, clock),
    bodies: { read: async (bytes, options) => readWhole(bytes, options) },
    streamQuota: createStreamQuota({ limits }),
    health: () => ({ status: "healthy" }),
    ...changed,
  };
  const areasOf = (surface: Surface, other: Partial<WorkflowWork> = {}) =>
    workflowAreas({ surface, assets, limits, clock: systemClock, work: { ...work, ...other } });
  const present: { workers: readonly ReportedWorker[] } = { workers: [matchingWorker] };
  const deployments = createDeployments({
    database: db,
    clock: systemClock,
    audit: createAudit({ database: db }),
    webhooks: { checkUrl: () => null, enqueue: async () => undefined, wake: () => undefined },
    jobs,
    present: async () => present.workers,
  });
  const { id: deploymentId } = await deployments.create(anEmbeddedDeployment, bySystem);
  const deploymentAreas = areasOf(
    deployment({ identity, limits, assets, publicUrl, deployments, deploymentId, hasOwnHost: false }),
  );
  const mounted = areasByArrival({
    pattern: deploymentAreas,
    mountPath: deploymentMountPattern,
    async choose({ path }) {
      if (path.startsWith(`${deploymentMount(deploymentId)}/`)) return deploymentAreas;
      throw new Fault("not_found", "There is no such deployment.");
    },
  });
  const servers = await Promise.all([
    serveAreas(areasOf(surfaces.cloud)),
    serveAreas(areasOf(surfaces.selfHosted)),
    serveAreas([content({ assets, clock: systemClock })]),
    serveAreas(mounted),
  ]);
  const [cloudServer, selfHostedServer, contentServer, deploymentServer] = servers;
  contentPort = contentServer.port;
  const other = await identity.workspaces.create({ name: "Stranger", ownerId: first.personId }, bySystem);
  const request = { name: "k", role: "member", scopes: ["workflows"], expiresAt: null, createdBy: null } as const;
  const { secret } = await identity.keys.create({ ...request, workspaceId: other.id }, bySystem);
  return {
    db,
    blobs,
    assets,
    jobs,
    limits,
    clock,
    ring,
    folder,
    workspaceId: first.workspaceId,
    key: first.key,
    stranger: { workspaceId: other.id, key: secret },
    cloudPort: cloudServer.port,
    deploymentPort: deploymentServer.port,
    deploymentPool: poolOf(deploymentId),
    deploymentMount: deploymentMount(deploymentId),
    deployments,
    deploymentId,
    get workers() {
      return present.workers;
    },
    set workers(workers) {
      present.workers = workers;
    },
    selfHostedPort: selfHostedServer.port,
    contentPort,
    async keyWith(scopes) {
      const about = { name: "k", role: "member", expiresAt: null, createdBy: null } as const;
      return (await identity.keys.create({ ...about, scopes, workspaceId: first.workspaceId }, bySystem)).secret;
    },
    areasOf,
    async leftovers() {
      const parts = await db.query<{ upload: string }>(sql`
        select distinct upload_id::text as upload from asset_upload_parts
        where upload_id in (select id from asset_uploads where asset_id is not null)`);
      const held = await db.query<{ id: string }>(sql`
        select holder_id as id from blob_references
        where holder_kind = 'upload_part' and split_part(holder_id, '/', 1)::uuid not in (select id from asset_uploads)`);
      const files = await readdir(join(folder, "blobs", "tmp")).catch(() => []);
      return [...files, ...parts.map(({ upload }) => upload), ...held.map(({ id }) => id)];
    },
    async close() {
      await Promise.all(servers.map((server) => server.stop(1)));
      await jobs.close();
      await assets.close();
      await identity.flush();
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const matchingWorker: ReportedWorker = {
  workerId: newId(),
  name: "a worker",
  slots: 1,
  environment: { engine: "embedded", version: "1", classes: {} },
  seenAt: new Date(),
};

const anEmbeddedDeployment: DeploymentInput = {
  name: "dedicated",
  environment: {
    engine: "embedded",
    engineVersion: null,
    nodeClasses: null,
    settings: { jobSecondsMax: null, jobMemoryMegabytesMax: null },
  },
  workersMin: 0,
  workersMax: 1,
  jobsPerWorker: 1,
  workspaceId: null,
  scaleWebhookUrl: null,
};

// What the engine can run, without the models of a router.
const builtInGraphs: Graphs = {
  isEditorFormat: isUiGraph,
  convert: (workflow) => conversionOf(workflow, builtInEditorClasses),
  check: (graph) => validateGraph(graph, { fileExists: () => false }),
  classes: () => describedClasses,
  fileInputs: (classType) =>
    (builtInClasses.get(classType)?.inputs ?? [])
      .filter((input) => input.type === "COMBO" && input.options === null)
      .map((input) => input.name),
};

const describedClasses: DescribedClasses = {
  descriptions: new Map(Object.entries(describeClasses(builtInClasses, [], { isExact: true }))),
  locationOf: () => ({ engine: true, pools: [], application: false }),
};

function makeIdentity(db: TestDatabase, keyRing: LiveKeyRing, limits: Limits) {
  return createIdentity({
    db,
    clock: systemClock,
    log: silentLog,
    audit: createAudit({ database: db }),
    keyRing,
    failures: createFailureBudget({ clock: systemClock, failuresPerMinuteMax: 1_000 }),
    requireQuota: (workspaceId, name, used) => limits.requireQuota(workspaceId, name, used),
    workspaceCreated: async () => {},
    baseUrl: () => "http://127.0.0.1:8080",
    externalIssuer: null,
    unknownWorkspace: "must_exist",
    defaultEntitlements: ["*"],
    workspacesPerPersonMax: 20,
    membersPerWorkspaceMax: 100,
    partnerAudience: null,
  });
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly text: string;
  json(): Record<string, unknown>;
}

export interface TestRequest {
  readonly method?: Dispatcher.HttpMethod;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer | FormData;
}

// A client that never builds a URL for anything it was given a link to, and never follows a redirect by itself. What it
// is told below a mount path must lead below it again.
export function aClient(baseUrl: string, credential: Record<string, string>, mount = "") {
  const agent = new Agent({ pipelining: 0 });
  async function ask(target: string, asked: TestRequest = {}, credentials = credential): Promise<TestAnswer> {
    const isOwn = mount !== "" && target.startsWith("/") && !target.startsWith(`${mount}/`);
    const url = new URL(isOwn ? `${mount}${target}` : target, baseUrl);
    const { headers, body } = await bodyOf(asked);
    const answer = await request(url, {
      dispatcher: agent,
      method: asked.method ?? "GET",
      headers: { ...credentials, ...headers, ...asked.headers },
      body,
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const flat = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
    if (mount !== "") requireMounted(mount, bytes.toString("utf8"), flat["location"]);
    return {
      status: answer.statusCode,
      headers: flat,
      bytes,
      text: bytes.toString("utf8"),
      json: () => toRecord(JSON.parse(bytes.toString("utf8"))),
    };
  }
  return { ask, close: () => agent.close() };
}

export type Client = ReturnType<typeof aClient>;

function requireMounted(mount: string, text: string, location: string | undefined): void {
  assert.equal(/"\/(api\/|workflow)/.test(text), false, `a link without the mount path: ${text.slice(0, 2000)}`);
  assert.equal(text.includes(`${mount}${mount}`), false, `a doubled mount path: ${text.slice(0, 2000)}`);
  if (location?.startsWith("/")) assert.ok(location.startsWith(`${mount}/`), location);
}

// The form's own encoder, so that a test's form is what a browser would send.
async function bodyOf({
  body,
}: TestRequest): Promise<{ headers: Record<string, string>; body: string | Buffer | null }> {
  if (!(body instanceof FormData)) return { headers: {}, body: body ?? null };
  const encoded = new Response(body);
  return {
    headers: { "content-type": encoded.headers.get("content-type") ?? "" },
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}

export function toRecord(value: unknown): Record<string, unknown> {
  assert.ok(typeof value === "object" && value !== null && !Array.isArray(value), String(value));
  return { ...value };
}

export const textOf = (value: unknown): string => {
  assert.equal(typeof value, "string");
  return String(value);
};

export type Part = readonly [name: string, value: string | Blob];

export function aForm(
  bytes: string | Buffer,
  changed: Record<string, string | null> = {},
  more: readonly Part[] = [],
): FormData {
  const form = new FormData();
  const fields = { content_type: "application/octet-stream", file_path: "a.bin", ...changed };
  for (const [name, value] of Object.entries(fields)) if (value !== null) form.append(name, value);
  for (const [name, value] of more) form.append(name, value);
  form.append("file", new Blob([new Uint8Array(Buffer.from(bytes))]), "../../etc/passwd");
  return form;
}

export const errorCode = (answer: TestAnswer): unknown => toRecord(answer.json()["error"])["code"];
