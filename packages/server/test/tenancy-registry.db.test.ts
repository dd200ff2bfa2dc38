// What a workspace keeps to itself outside /account: a private publisher with its node, version, class, token and member;
// its own deployment; its own provider credential. Every operation that takes one of these ids × every caller of another
// workspace: "not yours" and "not there" get the same words, and nothing of theirs has changed afterwards.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import type { Operation } from "@atelier/contract";
import { type AppAnswer, bearer, headerOf, listOf, textOf } from "./support/app-client.ts";
import { anyPath, mountedIn } from "./support/app-operations.ts";
import { addTenant, owner, ownPage, raiseRates, type Tenant } from "./support/app-people.ts";
import { makeDeployment } from "./support/deployment-example-calls.ts";
import { aDefinition, putProvider } from "./support/provider-example-calls.ts";
import { publish } from "./support/publishing.ts";
import { createPublisher, send, someId } from "./support/registry-app.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let mine: Tenant;
let theirs: Tenant;
let mounted: readonly Operation[];
let own: Ids;
let hidden: Ids;
before(async () => {
  app = await testApp();
  mine = await owner(app);
  theirs = await addTenant(app, "Eve");
  for (const { workspaceId } of [mine, theirs]) await raiseRates(app, workspaceId);
  own = await stock(mine);
  hidden = await stock(theirs);
  mounted = await mountedIn(app);
});
after(() => app.close());

// One id of each kind that a registry path can hold.
type Ids = Readonly<Record<string, string>>;

async function stock(tenant: Tenant): Promise<Ids> {
  const headers = bearer(tenant.key);
  const made = await createPublisher(app, headers, { visibility: "workspace" });
  const publisherId = textOf(made.json(), "id");
  const at = `/publishers/${publisherId}`;
  const token = await send(app, "POST", `${at}/tokens`, headers, { name: "ci" });
  const email = `${someId("grace")}@studio.example`;
  await send(app, "POST", `/account/workspaces/${tenant.workspaceId}/members`, headers, { name: "Grace", email });
  const member = await send(app, "POST", `${at}/members`, headers, { email });
  assert.deepEqual([token.status, member.status], [201, 201], `${token.text} ${member.text}`);
  const publisher = { id: publisherId, token: textOf(token.json(), "token"), key: tenant.key };
  const nodeId = someId("n");
  const version = "1.0.0";
  const { id: versionId } = await publish(app, publisher, { nodeId, version });
  // On a busy machine the upload is answered before the archive is checked, and what is compared below would change.
  await until("the archive is checked", async () => {
    const { status, text } = await send(app, "GET", `/nodes/${nodeId}/versions`, headers);
    return status === 200 && text.includes(versionId) && !text.includes("NodeVersionStatusPending");
  });
  const svcNodeName = someId("Class");
  const described = `/nodes/${nodeId}/versions/${version}/svc-nodes/${svcNodeName}`;
  assert.equal((await send(app, "PUT", described, headers, { category: "light" })).status, 200);
  const tokenId = textOf(token.json(), "id");
  return { publisherId, nodeId, versionId, version, svcNodeName, tokenId, memberId: textOf(member.json(), "id") };
}

const nobodys = (): Ids => ({
  publisherId: someId(),
  nodeId: someId("n"),
  versionId: randomUUID(),
  version: "1.0.1",
  svcNodeName: someId("Class"),
  tokenId: randomUUID(),
  memberId: randomUUID(),
});

// Valid bodies, so that only the id stands in the way.
const bodies: Readonly<Record<string, object>> = {
  updatePublisher: { name: "taken over", visibility: "public" },
  createPublisherMember: { email: "spy@studio.example" },
  createPublisherToken: { name: "a spy" },
  createNode: { id: "planted", name: "planted" },
  updateNode: { description: "taken over" },
  claimNode: { GH_TOKEN: "a token" },
  createNodeTranslations: { data: { fr: { name: "pris" } } },
  publishNodeVersion: { node_version: { version: "2.0.0" } },
  updateNodeVersion: { deprecated: true },
  appealNodeVersion: { reason: "taken over" },
  updateDescriptor: { category: "taken over" },
};
const queries: Readonly<Record<string, string>> = { createReview: "?star=1" };

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
const isRegistrys = ({ path, access }: Operation) =>
  access !== "admin" && /^\/(publishers|nodes|svc-nodes)\/(.*\/)?\{/.test(path);

const callersOf = (tenant: Tenant) => ({
  nobody: {},
  key: bearer(tenant.key),
  token: bearer(tenant.jwt),
  session: ownPage(app, tenant.cookie),
});

async function ask(operation: Operation, ids: Ids, headers: Record<string, string>): Promise<AppAnswer> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "none");
  return send(app, operation.method, `${path}${queries[operation.id] ?? ""}`, headers, bodies[operation.id]);
}

// Without what always differs: the request's id and the requested ids.
function words(answer: AppAnswer, ids: Ids): string {
  const own = [headerOf(answer, "x-service-request-id") ?? "", ...Object.values(ids)];
  return own.reduce((text, one) => text.replaceAll(one, "…"), `${answer.status} ${answer.text}`);
}

async function stateOfTheirs(): Promise<string> {
  const headers = bearer(theirs.key);
  const at = `/publishers/${hidden["publisherId"]}`;
  const node = `/nodes/${hidden["nodeId"]}`;
  const paths = [at, `${at}/members`, `${at}/tokens`, `${at}/nodes`, node, `${node}/versions`];
  const paged = [...paths, `${node}/versions/1.0.0/svc-nodes`];
  const answers = await Promise.all(paged.map((path) => send(app, "GET", path, headers)));
  for (const answer of answers) assert.equal(answer.status, 200, answer.text);
  return answers.map(({ text }) => text).join("\n");
}

test("every kind of id in the registry's paths is known to this test, and every body", () => {
  const known = mounted.filter(isRegistrys);
  assert.ok(known.length > 25, `${known.length} operations`);
  const unknown = known.flatMap(({ path }) => namesIn(path).filter((name) => !(name in hidden)));
  const bodiless = known.filter(({ id, body }) => body !== undefined && !(id in bodies)).map(({ id }) => id);
  assert.deepEqual([unknown, bodiless], [[], []]);
});

test("the registry's lists contain nothing of another workspace", async () => {
  const search = `search=${hidden["nodeId"]}`;
  for (const headers of Object.values(callersOf(mine))) {
    for (const path of [
      "/nodes?limit=100",
      `/nodes?node_id=${hidden["nodeId"]}`,
      `/nodes/search?${search}`,
      "/bulk/nodes",
      "/versions?pageSize=100",
      "/publishers",
      "/users/publishers/",
      "/svc-nodes",
    ]) {
      const { text } = await send(app, "GET", path, headers);
      for (const name of ["publisherId", "nodeId", "versionId", "svcNodeName"])
        assert.ok(!text.replace(search, "").includes(hidden[name] ?? "?"), `${path} shows ${name}`);
    }
  }
});

test("a private publisher and everything it owns answer as if they did not exist", async () => {
  const before = await stateOfTheirs();
  for (const operation of mounted.filter(isRegistrys)) {
    for (const [caller, headers] of Object.entries(callersOf(mine))) {
      const absent = nobodys();
      const said = words(await ask(operation, hidden, headers), hidden);
      assert.match(
        said,
        caller === "key" || caller === "token" ? /^404 / : /^40[14] /,
        `${operation.id} as ${caller}: ${said}`,
      );
      assert.equal(said, words(await ask(operation, absent, headers), absent), `${operation.id} as ${caller}`);
    }
  }
  assert.equal(await stateOfTheirs(), before);
});

// Node ids are global: a publisher that uses a taken one gets an answer that says so, as with publisher ids.
const takesNames = ["publishNodeVersion"];

test("a foreign id below one's own publisher or node answers as if it did not exist", async () => {
  const before = await stateOfTheirs();
  const headers = bearer(mine.key);
  for (const operation of mounted.filter((one) => isRegistrys(one) && !takesNames.includes(one.id))) {
    for (const foreign of namesIn(operation.path).slice(1)) {
      if (foreign === "version") continue;
      const fill = (from: Ids): Ids => ({ ...own, [foreign]: from[foreign] ?? "" });
      const absent = nobodys();
      const what = `${operation.id} with a foreign ${foreign}`;
      // A version's owner may describe any class name, so a write with a foreign one need not be 404. The foreign class
      // stays as it is.
      const isTheirs = words(await ask(operation, fill(hidden), headers), hidden);
      const isNobodys = words(await ask(operation, fill(absent), headers), absent);
      assert.equal(isTheirs, isNobodys, what);
      if (foreign !== "svcNodeName" || operation.method === "GET") assert.match(isTheirs, /^404 /, what);
    }
  }
  assert.equal(await stateOfTheirs(), before);
});

test("a workspace's own deployment answers as if it did not exist, at every operation below it", async () => {
  const id = await makeDeployment(app, { workspace_id: theirs.workspaceId });
  const below = mounted.filter(({ path, access }) => access === "key" && /^\/(api\/(v2|jobs)|workflow)\b/.test(path));
  assert.ok(below.length > 15, `${below.length} operations`);
  for (const operation of below) {
    for (const headers of [bearer(mine.key), bearer(mine.jwt)]) {
      const absent = randomUUID();
      const said = await send(app, operation.method, `/deployment/${id}${anyPath(operation)}`, headers, {});
      const nobodysSaid = await send(app, operation.method, `/deployment/${absent}${anyPath(operation)}`, headers, {});
      assert.equal(said.status, 404, `${operation.id}: ${said.text}`);
      assert.equal(words(said, { id }), words(nobodysSaid, { id: absent }), operation.id);
    }
  }
});

test("nobody else can see, replace or remove a workspace's own credential", async () => {
  const path = "/account/provider-credentials";
  const [stored, free] = await Promise.all(
    ["stored", "free"].map(async (name) => {
      const definition = aDefinition(someId(name), {
        credential: { kind: "bearer", setting: "ATELIER_PROVIDER_NOBODY_KEY" },
        workspace_credentials: true,
      });
      assert.equal((await putProvider(app, definition)).status, 201);
      return definition.provider;
    }),
  );
  const put = await send(app, "PUT", `${path}/${stored}`, bearer(theirs.key), { credential: "own-key-789" });
  assert.equal(put.status, 201, put.text);
  const before = (await send(app, "GET", path, bearer(theirs.key))).text;
  for (const [caller, headers] of Object.entries(callersOf(mine)).slice(1)) {
    const said = await send(app, "DELETE", `${path}/${stored}`, headers);
    assert.equal(said.status, 404, `${caller}: ${said.text}`);
    const nobodysSaid = await send(app, "DELETE", `${path}/${free}`, headers);
    assert.equal(words(said, { at: stored ?? "" }), words(nobodysSaid, { at: free ?? "" }), caller);
    const listed = listOf((await send(app, "GET", path, headers)).json(), "data");
    assert.deepEqual(listed, [], caller);
  }
  assert.equal((await send(app, "GET", path, bearer(theirs.key))).text, before);
});
