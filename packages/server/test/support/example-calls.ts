// One example call for each operation that an app mounts, with input it accepts. Each call creates what it needs first, so the
// calls can be made in any order and repeated.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type AppRequest, bearer, listOf, textOf } from "./app-client.ts";
import { addMember, addTenant, form, ownPage } from "./app-people.ts";
import { assetExamples } from "./asset-example-calls.ts";
import { creditExamples } from "./credit-example-calls.ts";
import { deploymentExamples } from "./deployment-example-calls.ts";
import { environmentExamples } from "./environment-example-calls.ts";
import type { ExampleCall, Scene } from "./example-call.ts";
import { jobExamples } from "./job-example-calls.ts";
import { partnerExamples } from "./partner-example-calls.ts";
import { providerExamples } from "./provider-example-calls.ts";
import { registryExamples } from "./registry-example-calls.ts";
import { routedPrefix, routeExamples } from "./route-example-calls.ts";
import { savedWorkflowExamples } from "./saved-workflow-example-calls.ts";
import { sellingExamples } from "./selling-example-calls.ts";
import { until } from "./server-process.ts";
import type { TestApp } from "./test-app.ts";
import { versionExamples } from "./version-example-calls.ts";
import { webhookExamples } from "./webhook-example-calls.ts";
import { weightExamples } from "./weight-example-calls.ts";
import { workExamples } from "./work-example-calls.ts";
import { workerExamples } from "./worker-example-calls.ts";

// Lists that exist whether or not a model is served.
const ofAny = ["listModels", "listModelRequests"];

// The status that the call gets. An operation on one model answers 404 while the app serves none.
export async function statusOf(example: ExampleCall, { app }: Scene): Promise<number> {
  if (!Object.values(router).includes(example) || ofAny.some((id) => router[id] === example)) return example.status;
  return (await firstModel(app)) === null ? 404 : example.status;
}

export function aBadgeRow(nodeId = `Node${randomUUID()}`, expr = '{"type": "usd", "usd": 0.25}') {
  const depends_on = { widgets: [], inputs: [], input_groups: [] };
  return {
    node_id: nodeId,
    platforms: ["cloud", "local"],
    from_version: "1.0.0",
    badge: { engine: "jsonata", depends_on, expr },
  };
}

const ok = (path: string): ExampleCall => ({ status: 200, make: () => ({ path }) });
const asKey = (path: (scene: Scene) => string, status = 200): ExampleCall => ({
  status,
  make: (scene) => ({ path: path(scene), headers: bearer(scene.app.key) }),
});
const asPerson = (path: string, method = "GET"): ExampleCall => ({
  status: 200,
  make: ({ owner }) => ({ method, path, headers: bearer(owner.jwt) }),
});
const asAdmin = (path: (scene: Scene) => string): ExampleCall => ({
  status: 200,
  make: (scene) => ({ path: path(scene), headers: bearer(scene.app.adminToken) }),
});

async function made(scene: Scene, request: Omit<AppRequest, "headers">, as: "key" | "admin"): Promise<string> {
  const headers = bearer(as === "key" ? scene.app.key : scene.app.adminToken);
  const answer = await scene.app.call({ method: "POST", headers, ...request });
  assert.equal(answer.status, 201, answer.text);
  return textOf(answer.json(), "id");
}

async function aMember(scene: Scene): Promise<string> {
  const members = `/account/workspaces/${scene.app.workspaceId}/members`;
  return `${members}/${await made(scene, { path: members, body: { name: "Grace" } }, "key")}`;
}

async function freshLink(scene: Scene): Promise<string> {
  const answer = await scene.app.call({
    method: "POST",
    path: `/account/workspaces/${scene.app.workspaceId}/members`,
    headers: bearer(scene.app.key),
    body: { name: "Ada" },
  });
  return textOf(answer.json(), "sign_in", "url").split("/sign-in/")[1] ?? "";
}

const newKey = (scene: Scene) => made(scene, { path: "/account/keys", body: { name: "ci" } }, "key");
const newToken = (scene: Scene) => made(scene, { path: "/admin/tokens", body: { name: randomUUID() } }, "admin");
const aToken = { capabilities: ["call_models", "derive_tokens"], models: ["*"], credits_max: "1" };
const newDerived = (scene: Scene) => made(scene, { path: "/account/tokens", body: aToken }, "key");
const aBudget = { scope: "workspace", period: "month", amount: "1000000" };
const newBudget = async ({ app }: Scene) => {
  const path = `/account/budgets/b-${randomUUID()}`;
  const answer = await app.call({ method: "PUT", path, headers: bearer(app.key), body: aBudget });
  assert.equal(answer.status, 201, answer.text);
  return path;
};
const newBadge = (scene: Scene) => made(scene, { path: "/admin/badges", body: aBadgeRow() }, "admin");
const workspaceOf = (scene: Scene) => `/account/workspaces/${scene.app.workspaceId}`;
const limitsOf = (scene: Scene) => `/admin/workspaces/${scene.app.workspaceId}/limits`;

const system: Readonly<Record<string, ExampleCall>> = {
  getIndex: ok("/"),
  getHealth: ok("/health"),
  getLiveness: ok("/livez"),
  getReadiness: ok("/readyz"),
  getOpenApi: ok("/openapi.json"),
  getRegistryOpenApi: ok("/openapi"),
  getDocs: ok("/docs"),
  listGuides: ok("/docs/guides"),
  getGuide: ok("/docs/guides/errors"),
  showConsole: ok("/console"),
  showConsolePage: ok("/console/jobs"),
  showConsoleThing: ok("/console/jobs/one"),
  showConsolePart: ok("/console/models/one/two"),
  showWork: ok("/w/w.acme/lighthouse"),
  getConsoleConfig: ok("/console/config.json"),
  getClientPackage: ok("/packages/sdk.tgz"),
  getConsoleFile: {
    status: 200,
    async make({ app }) {
      const page = await app.call({ path: "/console" });
      return { path: /\/console\/files\/[\w.-]+\.js/.exec(page.text)?.[0] ?? "/console/files/none" };
    },
  },
  getLlmsText: ok("/llms.txt"),
  getSecurityContact: { status: 404, make: () => ({ path: "/.well-known/security.txt" }) },
  getReleaseNotes: ok("/release-notes"),
  listReleaseNotes: ok("/release-notes.json"),
  getKeySet: ok("/.well-known/jwks.json"),
  getBadges: ok("/nodes/pricing/badges?app_version=1.2.3&platform=local"),
  getMetrics: asAdmin(() => "/metrics"),
};

async function firstModel(app: TestApp): Promise<string | null> {
  const page = await app.call({ path: "/v1/models?limit=100", headers: bearer(app.key) });
  const ids = listOf(page.json(), "data").map((model) => textOf(model, "id"));
  // Works have forms of their own, and nothing answers for the targets of our routes.
  return ids.find((id) => !["w.", "route/", routedPrefix].some((prefix) => id.startsWith(prefix))) ?? null;
}

const ofModel = (method: string, end: string, body?: object): ExampleCall => ({
  status: 200,
  make: async ({ app }) => ({
    method,
    path: `/v1/models/${(await firstModel(app)) ?? "sandbox/none"}${end}`,
    headers: bearer(app.key),
    ...(body === undefined ? {} : { body }),
  }),
});

// Calls an operation on a completed request.
function ofRequest(method: string, end: string, status: number): ExampleCall {
  return {
    status,
    async make({ app }) {
      const model = await firstModel(app);
      const headers = bearer(app.key);
      const own = `/v1/models/${model ?? "sandbox/none"}/requests`;
      if (model === null) return { method, path: `${own}/${randomUUID()}${end}`, headers };
      const submitted = await app.call({ method: "POST", path: own, headers, body: { prompt: "a lighthouse" } });
      const path = `${own}/${textOf(submitted.json(), "request_id")}`;
      await until("it has completed", async () => {
        const answer = await app.call({ path: `${path}/status`, headers });
        return textOf(answer.json(), "status") === "COMPLETED";
      });
      return { method, path: `${path}${end}`, headers };
    },
  };
}

const router: Readonly<Record<string, ExampleCall>> = {
  listModels: asKey(() => "/v1/models?limit=2"),
  getModel: ofModel("GET", ""),
  getInputSchema: ofModel("GET", "/openapi.json"),
  invokeModel: ofModel("POST", "", { prompt: "a lighthouse at dawn" }),
  estimateModel: ofModel("POST", "/estimate", { prompt: "a lighthouse at dawn" }),
  submitModelRequest: { ...ofModel("POST", "/requests", { prompt: "a lighthouse at dawn" }), status: 202 },
  getModelRequestStatus: ofRequest("GET", "/status", 200),
  getModelRequestResult: ofRequest("GET", "", 200),
  cancelModelRequest: ofRequest("PUT", "/cancel", 409),
  listModelRequests: asKey(() => "/v1/requests?status=COMPLETED&limit=2"),
};

const badges: Readonly<Record<string, ExampleCall>> = {
  listBadgeRows: asAdmin(() => "/admin/badges?platform=local&ended=false&limit=2"),
  createBadgeRow: write(
    201,
    "POST",
    () => "/admin/badges",
    () => aBadgeRow(),
  ),
  replaceBadgeRow: write(
    200,
    "PUT",
    async (scene) => `/admin/badges/${await newBadge(scene)}`,
    () => aBadgeRow(),
  ),
  endBadgeRow: write(
    200,
    "POST",
    async (scene) => `/admin/badges/${await newBadge(scene)}/end`,
    () => ({ until_version: "2.0.0" }),
  ),
  deleteBadgeRow: write(204, "DELETE", async (scene) => `/admin/badges/${await newBadge(scene)}`),
  tryBadge: write(
    200,
    "POST",
    () => "/admin/badges/dry-run",
    () => ({ badge: aBadgeRow().badge }),
  ),
};

const administration: Readonly<Record<string, ExampleCall>> = {
  listPeople: asAdmin(() => "/admin/people?is_operator=true&limit=2"),
  setOperator: write(
    200,
    "PUT",
    ({ app }) => `/admin/people/${app.personId}/operator`,
    () => ({ is_operator: true }),
  ),
  setInstallationRole: write(
    200,
    "PUT",
    ({ app }) => `/admin/people/${app.personId}/role`,
    () => ({ role: "operator" }),
  ),
  exportPersonAsAdmin: asAdmin(({ app }) => `/admin/people/${app.personId}`),
  erasePersonAsAdmin: {
    status: 200,
    make: async (scene) => ({
      method: "DELETE",
      path: `/admin/people/${(await aMember(scene)).split("/").at(-1)}`,
      headers: bearer(scene.app.adminToken),
    }),
  },
  listAdminTokens: asAdmin(() => "/admin/tokens"),
  createAdminToken: write(
    201,
    "POST",
    () => "/admin/tokens",
    () => ({ name: randomUUID() }),
  ),
  revokeAdminToken: write(204, "DELETE", async (scene) => `/admin/tokens/${await newToken(scene)}`),
  listAuditEntries: asAdmin(() => "/admin/audit?limit=5"),
  runChecks: asAdmin(() => "/admin/checks"),
  listBackgroundWork: asAdmin(() => "/admin/background-work"),
  listBackups: asAdmin(() => "/admin/backups"),
  // The server of the tests sends no mail.
  testMail: write(
    409,
    "POST",
    () => "/admin/mail/test",
    () => ({ to: "ada@example.com" }),
  ),
  listSettings: asAdmin(() => "/admin/settings"),
  getInstallationUsage: asAdmin(() => "/admin/usage/series?hours=1&by=workspace"),
  getInstallationFigures: asAdmin(() => "/admin/figures?hours=168"),
  beginBackup: {
    status: 202,
    make: ({ app }) => ({ method: "POST", path: "/admin/backups", headers: bearer(app.adminToken) }),
  },
  listRefusedCredentials: asAdmin(() => "/admin/refused-credentials"),
  listWorkspacesAsAdmin: asAdmin(() => "/admin/workspaces?limit=1"),
  createWorkspaceAsAdmin: write(
    201,
    "POST",
    () => "/admin/workspaces",
    ({ app }) => ({ name: "Lab", owner_id: app.personId }),
  ),
  getWorkspaceAsAdmin: asAdmin(({ app }) => `/admin/workspaces/${app.workspaceId}`),
  listWorkspaceLimits: asAdmin(limitsOf),
  setWorkspaceLimit: write(
    200,
    "PUT",
    (scene) => `${limitsOf(scene)}/jobs`,
    () => ({ value: 7, reason: "a test" }),
  ),
  listModelLimits: asAdmin(() => "/admin/model-limits"),
  setModelLimits: write(
    200,
    "PUT",
    () => "/admin/model-limits/nobody/none",
    () => ({ calls_per_minute: 5, concurrency: null }),
  ),
  resetWorkspaceLimit: write(200, "DELETE", (scene) => `${limitsOf(scene)}/jobs`),
};

const account: Readonly<Record<string, ExampleCall>> = {
  getAccount: asKey(() => "/account"),
  listKeys: asKey(() => "/account/keys"),
  exportPerson: asPerson("/account/person"),
  erasePerson: {
    status: 200,
    make: async ({ app }) => ({
      method: "DELETE",
      path: "/account/person",
      headers: bearer((await addMember(app, "Ada")).jwt),
    }),
  },
  listServiceAccounts: asKey(() => "/account/service-accounts"),
  createServiceAccount: {
    status: 201,
    make: ({ app }) => ({
      method: "POST",
      path: "/account/service-accounts",
      headers: bearer(app.key),
      body: { name: randomUUID() },
    }),
  },
  deleteServiceAccount: {
    status: 200,
    make: async (scene) => ({
      method: "DELETE",
      path: `/account/service-accounts/${await made(scene, { path: "/account/service-accounts", body: { name: randomUUID() } }, "key")}`,
      headers: bearer(scene.app.key),
    }),
  },
  createKey: {
    status: 201,
    make: ({ app }) => ({ method: "POST", path: "/account/keys", headers: bearer(app.key), body: { name: "ci" } }),
  },
  revokeKey: {
    status: 200,
    make: async (scene) => ({
      method: "DELETE",
      path: `/account/keys/${await newKey(scene)}`,
      headers: bearer(scene.app.key),
    }),
  },
  updateKey: {
    status: 200,
    make: async (scene) => ({
      method: "PATCH",
      path: `/account/keys/${await newKey(scene)}`,
      headers: bearer(scene.app.key),
      body: { name: "ci, website" },
    }),
  },
  rotateKey: {
    status: 201,
    make: async (scene) => ({
      method: "POST",
      path: `/account/keys/${await newKey(scene)}/rotation`,
      headers: bearer(scene.app.key),
      body: { overlap_seconds: 60 },
    }),
  },
  listWorkspaces: asKey(() => "/account/workspaces"),
  createWorkspace: {
    status: 201,
    make: ({ owner }) => ({
      method: "POST",
      path: "/account/workspaces",
      headers: bearer(owner.jwt),
      body: { name: "Lab" },
    }),
  },
  updateWorkspace: {
    status: 200,
    make: (scene) => ({
      method: "PATCH",
      path: workspaceOf(scene),
      headers: bearer(scene.app.key),
      body: { name: "Studio" },
    }),
  },
  listMembers: asKey((scene) => `${workspaceOf(scene)}/members`),
  inviteMemberAgain: {
    status: 201,
    make: async (scene) => {
      const headers = bearer(scene.app.key);
      const added = await scene.app.call({
        method: "POST",
        path: `${workspaceOf(scene)}/members`,
        headers,
        body: { name: "Invited", link_hours: 1 },
      });
      const path = `${workspaceOf(scene)}/members/${textOf(added.json(), "id")}/sign-in-link`;
      return { method: "POST", path, headers, body: { link_hours: 24 } };
    },
  },
  addMember: {
    status: 201,
    make: (scene) => ({
      method: "POST",
      path: `${workspaceOf(scene)}/members`,
      headers: bearer(scene.app.key),
      body: { name: "Ada" },
    }),
  },
  updateMember: {
    status: 200,
    make: async (scene) => ({
      method: "PATCH",
      path: await aMember(scene),
      headers: bearer(scene.app.key),
      body: { role: "owner" },
    }),
  },
  removeMember: {
    status: 200,
    make: async (scene) => ({
      method: "DELETE",
      path: `${await aMember(scene)}?keep_keys=true`,
      headers: bearer(scene.app.key),
    }),
  },
  listSessions: asPerson("/account/sessions"),
  endSession: {
    status: 204,
    // Uses another person's session: the owner's is needed for the other calls.
    async make(scene) {
      const guest = await addTenant(scene.app, "Guest");
      const list = await scene.app.call({ path: "/account/sessions", headers: bearer(guest.jwt) });
      const id = textOf(listOf(list.json(), "data")[0] ?? null, "id");
      return { method: "DELETE", path: `/account/sessions/${id}`, headers: bearer(guest.jwt) };
    },
  },
  endOtherSessions: { ...asPerson("/account/sessions", "DELETE") },
  chooseSessionWorkspace: {
    status: 200,
    make: ({ app, owner }) => ({
      method: "PUT",
      path: "/account/session",
      headers: ownPage(app, owner.cookie),
      body: { workspace_id: app.workspaceId },
    }),
  },
  createIdentityToken: {
    status: 201,
    make: ({ app }) => ({ method: "POST", path: "/account/tokens", headers: bearer(app.key), body: aToken }),
  },
  getKeyLimits: {
    status: 200,
    make: async (scene) => ({ path: `/account/keys/${await newKey(scene)}/limits`, headers: bearer(scene.app.key) }),
  },
  setKeyLimits: {
    status: 200,
    make: async (scene) => ({
      ...{ method: "PUT", path: `/account/keys/${await newKey(scene)}/limits`, headers: bearer(scene.app.key) },
      body: { calls_per_minute: 10, concurrency: 2 },
    }),
  },
  getAlertSettings: asKey(() => "/account/alerts"),
  setAlertMail: {
    status: 200,
    make: ({ app }) => ({
      method: "PUT",
      path: "/account/alerts/mail",
      headers: bearer(app.key),
      body: { wanted: true },
    }),
  },
  setOddSpending: {
    status: 200,
    make: ({ app }) => ({
      ...{ method: "PUT", path: "/account/alerts/odd-spending", headers: bearer(app.key), body: { watched: true } },
    }),
  },
  listMails: asKey(() => "/account/mails"),
  listBudgets: asKey(() => "/account/budgets"),
  getBudget: { status: 200, make: async (scene) => ({ path: await newBudget(scene), headers: bearer(scene.app.key) }) },
  putBudget: {
    status: 201,
    make: ({ app }) => ({
      ...{ method: "PUT", path: `/account/budgets/b-${randomUUID()}`, headers: bearer(app.key), body: aBudget },
    }),
  },
  deleteBudget: {
    status: 204,
    make: async (scene) => ({ method: "DELETE", path: await newBudget(scene), headers: bearer(scene.app.key) }),
  },
  listTokens: asKey(() => "/account/tokens"),
  getToken: {
    status: 200,
    make: async (scene) => ({ path: `/account/tokens/${await newDerived(scene)}`, headers: bearer(scene.app.key) }),
  },
  revokeToken: {
    status: 200,
    make: async (scene) => ({
      method: "DELETE",
      path: `/account/tokens/${await newDerived(scene)}`,
      headers: bearer(scene.app.key),
    }),
  },
};

const pages: Readonly<Record<string, ExampleCall>> = {
  showSignIn: ok("/sign-in"),
  confirmSignIn: { status: 200, make: async (scene) => ({ path: `/sign-in/${await freshLink(scene)}` }) },
  signIn: {
    status: 303,
    async make(scene) {
      const path = `/sign-in/${await freshLink(scene)}`;
      const { text, type } = form({ csrf: "none" });
      return { method: "POST", path, headers: { ...ownPage(scene.app), ...type }, body: text };
    },
  },
  showApiKeys: ok("/profile/api-keys"),
  // No issuer is configured here: the browser is sent to the sign-in page, which says so.
  beginOidcSignIn: { status: 303, make: () => ({ path: "/sign-in/oidc?return_to=/console/jobs" }) },
  finishOidcSignIn: { status: 303, make: () => ({ path: "/sign-in/oidc/callback?state=x&code=x" }) },
  signOut: {
    status: 204,
    // Uses another person's session: the owner's is needed for the other calls.
    async make(scene) {
      const owner = await addTenant(scene.app, "Guest");
      return { method: "POST", path: "/profile/sign-out", headers: ownPage(scene.app, owner.cookie), body: {} };
    },
  },
};

const agents: Readonly<Record<string, ExampleCall>> = {
  callMcp: {
    status: 200,
    make: ({ app }) => ({
      method: "POST",
      path: "/mcp",
      headers: {
        ...bearer(app.key),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "example", version: "1" } },
      }),
    }),
  },
};

export const exampleCalls: Readonly<Record<string, ExampleCall>> = {
  ...system,
  ...agents,
  ...router,
  ...badges,
  ...administration,
  ...account,
  ...pages,
  ...webhookExamples,
  ...creditExamples,
  ...sellingExamples,
  ...savedWorkflowExamples,
  ...workExamples,
  ...assetExamples,
  ...jobExamples,
  ...providerExamples,
  ...routeExamples,
  ...deploymentExamples,
  ...environmentExamples,
  ...weightExamples,
  ...workerExamples,
  ...partnerExamples,
  ...registryExamples,
  ...versionExamples,
};

export async function badgeRowIds(app: TestApp): Promise<readonly string[]> {
  const rows = await app.call({ path: "/admin/badges?limit=100", headers: bearer(app.adminToken) });
  return listOf(rows.json(), "data").map((row) => textOf(row, "id"));
}

// A change by an operator.
function write(
  status: number,
  method: string,
  path: (scene: Scene) => string | Promise<string>,
  body?: (scene: Scene) => object,
): ExampleCall {
  return {
    status,
    make: async (scene) => ({
      method,
      path: await path(scene),
      headers: bearer(scene.app.adminToken),
      ...(body === undefined ? {} : { body: body(scene) }),
    }),
  };
}
