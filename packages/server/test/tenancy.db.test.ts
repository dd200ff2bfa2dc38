// One tenant never sees another: every account operation × every id in its path × {theirs, unknown} × {key, token,
// session, none}. "Not yours" and "not there" are indistinguishable, and nothing of theirs has changed afterwards.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import type { Operation } from "@atelier/contract";
import { type AppAnswer, bearer, headerOf, listOf, textOf } from "./support/app-client.ts";
import { mountedIn } from "./support/app-operations.ts";
import { addTenant, owner, ownPage, type Tenant } from "./support/app-people.ts";
import { anEndedCall } from "./support/credit-example-calls.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { aDelivery, anEndpoint } from "./support/webhook-example-calls.ts";

let app: TestApp;
let mine: Tenant;
let theirs: Tenant;
let mounted: readonly Operation[];
before(async () => {
  app = await testApp();
  mine = await owner(app);
  theirs = await addTenant(app, "Eve");
  for (const tenant of [mine, theirs]) {
    deliveries.set(tenant, await aDelivery({ app }, tenant.key));
    endpoints.set(tenant, await anEndpoint({ app }, tenant.key));
    const list = await app.call({ path: "/account/sessions", headers: bearer(tenant.jwt) });
    sessions.set(tenant, textOf(listOf(list.json(), "data")[0] ?? null, "id"));
    workflows.set(tenant, await aWorkflow(tenant));
    works.set(tenant, await aWork(tenant));
    assets.set(tenant, await anAsset(tenant));
    runs.set(tenant, await aRun(tenant));
    tokens.set(tenant, await aToken(tenant));
    serviceAccounts.set(tenant, await aServiceAccount(tenant));
    requests.set(tenant, await anEndedCall({ app }, tenant.workspaceId, 0n));
  }
  mounted = await mountedIn(app);
});
after(() => app.close());

const deliveries = new Map<Tenant, string>();
const endpoints = new Map<Tenant, string>();
const sessions = new Map<Tenant, string>();
const workflows = new Map<Tenant, string>();
const works = new Map<Tenant, string>();
const links = new Map<Tenant, string>();
const assets = new Map<Tenant, string>();
const runs = new Map<Tenant, string>();
const tokens = new Map<Tenant, string>();
const serviceAccounts = new Map<Tenant, string>();
const requests = new Map<Tenant, string>();

// An id of each kind that a path can hold: mine, theirs.
const kinds: Readonly<Record<string, (tenant: Tenant) => string>> = {
  keyId: ({ keyId }) => keyId,
  workspaceId: ({ workspaceId }) => workspaceId,
  personId: ({ personId }) => personId,
  requestId: (tenant) => requests.get(tenant) ?? "",
  deliveryId: (tenant) => deliveries.get(tenant) ?? "",
  endpointId: (tenant) => endpoints.get(tenant) ?? "",
  sessionId: (tenant) => sessions.get(tenant) ?? "",
  workflowId: (tenant) => workflows.get(tenant) ?? "",
  name: (tenant) => works.get(tenant) ?? "",
  linkId: (tenant) => links.get(tenant) ?? "",
  assetId: (tenant) => assets.get(tenant) ?? "",
  runId: (tenant) => runs.get(tenant) ?? "",
  tokenId: (tenant) => tokens.get(tenant) ?? "",
  accountId: (tenant) => serviceAccounts.get(tenant) ?? "",
};
// Names that belong to no workspace.
const shared = ["provider", "model", "version"];
const namesIn = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").filter((name) => !shared.includes(name));

// Valid bodies, so that only the id stands in the way.
const bodies: Readonly<Record<string, object>> = {
  updateKey: { name: "theirs" },
  updateWorkspace: { name: "taken over" },
  setRequestBodyKeeping: { enabled: true },
  addMember: { name: "a spy", role: "owner" },
  inviteMemberAgain: { link_hours: 24 },
  updateMember: { role: "member" },
  changeSavedWorkflow: { name: "taken over" },
  duplicateSavedWorkflow: { name: "taken along" },
  saveWorkflowVersion: { restore: 1 },
  saveWorkflowForm: { form: { inputs: [], outputs: [{ name: "picture", node: "1" }] } },
  publishWork: { workflow_id: randomUUID() },
  changeWork: { title: "taken over" },
  updateWebhookEndpoint: { description: "taken over" },
  setAssetNote: { text: "scribbled on" },
  createWorkLink: { budget: "1", expires_at: new Date(Date.now() + 3_600_000).toISOString() },
};

async function aToken({ key }: Tenant): Promise<string> {
  const body = { capabilities: ["derive_tokens"] };
  const made = await app.call({ method: "POST", path: "/account/tokens", headers: bearer(key), body });
  assert.equal(made.status, 201, made.text);
  return textOf(made.json(), "id");
}

async function aServiceAccount({ key }: Tenant): Promise<string> {
  const body = { name: "nightly" };
  const made = await app.call({ method: "POST", path: "/account/service-accounts", headers: bearer(key), body });
  assert.equal(made.status, 201, made.text);
  return textOf(made.json(), "id");
}

async function aWorkflow({ key }: Tenant): Promise<string> {
  const body = { name: "Mine", document: { "1": { class_type: "EmptyImage", inputs: {} } } };
  const saved = await app.call({ method: "POST", path: "/account/workflows", headers: bearer(key), body });
  assert.equal(saved.status, 201, saved.text);
  return textOf(saved.json(), "id");
}

async function aWork(tenant: Tenant): Promise<string> {
  const name = `work-of-${tenant.personId}`;
  const outputs = [{ name: "picture", node: "2" }];
  const document = {
    "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
  };
  const headers = bearer(tenant.key);
  const saved = await app.call({ method: "POST", path: "/account/workflows", headers, body: { name, document } });
  const body = { workflow_id: textOf(saved.json(), "id"), form: { inputs: [], outputs }, examples: [] };
  const answer = await app.call({ method: "PUT", path: `/account/works/${name}`, headers, body });
  assert.equal(answer.status, 201, answer.text);
  const owned = bearer(tenant.jwt);
  const sent = { headers: owned, body: bodies["createWorkLink"] ?? {} };
  const link = await app.call({ method: "POST", path: `/account/works/${name}/links`, ...sent });
  assert.equal(link.status, 201, link.text);
  links.set(tenant, textOf(link.json(), "id"));
  return name;
}

async function anAsset({ key }: Tenant): Promise<string> {
  const headers = { ...bearer(key), "content-type": "multipart/form-data; boundary=x" };
  const part = (name: string, text: string) => `--x\r\nContent-Disposition: form-data; ${name}\r\n\r\n${text}\r\n`;
  const fields = ['name="content_type"', 'name="file_path"', 'name="file"; filename="a"'];
  const body = Buffer.from(`${fields.map((name) => part(name, "text/plain")).join("")}--x--\r\n`);
  const answer = await app.call({ method: "POST", path: "/api/v2/assets", headers, body });
  assert.equal(answer.status, 201, answer.text);
  const id = textOf(answer.json(), "id");
  const note = { path: `/account/assets/${id}/note`, headers: bearer(key), body: { text: "mine" } };
  assert.equal((await app.call({ method: "PUT", ...note })).status, 200);
  return id;
}

async function aRun({ key }: Tenant): Promise<string> {
  const body = { model: "sandbox/image-1", input: "{}", request_id: null, credits: null, asset_ids: [] };
  const kept = await app.call({ method: "POST", path: "/account/playground-runs", headers: bearer(key), body });
  assert.equal(kept.status, 201, kept.text);
  return textOf(kept.json(), "id");
}

async function callersOf(tenant: Tenant): Promise<Readonly<Record<string, Record<string, string>>>> {
  return { key: bearer(tenant.key), token: bearer(tenant.jwt), session: ownPage(app, tenant.cookie) };
}

async function send(operation: Operation, path: string, headers: Record<string, string>): Promise<AppAnswer> {
  const body = bodies[operation.id];
  return app.call({ method: operation.method, path, headers, ...(body === undefined ? {} : { body }) });
}

// Everything of theirs that a stranger could have changed.
async function stateOfTheirs(): Promise<string> {
  const headers = ownPage(app, theirs.cookie);
  const paths = [
    "/account/workspaces",
    "/account/keys",
    "/account/sessions",
    "/account/workflows",
    `/account/workflows/${workflows.get(theirs)}/versions`,
    "/account/works",
    `/account/works/${works.get(theirs)}/versions`,
    `/account/works/${works.get(theirs)}/links`,
    `/account/assets/${assets.get(theirs)}/note`,
    "/account/playground-runs",
    `/account/workspaces/${theirs.workspaceId}/members`,
    `/account/workspaces/${theirs.workspaceId}/request-bodies`,
    `/account/workspaces/${theirs.workspaceId}/retention`,
  ];
  const texts = await Promise.all(paths.map(async (path) => (await app.call({ path, headers })).text));
  return texts.join("\n").replaceAll(/"last_used_at":("[^"]*"|null)/g, "");
}

const withoutRequestId = (answer: AppAnswer) =>
  `${answer.status} ${answer.text.replaceAll(headerOf(answer, "x-service-request-id") ?? "", "")}`;

// Assets, uploads and jobs have their own matrix beside their surface (surfaces/*.test.ts), what jobs were charged is in
// job-money-and-expiry.db.test.ts, partner tasks in partners-tasks.db.test.ts; the registry's ids, deployments and own
// credentials in tenancy-registry.db.test.ts; routes and budgets, whose names every workspace chooses for itself, in
// routes.db.test.ts and budgets.db.test.ts; invoices in selling-http.db.test.ts;
// models and node classes have no owner.
const apart = [
  "/account/invoices",
  "/publishers",
  "/nodes",
  "/v1/",
  "/proxy/",
  "/api/v2/assets",
  "/api/v2/uploads",
  "/api/v2/jobs",
  "/account/jobs",
  "/account/routes",
  "/account/budgets",
  "/api/v2/node-classes",
  "/api/jobs",
];
const isTenants = ({ access, path }: Operation) =>
  (access === "key" || access === "session") && !apart.some((prefix) => path.startsWith(prefix));

test("every kind of id in an account path is known to this test", () => {
  const unknown = mounted.filter(isTenants).flatMap(({ path }) => namesIn(path).filter((name) => !(name in kinds)));
  assert.deepEqual(unknown, []);
});

test("to a stranger a foreign id and an unknown id answer alike, and change nothing", async () => {
  const before = await stateOfTheirs();
  let compared = 0;
  for (const operation of mounted.filter((each) => isTenants(each) && each.path.includes("{"))) {
    for (const [kind, headers] of Object.entries(await callersOf(mine))) {
      for (const foreign of namesIn(operation.path)) {
        const fill = (id: string) =>
          operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
            name === foreign ? id : (kinds[name]?.(mine) ?? (name === "version" ? "1" : "none")),
          );
        const what = `${operation.id} with a foreign ${foreign}, as ${kind}`;
        const answers = [
          await send(operation, fill(kinds[foreign]?.(theirs) ?? ""), headers),
          await send(operation, fill(randomUUID()), headers),
        ];
        const [theirsSaid, nobodysSaid] = answers;
        assert.ok(theirsSaid && nobodysSaid);
        assert.ok([401, 403, 404].includes(theirsSaid.status), `${what}: ${theirsSaid.status} ${theirsSaid.text}`);
        assert.equal(withoutRequestId(theirsSaid), withoutRequestId(nobodysSaid), what);
        for (const secret of [theirs.workspaceId, theirs.personId, theirs.keyId]) {
          assert.ok(!theirsSaid.text.includes(secret), `${what} shows ${secret}`);
        }
        compared += 1;
      }
    }
  }
  assert.ok(compared >= 20, `${compared} pairs were compared`);
  assert.equal(await stateOfTheirs(), before);
});

test("without a credential every account operation is 401, no matter whose ids they are", async () => {
  for (const operation of mounted.filter(isTenants)) {
    for (const tenant of [mine, theirs]) {
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => kinds[name]?.(tenant) ?? "none");
      assert.equal((await app.call({ method: operation.method, path })).status, 401, operation.id);
    }
  }
});

test("the very same operations work for the owner", async () => {
  for (const [kind, headers] of Object.entries(await callersOf(theirs))) {
    const members = await app.call({ path: `/account/workspaces/${theirs.workspaceId}/members`, headers });
    assert.equal(members.status, 200, `${kind}: ${members.text}`);
    const renamed = { method: "PATCH", path: `/account/workspaces/${theirs.workspaceId}`, body: { name: "Eve's own" } };
    assert.equal((await app.call({ ...renamed, headers })).status, 200, kind);
  }
});

test("lists contain nothing of another workspace", async () => {
  for (const headers of Object.values(await callersOf(mine))) {
    for (const path of [
      "/account",
      "/account/keys",
      "/account/workspaces",
      `/account/workspaces/${mine.workspaceId}/members`,
    ]) {
      const { text, status } = await app.call({ path, headers });
      assert.equal(status, 200);
      for (const secret of [theirs.workspaceId, theirs.keyId, theirs.personId]) assert.ok(!text.includes(secret), path);
    }
  }
});

test("choosing a foreign workspace answers as choosing an unknown one", async () => {
  const headers = ownPage(app, mine.cookie);
  const said: string[] = [];
  for (const workspace_id of [theirs.workspaceId, randomUUID()]) {
    const answer = await app.call({ method: "PUT", path: "/account/session", headers, body: { workspace_id } });
    assert.equal(answer.status, 404);
    said.push(withoutRequestId(answer));
  }
  assert.equal(new Set(said).size, 1);
});

test("a cookie alone changes nothing: the request has to come from our own page", async () => {
  for (const headers of [{ cookie: mine.cookie }, { cookie: mine.cookie, "sec-fetch-site": "none" }]) {
    const answer = await app.call({ method: "POST", path: "/account/keys", headers, body: { name: "forged" } });
    assert.equal(answer.status, 403);
  }
});
