// One example call for each operation on publishers and nodes. An app has one publisher for all of them. Each call
// creates what it changes first, so the calls can be made in any order and repeated.
import { bearer, listOf, textOf } from "./app-client.ts";
import type { ExampleCall, Scene } from "./example-call.ts";
import { createNode, createPublisher, send, someId } from "./registry-app.ts";

type Caller = "nobody" | "key" | "person" | "admin";

const publishers = new WeakMap<object, Promise<string>>();

function publisherOf({ app, owner }: Scene): Promise<string> {
  const made = publishers.get(app) ?? createPublisher(app, bearer(owner.jwt)).then((one) => textOf(one.json(), "id"));
  publishers.set(app, made);
  return made;
}

const headersOf = (as: Caller, { app, owner }: Scene) =>
  as === "nobody" ? {} : bearer({ key: app.key, person: owner.jwt, admin: app.adminToken }[as]);

function call(
  as: Caller,
  status: number,
  method: string,
  path: string | ((scene: Scene) => Promise<string>),
  body?: object | (() => object),
): ExampleCall {
  return {
    status,
    async make(scene) {
      const sent = typeof body === "function" ? body() : body;
      return {
        method,
        path: typeof path === "string" ? path : await path(scene),
        headers: headersOf(as, scene),
        ...(sent === undefined ? {} : { body: sent }),
      };
    },
  };
}

const publisher = async (scene: Scene) => `/publishers/${await publisherOf(scene)}`;
const atPublisher = (end: string) => async (scene: Scene) => `${await publisher(scene)}${end}`;
const aNode = async (scene: Scene) => createNode(scene.app, bearer(scene.owner.jwt), await publisherOf(scene));
const atNode =
  (end = "") =>
  async (scene: Scene) =>
    `/nodes/${await aNode(scene)}${end}`;
const ownNode =
  (end = "") =>
  async (scene: Scene) =>
    `${await publisher(scene)}/nodes/${await aNode(scene)}${end}`;
const newNode = () => ({ id: someId("n"), name: "A node" });

// A publisher that can be banned or deleted. Those of earlier calls are deleted first, so that the cap is never reached.
async function anotherPublisher(scene: Scene): Promise<string> {
  const headers = bearer(scene.app.key);
  const main = await publisherOf(scene);
  const own = listOf((await send(scene.app, "GET", "/users/publishers/", headers)).json());
  for (const one of own.map((each) => textOf(each, "id")).filter((id) => id.startsWith("another") && id !== main)) {
    await send(scene.app, "DELETE", `/publishers/${one}/ban`, bearer(scene.app.adminToken));
    await send(scene.app, "DELETE", `/publishers/${one}`, headers);
  }
  const made = await createPublisher(scene.app, headers, { id: someId("another") });
  return `/publishers/${textOf(made.json(), "id")}`;
}

async function aToken(scene: Scene): Promise<string> {
  const path = `${await publisher(scene)}/tokens`;
  const made = await send(scene.app, "POST", path, bearer(scene.app.key), { name: "ci" });
  return `${path}/${textOf(made.json(), "id")}`;
}

// A person of the workspace with a separate address, who may become a member of the publisher.
async function somebody({ app }: Scene): Promise<string> {
  const email = `${someId("grace")}@studio.example`;
  const path = `/account/workspaces/${app.workspaceId}/members`;
  await send(app, "POST", path, bearer(app.key), { name: "Grace", email });
  return email;
}

async function aMember(scene: Scene): Promise<string> {
  const path = `${await publisher(scene)}/members`;
  const body = { email: await somebody(scene) };
  return `${path}/${textOf((await send(scene.app, "POST", path, bearer(scene.app.key), body)).json(), "id")}`;
}

const ofPublishers: Readonly<Record<string, ExampleCall>> = {
  getRegistryUser: call("person", 200, "GET", "/users"),
  listMyPublishers: call("key", 200, "GET", "/users/publishers/"),
  listPublishers: call("key", 200, "GET", "/publishers"),
  createPublisher: {
    status: 201,
    async make(scene) {
      await anotherPublisher(scene);
      const body = { id: someId("another"), name: "A publisher" };
      return { method: "POST", path: "/publishers", headers: bearer(scene.app.key), body };
    },
  },
  validatePublisherId: call("nobody", 200, "GET", "/publishers/validate?username=nobody-has-this"),
  getPublisher: call("nobody", 200, "GET", publisher),
  updatePublisher: call("key", 200, "PUT", publisher, { description: "Nodes for light" }),
  deletePublisher: call("key", 204, "DELETE", anotherPublisher),
  getPublisherPermissions: call("key", 200, "GET", atPublisher("/permissions")),
  listPublisherMembers: call("key", 200, "GET", atPublisher("/members")),
  createPublisherMember: {
    status: 201,
    make: async (scene) => ({
      method: "POST",
      path: `${await publisher(scene)}/members`,
      headers: bearer(scene.app.key),
      body: { email: await somebody(scene) },
    }),
  },
  deletePublisherMember: call("key", 204, "DELETE", aMember),
  createPublisherToken: call("key", 201, "POST", atPublisher("/tokens"), { name: "ci" }),
  listPublisherTokens: call("key", 200, "GET", atPublisher("/tokens")),
  deletePublisherToken: call("key", 204, "DELETE", aToken),
};

const ofNodes: Readonly<Record<string, ExampleCall>> = {
  createNode: call("key", 201, "POST", atPublisher("/nodes"), newNode),
  listPublisherNodes: call("nobody", 200, "GET", atPublisher("/nodes")),
  listPublisherNodesPaged: call("nobody", 200, "GET", atPublisher("/nodes/v2?page=1&limit=2")),
  updateNode: call("key", 200, "PUT", ownNode(), { description: "More light" }),
  deleteNode: call("key", 204, "DELETE", ownNode()),
  getNodePermissions: call("key", 200, "GET", ownNode("/permissions")),
  // A node without a repository has no owner, so no token can prove anything.
  claimNode: {
    status: 403,
    async make(scene) {
      const { app } = scene;
      const made = await send(app, "POST", "/admin/nodes", bearer(app.adminToken), newNode());
      const path = `${await publisher(scene)}/nodes/${textOf(made.json(), "id")}/claim-my-node`;
      return { method: "POST", path, headers: bearer(app.key), body: { GH_TOKEN: "a token" } };
    },
  },
  listNodes: call("nobody", 200, "GET", "/nodes?limit=2&sort=downloads;desc"),
  searchNodes: call("nobody", 200, "GET", "/nodes/search?search=node&limit=2"),
  dumpNodes: call("nobody", 200, "GET", "/bulk/nodes?timestamp=2026-01-01T00:00:00Z"),
  getNode: call("nobody", 200, "GET", atNode()),
  createReview: call("key", 200, "POST", atNode("/reviews?star=4")),
  createNodeTranslations: call("key", 201, "POST", atNode("/translations"), { data: { fr: { name: "Un nœud" } } }),
  getNodeByDescriptorName: {
    status: 200,
    async make(scene) {
      const { app } = scene;
      const name = someId("Class");
      const body = { preempted_svc_node_names: [name] };
      await send(app, "PUT", `/admin/nodes/${await aNode(scene)}`, bearer(app.adminToken), body);
      return { path: `/svc-nodes/${name}/node` };
    },
  },
};

const ofOperators: Readonly<Record<string, ExampleCall>> = {
  banPublisher: call("admin", 204, "POST", async (scene) => `${await anotherPublisher(scene)}/ban`, { reason: "spam" }),
  unbanPublisher: call("admin", 204, "DELETE", async (scene) => `${await anotherPublisher(scene)}/ban`),
  banNode: call("admin", 204, "POST", ownNode("/ban"), { reason: "miner" }),
  createNodeAsAdmin: call("admin", 201, "POST", "/admin/nodes", newNode),
  reviewNode: call("admin", 200, "PUT", async (scene) => `/admin/nodes/${await aNode(scene)}`, { search_ranking: 3 }),
  generateAdminToken: call("admin", 201, "POST", "/admin/generate-token"),
  reindexNodes: call("admin", 204, "POST", "/nodes/reindex"),
  updateRepositoryStars: call("admin", 204, "POST", "/nodes/update-github-stars?max_batch=1"),
};

export const registryExamples: Readonly<Record<string, ExampleCall>> = { ...ofPublishers, ...ofNodes, ...ofOperators };
