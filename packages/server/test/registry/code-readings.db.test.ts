// What the registry reads in the code of a published version: its classes and what it can do.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AppRequest, bearer, listOf, memberOf, textOf } from "../support/app-client.ts";
import { craftZip, manifestText } from "../support/craft-zip.ts";
import { createPublisher, type Publisher, publish } from "../support/publishing.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

let app: TestApp;
let acme: Publisher;
before(async () => {
  app = await testApp();
  acme = await createPublisher(app, "acme");
});
after(() => app.close());

const source = (body: string, top = "") => `import os, requests
class Fine:
    @classmethod
    def INPUT_TYPES(s):
        return {"required": {"image": ("IMAGE",), "file": (os.listdir("x"),)}}
    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "run"
    def run(self, image, file):
        ${body}
NODE_CLASS_MAPPINGS = {"Fine": Fine}
NODE_DISPLAY_NAME_MAPPINGS = {"Fine": "Fine node"}
${top}
`;

async function release(nodeId: string, version: string, text: string) {
  const manifest = manifestText({ publisherId: "acme", nodeId, version });
  const zip = craftZip([
    { name: "pyproject.toml", bytes: manifest },
    { name: "__init__.py", bytes: "from .nodes import *" },
    { name: "nodes.py", bytes: text },
  ]);
  return publish(app, acme, { nodeId, version }, zip);
}

async function expect(status: number, request: AppRequest) {
  const answer = await app.call(request);
  assert.equal(answer.status, status, `${request.method ?? "GET"} ${request.path}: ${answer.text}`);
  return answer.status === 204 ? null : answer.json();
}

test("publishing describes the classes of a version and says what is computed at run time", async () => {
  await release("described", "1.0.0", source("return image"));
  const version = await expect(200, { path: "/nodes/described/versions/1.0.0" });
  assert.equal(textOf(version, "svc_node_extract_status"), "partial");
  assert.deepEqual(memberOf(version, "extract_reasons"), [
    "nodes.py:5: the type of file of Fine could not be read (os.listdir()).",
  ]);
  const path = "/nodes/described/versions/1.0.0/svc-nodes/Fine";
  assert.deepEqual(await expect(200, { path }), {
    display_name: "Fine node",
    function: "run",
    input_types: '{"required":{"image":["IMAGE"],"file":["COMBO"]}}',
    policy: "NodePolicyActive",
    return_types: '["IMAGE"]',
    svc_node_name: "Fine",
  });
  assert.equal(textOf(await expect(200, { path: "/svc-nodes/Fine/node" }), "id"), "described");
  // A worker's own account completes it, once.
  const complete = { success: true, nodes: { Fine: { input_types: "{}" } } };
  const post = {
    method: "POST",
    path: "/nodes/described/versions/1.0.0/svc-nodes",
    headers: bearer(app.adminToken),
    body: complete,
  } as const;
  await expect(204, post);
  await expect(409, post);
  assert.equal(
    textOf(await expect(200, { path: "/nodes/described/versions/1.0.0" }), "svc_node_extract_status"),
    "success",
  );
  assert.equal(textOf(await expect(200, { path }), "display_name"), "Fine node");
});

test("a class that an operator has banned stays banned in the next version that is read", async () => {
  await release("policed", "1.0.0", source("return image"));
  const at = (version: string) => `/nodes/policed/versions/${version}/svc-nodes/Fine`;
  await expect(200, {
    method: "PUT",
    path: at("1.0.0"),
    headers: bearer(app.adminToken),
    body: { policy: "NodePolicyBanned" },
  });
  await release("policed", "1.0.1", source("return image"));
  assert.equal(textOf(await expect(200, { path: at("1.0.1") }), "policy"), "NodePolicyBanned");
});

test("a version says what its code can do, and what is new since the version below", async () => {
  await release("able", "1.4.0", source("return requests.get(image)"));
  await release("able", "1.4.1", source("return requests.get(image)", "os.makedirs('x')"));
  const capabilitiesOf = async (version: string) =>
    expect(200, { path: `/nodes/able/versions/${version}/capabilities` });
  assert.deepEqual(memberOf(await expect(200, { path: "/nodes/able/versions/1.4.0" }), "capabilities"), ["network"]);
  assert.deepEqual(memberOf(await expect(200, { path: "/nodes/able/install" }), "capabilities"), [
    "network",
    "files",
    "files_at_import",
  ]);
  assert.deepEqual(memberOf(await expect(200, { path: "/nodes/able" }), "latest_version", "capabilities"), [
    "network",
    "files",
    "files_at_import",
  ]);
  const first = await capabilitiesOf("1.4.0");
  assert.deepEqual([memberOf(first, "compared_with"), memberOf(first, "added")], [undefined, []]);
  const second = await capabilitiesOf("1.4.1");
  assert.equal(textOf(second, "compared_with"), "1.4.0");
  assert.deepEqual(
    listOf(second, "added").map((use) => textOf(use, "text")),
    ["1.4.1 newly writes files at import, nodes.py:12 (os.makedirs)."],
  );
  const back = await expect(200, { path: "/nodes/able/versions/1.4.0/capabilities?since=1.4.1" });
  assert.deepEqual(
    listOf(back, "removed").map((use) => textOf(use, "name")),
    ["os.makedirs"],
  );
  await expect(404, { path: "/nodes/able/versions/1.4.0/capabilities?since=9.9.9" });
  await expect(400, { path: "/nodes/able/versions/1.4.0/capabilities?since=x" });
});

test("what a flagged version contains is for its publisher and operators, and the review has the difference", async () => {
  await release("shady", "1.0.0", source("return image"));
  const { id, status } = await release("shady", "1.0.1", source("return image", "requests.post('http://x')"));
  assert.equal(status, "NodeVersionStatusFlagged");
  const path = "/nodes/shady/versions/1.0.1";
  assert.equal(memberOf(await expect(200, { path }), "capabilities"), undefined);
  await expect(404, { path: `${path}/capabilities` });
  await expect(200, { path: `${path}/capabilities`, headers: bearer(app.key) });
  for (const [review, headers] of [
    [`/publishers/acme/nodes/shady/versions/${id}/review`, bearer(app.key)],
    ["/admin/nodes/shady/versions/1.0.1/review", bearer(app.adminToken)],
  ] as const) {
    const shown = memberOf(await expect(200, { path: review, headers }), "capabilities");
    assert.deepEqual(
      listOf(shown, "added").map((use) => textOf(use, "text")),
      ["1.0.1 newly opens the network at import, nodes.py:12 (requests.post)."],
    );
  }
});
