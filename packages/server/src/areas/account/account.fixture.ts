// Shared by the tests of this area; contains no tests. `call` does for one request what the HTTP entrance does: find the route,
// authenticate, handle, and put a Fault into the area's envelope.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createAudit } from "../../capabilities/audit/index.ts";
import {
  createBudgets,
  createCallLimits,
  createCredits,
  createKeyCaps,
  createOddSpending,
  createUsage,
} from "../../capabilities/calls/index.ts";
import { engineGraphs } from "../../capabilities/graphs/index.ts";
import { bootstrap, createFailureBudget, createIdentity, type Identity } from "../../capabilities/identity/index.ts";
import { createMail, silentMailMeter } from "../../capabilities/mail/index.ts";
import { createMoves } from "../../capabilities/moves/index.ts";
import { createOwnCredentials } from "../../capabilities/own-credentials/index.ts";
import { createPlaygroundRuns } from "../../capabilities/playground-runs/index.ts";
import { createRequestBodies } from "../../capabilities/request-bodies/index.ts";
import { createRetention } from "../../capabilities/retention/index.ts";
import { createRoutes } from "../../capabilities/routes/index.ts";
import { createSavedWorkflows, readSave } from "../../capabilities/saved-workflows/index.ts";
import { createSealer } from "../../capabilities/secrets/index.ts";
import { createWebhooks } from "../../capabilities/webhooks/index.ts";
import { createWorkLinks, createWorks } from "../../capabilities/works/index.ts";
import { createCursors } from "../../foundation/cursor.ts";
import { asFault, Fault } from "../../foundation/fault.ts";
import { type HandClock, handClock } from "../../foundation/hand-clock.fixture.ts";
import { answerFault } from "../../foundation/http/answer-fault.ts";
import type { Area, BytesAnswer, Incoming, Route } from "../../foundation/http/area.ts";
import { newId, newRequestId, type PersonId, type WorkspaceId } from "../../foundation/ids.ts";
import { type ReadJsonOptions, readWhole } from "../../foundation/json/read-json.ts";
import { createKnownSecrets } from "../../foundation/known-secrets.ts";
import { silentLog } from "../../foundation/log.ts";
import { accountAreas } from "./account-areas.ts";

export const origin = "http://127.0.0.1:8080";
export const ownPage = { "sec-fetch-site": "same-origin", origin };

export interface Site {
  readonly db: TestDatabase;
  readonly clock: HandClock;
  readonly identity: Identity;
  readonly areas: readonly Area[];
  readonly workspaceId: WorkspaceId;
  readonly ownerId: PersonId;
  // The bootstrap key: an owner's, with every scope.
  readonly key: string;
  call(request: TestRequest): Promise<TestAnswer>;
  // Signs a browser in and returns its cookie.
  signIn(personId: PersonId): Promise<string>;
  close(): Promise<void>;
}

export interface TestRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
  readonly peer?: string;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  json(): Record<string, unknown>;
}

function savedIn(database: TestDatabase, clock: HandClock) {
  const bodies = { read: async (bytes: Buffer, options: ReadJsonOptions) => readWhole(bytes, options) };
  const graphs = engineGraphs({ priceOf: () => null, served: () => [] }, "0.30");
  const runs = { document: async () => null, latest: async () => new Map() };
  const savedWorkflows = createSavedWorkflows({ database, clock, json: bodies, graphs, runs });
  const saves = { read: async (bytes: Buffer) => readSave(bytes) };
  return { savedWorkflows, runs, poolId: newId<"pool">(), saves, bodies, graphs };
}

// Works that can be read and changed; publishing needs jobs.
function worksIn(database: TestDatabase, clock: HandClock, saved: ReturnType<typeof savedIn>) {
  const { savedWorkflows, bodies, graphs } = saved;
  const nothing = async () => undefined;
  const works = createWorks({
    endLinks: nothing,
    ...{ database, clock, graphs, audit: createAudit({ database }), saved: savedWorkflows, json: bodies },
    assets: { keep: async () => [], letGo: async () => undefined },
    ports: {
      expand: () => assert.fail(),
      resolveFiles: () => assert.fail(),
      checkGraph: () => assert.fail(),
      runExample: () => assert.fail(),
      workspaceName: async () => null,
      modelsOf: () => [],
      definitionVersion: async () => null,
    },
  });
  const links = createWorkLinks({
    keys: { create: () => assert.fail(), links: async () => [], endLink: () => assert.fail() },
    caps: { set: nothing, totals: async () => new Map() },
    database,
  });
  return { works, links, savedWorkflows, bodies, pageUrl: () => origin };
}

export async function aSite(quota = 100): Promise<Site> {
  const db = await testDatabase();
  const clock = handClock();
  const audit = createAudit({ database: db });
  const secret = randomBytes(32);
  const keyRing = { current: () => ({ id: "ring-1", secret }), verifying: () => [{ id: "ring-1", secret }] };
  const identity = createIdentity({
    db,
    clock,
    log: silentLog,
    audit,
    keyRing,
    failures: createFailureBudget({ clock, failuresPerMinuteMax: 5 }),
    requireQuota: (_workspaceId, _quota, used) => {
      if (used >= quota) throw new Fault("quota_exceeded", "No more keys.");
    },
    workspaceCreated: async () => {},
    baseUrl: () => origin,
    externalIssuer: null,
    unknownWorkspace: "must_exist",
    defaultEntitlements: ["*"],
    workspacesPerPersonMax: 20,
    membersPerWorkspaceMax: 100,
    partnerAudience: null,
    freshSignInMs: 15 * 60_000,
  });
  const first = await bootstrap({ db, clock, audit, workspaceCreated: async () => {} }, null);
  assert.ok(first.fresh);
  const saved = savedIn(db, clock);
  const isOwnOrigin = (candidate: string) => candidate === origin;
  const areas = accountAreas({
    identity,
    clock,
    cursors: createCursors({ secrets: [secret], clock }),
    credits: createCredits({ database: db, audit }),
    keyCaps: createKeyCaps({ database: db, audit }),
    callLimits: createCallLimits({ database: db, audit, clock }),
    budgets: createBudgets({ database: db, audit }),
    oddSpending: createOddSpending({ database: db, audit, clock }),
    usage: createUsage({ database: db, log: silentLog }),
    mail: createMail({
      database: db,
      clock,
      log: silentLog,
      send: null,
      domain: "",
      keepDays: 30,
      meter: silentMailMeter,
    }),
    webhooks: createWebhooks({
      database: db,
      clock,
      log: silentLog,
      audit,
      keyRing,
      policy: { allowHttp: false, developmentTargets: ["127.0.0.1:9"] },
      userAgent: "Atelier/test",
    }),
    gallery: { summarize: () => assert.fail(), notes: { read: () => assert.fail(), write: () => assert.fail() } },
    charges: { totals: async () => [], ofJob: async () => null },
    estimate: () => assert.fail(),
    moves: createMoves({ database: db, clock, audit }),
    countOpen: async () => ({}),
    selling: null,
    invoiceSeller: [],
    routes: createRoutes({ database: db, clock, audit, modelsOf: async () => () => null }),
    ownCredentials: createOwnCredentials({
      database: db,
      clock,
      sealer: createSealer(keyRing),
      keyRing,
      audit,
      definitionOf: async () => null,
      takers: () => [],
    }),
    queue: {
      read: async () => ({ pausedAt: null, queued: 0, running: 0 }),
      setPaused: async () => ({ pausedAt: null, queued: 0, running: 0 }),
    },
    outputs: {
      assets: { receive: async () => Promise.reject(new Error("no assets here")) },
      answerOf: async () => null,
      modelOf: async () => null,
      open: async () => null,
    },
    trails: {
      queued: async () => null,
      partnerTask: async () => null,
      errorAnswer: async () => null,
      errorAnswers: async () => [],
    },
    models: async () => ({ callable: [], locked: [] }),
    templates: { list: async () => [], workflow: async () => null, picture: async () => null },
    servedTo: async () => ({ hasClass: () => true, hasWeights: () => true, modelsOf: () => [], canCall: () => true }),
    personalData: { export: () => assert.fail(), erase: () => assert.fail() },
    playgroundRuns: createPlaygroundRuns({ database: db, clock }),
    requestBodies: createRequestBodies({
      ...{ database: db, clock, log: silentLog, audit, keyRing, sealer: createSealer(keyRing) },
      known: createKnownSecrets(),
      bounds: { keepHoursMax: 720, bodyBytesMax: 262_144, workspaceBytesMax: 2 ** 30 },
    }),
    retention: createRetention({
      ...{ database: db, clock, audit, holdings: [], bounds: { daysMin: 1, daysMax: null } },
      listWorkspaces: async () => [],
    }),
    saved,
    works: worksIn(db, clock, saved),
    jobOutputs: { removeOutput: async () => Promise.reject(new Error("no jobs here")) },
    finding: {
      jobs: { findAnywhere: async () => null, findByKey: async () => null },
      assets: { find: async () => [], findByHash: async () => [] },
      models: async () => [],
      registry: { nodes: async () => [], findNodeByClass: async () => null, publisher: async () => null },
    },
    platformUrl: () => origin,
    isHttps: false,
    oidc: null,
    isOwnOrigin,
    showConsole: async () => ({
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8" },
      body: "the console",
    }),
  });
  return {
    db,
    clock,
    identity,
    areas,
    workspaceId: first.workspaceId,
    ownerId: first.personId,
    key: first.key,
    call: (request) => call(areas, request),
    async signIn(personId) {
      const link = await identity.signIn.createLink(personId, { actor: { kind: "system", id: null } });
      const session = await identity.signIn.useLink(link.token, null, undefined);
      assert.ok(session);
      return `atelier_session=${session.token}`;
    },
    close: () => db.close(),
  };
}

async function call(areas: readonly Area[], request: TestRequest): Promise<TestAnswer> {
  const { path, query, area, route, params } = find(areas, request);
  const arrival = { ...arrivalOf(request, path, query), operation: route?.operation };
  let answer: BytesAnswer;
  try {
    const caller = area.authenticate === null ? undefined : await area.authenticate(arrival);
    if (route === undefined) throw new Fault("not_found", "There is nothing at this path.");
    const incoming: Incoming<unknown> = { ...arrival, ...bodyOf(request), caller, params };
    const given = await route.handle(incoming);
    assert.ok("status" in given);
    answer = given;
  } catch (thrown) {
    const fault = asFault(thrown);
    if (fault.code === "internal_error") throw thrown;
    answer = answerFault(fault, area.envelope, arrival);
  }
  const text = typeof answer.body === "string" ? answer.body : "";
  return {
    status: answer.status,
    headers: answer.headers ?? {},
    text,
    json: () => {
      const value: unknown = JSON.parse(text);
      assert.ok(typeof value === "object" && value !== null);
      return { ...value };
    },
  };
}

function find(areas: readonly Area[], request: TestRequest) {
  const [path = "", query = ""] = request.path.split("?", 2);
  const area = areas.find((one) => one.prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)));
  assert.ok(area, path);
  for (const route of area.routes) {
    const params = match(route, request.method ?? "GET", path);
    if (params !== null) return { path, query, area, route, params };
  }
  return { path, query, area, route: undefined, params: {} };
}

function match(route: Route<unknown>, method: string, path: string): Record<string, string> | null {
  if (route.operation.method !== method) return null;
  const pattern = route.operation.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  const found = new RegExp(`^${pattern}$`).exec(path);
  return found === null ? null : { ...found.groups };
}

function arrivalOf(request: TestRequest, path: string, queryText: string) {
  const isForm = typeof request.body === "string";
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const headers: Record<string, string> = {
    ...(request.body === undefined ? {} : { "content-type": type }),
    ...request.headers,
  };
  return {
    requestId: newRequestId(),
    method: request.method ?? "GET",
    path,
    queryText,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    peer: request.peer ?? "192.0.2.1",
    query: new URLSearchParams(queryText),
    signal: new AbortController().signal,
    waitSignal: new AbortController().signal,
    stream: Readable.from([]),
    waitsForOthers: () => undefined,
  };
}

function bodyOf(request: TestRequest) {
  const text = typeof request.body === "string" ? request.body : JSON.stringify(request.body ?? null);
  return {
    bytes: async () => Buffer.from(request.body === undefined ? "" : text),
    json: async (): Promise<unknown> => JSON.parse(text),
  };
}
