// Shared by the tests of the surfaces; contains no tests. A house is a database, a blob store on disk and the assets over them,
// served once per surface and from the content origin, over real HTTP. The clock of the assets is moved by hand; everything
// else runs on the real one.
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type Dispatcher, request } from "undici";
import { type TestDatabase, testDatabase } from "../../test/support/test-database.ts";
import { fleetSize } from "../../test/support/test-fleet.ts";
import type { Surface, WorkflowWork } from "../areas/workflows/index.ts";
import type { Assets } from "../capabilities/assets/index.ts";
import { createAudit } from "../capabilities/audit/index.ts";
import type { Blobs } from "../capabilities/blobs/index.ts";
import { type DeploymentId, type Deployments, poolOf, type ReportedWorker } from "../capabilities/deployments/index.ts";
import { bootstrap, type Scope } from "../capabilities/identity/index.ts";
import type { Jobs, PoolId } from "../capabilities/jobs/index.ts";
import type { Limits } from "../capabilities/limits/index.ts";
import { type LiveKeyRing, openKeyRing } from "../capabilities/secrets/index.ts";
import { type Bus, inProcessBus } from "../foundation/bus/bus.ts";
import { systemClock } from "../foundation/clock.ts";
import { sql } from "../foundation/database/index.ts";
import { type HandClock, handClock } from "../foundation/hand-clock.fixture.ts";
import type { Area } from "../foundation/http/area.ts";
import type { WorkspaceId } from "../foundation/ids.ts";
import { deploymentMount } from "./deployment-host.ts";
import {
  aHouseProcess,
  anEmbeddedDeployment,
  type HouseShared,
  matchingWorker,
  serveHouse,
} from "./house-process.fixture.ts";

export const bySystem = { actor: { kind: "system", id: null } } as const;

export interface House {
  readonly db: TestDatabase;
  readonly blobs: Blobs;
  readonly assets: Assets;
  readonly jobs: Jobs;
  readonly limits: Limits;
  // The limits of every process: each counts rates for itself, and nothing exchanges them here.
  readonly limitsOfAll: readonly Limits[];
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
  // The workers that the deployment sees.
  workers: readonly ReportedWorker[];
  readonly selfHostedPort: number;
  readonly contentPort: number;
  // Another key of the first workspace, with only these scopes.
  keyWith(scopes: readonly Scope[]): Promise<string>;
  // v2 over a test's own surface; with other work if the test asks for it.
  areasOf(surface: Surface, changed?: Partial<WorkflowWork>): Area[];
  // Names of files in temporary folders, and of parts that are no longer needed.
  leftovers(): Promise<string[]>;
  close(): Promise<void>;
}

// Uses the test's own database if given; the house closes it either way. In a fleet several processes answer in turn, and what
// a test does by hand it does in the first.
export async function aHouse(changed: Partial<WorkflowWork> = {}, given?: TestDatabase): Promise<House> {
  const db = given ?? (await testDatabase());
  const folder = await mkdtemp(join(tmpdir(), "atelier-assets-"));
  const clock = handClock(new Date(Math.floor(Date.now() / 1000) * 1000));
  const ring = await openKeyRing({ path: join(folder, "secrets.json"), createIfMissing: true, clock });
  const first = await bootstrap(
    { db, clock: systemClock, audit: createAudit({ database: db }), workspaceCreated: async () => {} },
    null,
  );
  assert.ok(first.fresh);
  let contentPort = 0;
  const present: { workers: readonly ReportedWorker[] } = { workers: [matchingWorker] };
  // One bus shared by all of them.
  const bus: Bus = { ...inProcessBus(), reachesOthers: fleetSize > 1 };
  const shared: HouseShared = {
    ...{ db, folder, clock, ring, bus, changed, workspaceId: first.workspaceId },
    contentUrl: () => `http://127.0.0.1:${contentPort}`,
    present: async () => present.workers,
  };
  const processes = Array.from({ length: fleetSize }, () => aHouseProcess(shared));
  const [one] = processes;
  assert.ok(one);
  const { identity, limits, blobs, assets, jobs, deployments, areasOf } = one;
  const { id: deploymentId } = await deployments.create(anEmbeddedDeployment, bySystem);
  const fleet = await serveHouse(processes, deploymentId);
  const [cloudPort, selfHostedPort, ownContentPort, deploymentPort] = fleet.ports;
  contentPort = ownContentPort;
  const other = await identity.workspaces.create({ name: "Stranger", ownerId: first.personId }, bySystem);
  const request = { name: "k", role: "member", scopes: ["workflows"], expiresAt: null, createdBy: null } as const;
  const { secret } = await identity.keys.create({ ...request, workspaceId: other.id }, bySystem);
  return {
    db,
    blobs,
    assets,
    jobs,
    limits,
    limitsOfAll: processes.map((each) => each.limits),
    clock,
    ring,
    folder,
    workspaceId: first.workspaceId,
    key: first.key,
    stranger: { workspaceId: other.id, key: secret },
    cloudPort,
    deploymentPort,
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
    selfHostedPort,
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
      await fleet.stop();
      for (const each of processes) await each.close();
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
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

// A client that never builds a URL for anything it has a link to, and never follows a redirect on its own. Links received below
// a mount path must stay below it.
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

// Uses the platform's form encoder, so that a test's form is what a browser would send.
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
