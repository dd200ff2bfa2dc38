// One example call for each operation on versions and descriptors of registry nodes. Each publishes what it needs, so the calls
// can be made in any order and repeated.
import { randomBytes, randomUUID } from "node:crypto";
import { bearer } from "./app-client.ts";
import type { ExampleCall, Scene } from "./example-call.ts";
import { createPublisher, packed, publish } from "./publishing.ts";

const publishers = new WeakMap<object, ReturnType<typeof createPublisher>>();

function publisherOf({ app }: Scene): ReturnType<typeof createPublisher> {
  const known = publishers.get(app) ?? createPublisher(app, `p${randomBytes(6).toString("hex")}`);
  publishers.set(app, known);
  return known;
}

interface Fresh {
  readonly publisherId: string;
  readonly nodeId: string;
  readonly versionId: string;
}

async function aVersion(scene: Scene): Promise<Fresh> {
  const publisher = await publisherOf(scene);
  const nodeId = `n${randomBytes(6).toString("hex")}`;
  const { id } = await publish(scene.app, publisher, { nodeId, version: "1.0.0" });
  return { publisherId: publisher.id, nodeId, versionId: id };
}

type Path = (fresh: Fresh) => string;

function call(as: "key" | "admin" | "nobody", status: number, method: string, path: Path, body?: object): ExampleCall {
  return {
    status,
    async make(scene) {
      const { app } = scene;
      const headers = as === "nobody" ? {} : bearer(as === "key" ? app.key : app.adminToken);
      return { method, path: path(await aVersion(scene)), headers, ...(body === undefined ? {} : { body }) };
    },
  };
}

const own: Path = ({ publisherId, nodeId, versionId }) =>
  `/publishers/${publisherId}/nodes/${nodeId}/versions/${versionId}`;
const numbered: Path = ({ nodeId }) => `/nodes/${nodeId}/versions/1.0.0`;
const reviewed: Path = ({ nodeId }) => `/admin/nodes/${nodeId}/versions/1.0.0`;

export const versionExamples: Readonly<Record<string, ExampleCall>> = {
  publishNodeVersion: call(
    "key",
    201,
    "POST",
    ({ publisherId, nodeId }) => `/publishers/${publisherId}/nodes/${nodeId}/versions`,
    { node_version: { version: "2.0.0" } },
  ),
  updateNodeVersion: call("key", 200, "PUT", own, { deprecated: true }),
  deleteNodeVersion: call("key", 204, "DELETE", own),
  getVersionReview: call("key", 200, "GET", (fresh) => `${own(fresh)}/review`),
  appealNodeVersion: {
    status: 200,
    async make(scene) {
      const { app } = scene;
      const fresh = await aVersion(scene);
      const body = { status: "NodeVersionStatusFlagged" };
      await app.call({ method: "PUT", path: reviewed(fresh), headers: bearer(app.adminToken), body });
      const reason = { reason: "It is harmless." };
      return { method: "POST", path: `${own(fresh)}/appeal`, headers: bearer(app.key), body: reason };
    },
  },
  listNodeVersions: call("nobody", 200, "GET", ({ nodeId }) => `/nodes/${nodeId}/versions`),
  getNodeVersion: call("nobody", 200, "GET", numbered),
  getNodeReadme: {
    status: 200,
    async make(scene) {
      const publisher = await publisherOf(scene);
      const node = { nodeId: `n${randomBytes(6).toString("hex")}`, version: "1.0.0" };
      await publish(scene.app, publisher, node, packed(publisher.id, node, [{ name: "README.md", bytes: "# It is" }]));
      return { path: `/nodes/${node.nodeId}/versions/1.0.0/readme` };
    },
  },
  getNodeCapabilities: call("nobody", 200, "GET", (fresh) => `${numbered(fresh)}/capabilities`),
  installNode: call("nobody", 200, "GET", ({ nodeId }) => `/nodes/${nodeId}/install`),
  getNodeVersionsInBulk: call("nobody", 200, "POST", () => "/bulk/nodes/versions", {
    node_versions: [{ node_id: "none", version: "1.0.0" }],
  }),
  listAllVersions: call("nobody", 200, "GET", () => "/versions"),
  listDescriptors: call("nobody", 200, "GET", (fresh) => `${numbered(fresh)}/svc-nodes`),
  getDescriptor: {
    status: 200,
    async make(scene) {
      const fresh = await aVersion(scene);
      const path = `${numbered(fresh)}/svc-nodes/Described`;
      await scene.app.call({ method: "PUT", path, headers: bearer(scene.app.key), body: { description: "It is." } });
      return { path };
    },
  },
  updateDescriptor: call("key", 200, "PUT", (fresh) => `${numbered(fresh)}/svc-nodes/Described`, { category: "x" }),
  searchDescriptors: call("nobody", 200, "GET", () => "/svc-nodes"),
  createDescriptors: call("admin", 204, "POST", (fresh) => `${numbered(fresh)}/svc-nodes`, {
    nodes: { Extracted: { function: "run" } },
  }),
  backfillDescriptors: call("admin", 204, "POST", () => "/svc-nodes/backfill"),
  reviewNodeVersion: call("admin", 200, "PUT", reviewed, { status: "NodeVersionStatusBanned", status_reason: "No." }),
  getVersionReviewAsAdmin: call("admin", 200, "GET", (fresh) => `${reviewed(fresh)}/review`),
  undoReviewBatch: {
    status: 200,
    async make(scene) {
      const batch_id = randomUUID();
      const headers = bearer(scene.app.adminToken);
      const body = { status: "NodeVersionStatusFlagged", batch_id };
      await scene.app.call({ method: "PUT", path: reviewed(await aVersion(scene)), headers, body });
      return { method: "POST", path: `/admin/nodeversions/batches/${batch_id}/undo`, headers };
    },
  },
  listNodeVersionsAsAdmin: call("admin", 200, "GET", () => "/admin/nodeversions"),
  scanPendingVersions: call("admin", 200, "GET", () => "/security-scan"),
};
