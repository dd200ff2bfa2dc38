// Descriptors of node classes, and the policy that decides where workflows may use them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AppRequest, bearer, headerOf, listOf, memberOf, textOf } from "../support/app-client.ts";
import { addTenant } from "../support/app-people.ts";
import { craftZip, manifestText } from "../support/craft-zip.ts";
import { createPublisher, type Publisher, publish } from "../support/publishing.ts";
import { until } from "../support/server-process.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

let app: TestApp;
let acme: Publisher;
before(async () => {
  app = await testApp();
  acme = await createPublisher(app, "acme");
});
after(() => app.close());

async function expect(status: number, request: AppRequest) {
  const answer = await app.call(request);
  assert.equal(answer.status, status, `${request.method ?? "GET"} ${request.path}: ${answer.text}`);
  return answer;
}
const admin = () => bearer(app.adminToken);

test("an extractor stores all descriptors of a version once; a failed extraction may be repeated", async () => {
  await publish(app, acme, { nodeId: "pack", version: "1.0.0" });
  const path = "/nodes/pack/versions/1.0.0/svc-nodes";
  const post = (status: number, body: object, headers = admin()) =>
    expect(status, { method: "POST", path, headers, body });
  await post(401, { nodes: {} }, bearer(app.key));
  await post(204, { success: false, reason: "It does not start." });
  const failed = (await expect(200, { path: "/nodes/pack/versions/1.0.0" })).json();
  assert.equal(textOf(failed, "svc_node_extract_status"), "failed");
  const nodes = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `Class ${String(index).padStart(2, "0")}`,
      { function: "run", output_is_list: [true] },
    ]),
  );
  await post(204, { success: true, nodes });
  await post(409, { success: true, nodes });
  const first = await expect(200, { path });
  assert.equal(listOf(first.json(), "svc_nodes").length, 10);
  assert.equal(memberOf(first.json(), "totalNumberOfPages"), 2);
  assert.equal(textOf(first.json(), "svc_nodes", 0, "svc_node_name"), "Class 00");
  await expect(304, { path, headers: { "if-none-match": headerOf(first, "etag") ?? "" } });
  assert.equal(listOf((await expect(200, { path: `${path}?page=2` })).json(), "svc_nodes").length, 2);
  const found = (
    await expect(200, { path: "/svc-nodes?svc_node_name=Class%2003&node_id=PACK&node_version=1.0" })
  ).json();
  assert.equal(memberOf(found, "total"), 1);
  await expect(400, { path: "/svc-nodes?pageSize=101" });
  assert.equal(textOf((await expect(200, { path: "/svc-nodes/Class%2003/node" })).json(), "id"), "pack");
  await expect(404, { path: `${path}/Nothing` });
  await expect(404, { path: "/nodes/pack/versions/8.0.0/svc-nodes" });
});

test("a class is still found by name after a version whose classes could not be read, and is gone once a version is described without it", async () => {
  const nodes = (...names: string[]) => ({
    nodes: Object.fromEntries(names.map((name) => [name, { function: "run" }])),
  });
  const describe = async (version: string, body: object) =>
    expect(204, { method: "POST", path: `/nodes/moving/versions/${version}/svc-nodes`, headers: admin(), body });
  const ownerOf = async (name: string) => {
    const answer = await app.call({ path: `/svc-nodes/${name}/node` });
    return answer.status === 200 ? textOf(answer.json(), "id") : answer.status;
  };
  const searched = async (name: string) =>
    memberOf((await expect(200, { path: `/nodes/search?svc_node_search=${name}` })).json(), "total");
  await publish(app, acme, { nodeId: "moving", version: "1.9.0" });
  await describe("1.9.0", nodes("MovingOld"));
  await publish(app, acme, { nodeId: "moving", version: "1.10.0" });
  await describe("1.10.0", nodes("MovingKept", "MovingDropped"));
  const unreadable = { nodeId: "moving", version: "2.0.0" };
  const manifest = manifestText({ publisherId: acme.id, ...unreadable });
  const parts = [
    { name: "pyproject.toml", bytes: manifest },
    { name: "__init__.py", bytes: "NODE_CLASS_MAPPINGS = load()" },
  ];
  await publish(app, acme, unreadable, craftZip(parts));
  const found = await expect(200, { path: "/svc-nodes/MovingKept/node" });
  assert.equal(textOf(found.json(), "latest_version", "version"), "2.0.0");
  assert.deepEqual(
    [
      await ownerOf("MovingKept"),
      await ownerOf("MovingDropped"),
      await ownerOf("MovingOld"),
      await searched("MovingKept"),
    ],
    ["moving", "moving", 404, 1],
  );
  await describe("2.0.0", nodes("MovingKept"));
  assert.deepEqual([await ownerOf("MovingKept"), await ownerOf("MovingDropped")], ["moving", 404]);
  await publish(app, acme, { nodeId: "moving", version: "3.0.0" });
  await describe("3.0.0", nodes());
  assert.deepEqual([await ownerOf("MovingKept"), await searched("MovingKept")], [404, 0], "it is known to have none");
});

// Spec, Node descriptor: every field, and none of them lost by a later update of another one.
test("every field of a descriptor is kept and shown, and an update merges", async () => {
  await publish(app, acme, { nodeId: "fields", version: "1.0.0" });
  const path = "/nodes/fields/versions/1.0.0/svc-nodes/Every%20Field";
  const put = (body: object) => expect(200, { method: "PUT", path, headers: bearer(app.key), body });
  const fields = {
    category: "image/light",
    deprecated: true,
    description: "Turns the light.",
    experimental: true,
    function: "turn",
    input_types: '{"required": {"image": ["IMAGE"]}}',
    output_is_list: [false, true],
    return_names: '["image", "masks"]',
    return_types: '["IMAGE", "MASK"]',
  };
  const whole = { ...fields, policy: "NodePolicyActive", svc_node_name: "Every Field" };
  assert.deepEqual((await put(fields)).json(), whole);
  assert.deepEqual((await put({ experimental: false, policy: "NodePolicyActive" })).json(), {
    ...whole,
    experimental: false,
  });
  assert.deepEqual((await expect(200, { path })).json(), { ...whole, experimental: false });
});

test("a ban covers the class in every version, future ones included, and deleting or publishing does not lift it", async () => {
  const one = await publish(app, acme, { nodeId: "bans", version: "1.0.0" });
  const put = (version: string, body: object, headers: Record<string, string>) =>
    app.call({ method: "PUT", path: `/nodes/bans/versions/${version}/svc-nodes/ImageInvert`, headers, body });
  assert.equal((await put("1.0.0", { policy: "NodePolicyBanned" }, admin())).status, 200);
  await publish(app, acme, { nodeId: "bans", version: "2.0.0" });
  const created = await put("2.0.0", { description: "New" }, bearer(app.key));
  assert.equal(created.status, 200, created.text);
  assert.equal(textOf(created.json(), "policy"), "NodePolicyBanned");
  assert.equal((await put("2.0.0", { policy: "NodePolicyActive" }, bearer(app.key))).status, 403);
  await expect(204, {
    method: "DELETE",
    path: `/publishers/acme/nodes/bans/versions/${one.id}`,
    headers: bearer(app.key),
  });
  const refused = await submit(app);
  assert.equal(refused.status, 422, refused.text);
  assert.deepEqual(
    Object.keys(Object(memberOf(refused.json(), "error", "details", "node_errors"))),
    ["2"],
    refused.text,
  );
  assert.equal((await put("2.0.0", { policy: "NodePolicyActive" }, admin())).status, 200);
  assert.ok((await submit(app)).status < 300);
});

test("strangers, wrong bodies and unknown versions change nothing", async () => {
  const stranger = await addTenant(app, "Stranger");
  await publish(app, acme, { nodeId: "kept", version: "1.0.0" });
  const path = "/nodes/kept/versions/1.0.0/svc-nodes/Thing";
  const put = (status: number, body: unknown, headers: Record<string, string>, at = path) =>
    expect(status, { method: "PUT", path: at, headers, body });
  await put(401, {}, {});
  await put(401, {}, bearer("admin-wrong-token-that-nobody-has-given-out"));
  await put(403, { description: "x" }, bearer(stranger.key));
  await put(400, { policy: "Nonsense" }, admin());
  await put(400, { deprecated: "yes", output_is_list: [1] }, bearer(app.key));
  await put(404, {}, bearer(app.key), "/nodes/kept/versions/7.0.0/svc-nodes/Thing");
  await put(404, {}, bearer(app.key), "/nodes/nothing/versions/1.0.0/svc-nodes/Thing");
  await put(400, {}, bearer(app.key), `/nodes/kept/versions/1.0.0/svc-nodes/${"x".repeat(256)}`);
  await expect(404, { path });
});

test("another process of the same service learns of a ban", async () => {
  const beside = await testApp({ beside: app });
  try {
    await publish(app, acme, { nodeId: "far", version: "1.0.0" });
    const path = "/nodes/far/versions/1.0.0/svc-nodes/ImageInvert";
    const put = (policy: string) => expect(200, { method: "PUT", path, headers: admin(), body: { policy } });
    await put("NodePolicyLocalOnly");
    await until("it refuses", async () => (await submit(beside)).status === 422);
    await put("NodePolicyActive");
    await until("it takes the graph again", async () => (await submit(beside)).status < 300);
  } finally {
    await beside.close();
  }
});

function submit(to: TestApp) {
  const workflow = {
    "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
    "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
    "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "x" } },
  };
  return to.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(app.key), body: { workflow } });
}
