// The whole way of a node, as somebody with curl would go it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bearer, listOf, memberOf, textOf } from "../support/app-client.ts";
import { codesOf, createPublisher, download, type Publisher, packed, publish } from "../support/publishing.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

let app: TestApp;
let acme: Publisher;
before(async () => {
  app = await testApp();
  acme = await createPublisher(app, "acme");
});
after(() => app.close());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await app.call({ path, headers });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.json();
};

test("a node is published, installed, flagged, banned, described, and its class refused", async (t) => {
  const nodeId = "Fine-Pack";
  await t.test("create the node", async () => {
    const body = { id: nodeId, name: "Fine pack", description: "Does fine things." };
    const made = await app.call({ method: "POST", path: "/publishers/acme/nodes", headers: bearer(app.key), body });
    assert.equal(made.status, 201, made.text);
    assert.ok(!("latest_version" in Object(await get(`/nodes/${nodeId}`))));
  });

  await t.test("publish 1.9.0 and 1.10.0: both clean, at once active", async () => {
    for (const version of ["1.9.0", "1.10.0"]) {
      const published = await publish(app, acme, { nodeId, version, nodeVersion: { changelog: `It is ${version}` } });
      assert.equal(published.status, "NodeVersionStatusActive");
      assert.deepEqual(published.findings, []);
    }
  });

  await t.test("latest is 1.10.0 for get, list, versions and install alike", async () => {
    assert.equal(textOf(await get(`/nodes/${nodeId}`), "latest_version", "version"), "1.10.0");
    assert.equal(textOf(await get("/nodes?latest=true"), "nodes", 0, "latest_version", "version"), "1.10.0");
    assert.equal(textOf(await get(`/nodes/${nodeId}/versions`), 0, "version"), "1.10.0");
    const installed = await get("/nodes/fine-pack/install");
    assert.equal(textOf(installed, "version"), "1.10.0");
    assert.equal(textOf(installed, "changelog"), "It is 1.10.0");
    const archive = await download(textOf(installed, "downloadUrl"));
    assert.equal(archive.status, 200);
    assert.deepEqual(archive.bytes, packed("acme", { nodeId, version: "1.10.0" }));
    const shown = textOf(await get(`/nodes/${nodeId}`), "latest_version", "downloadUrl");
    assert.equal(shown, textOf(installed, "downloadUrl"));
  });

  const evil = { nodeId, version: "2.0.0" };
  let evilId = "";
  await t.test("a malicious archive is flagged; its publisher reads why at once and later", async () => {
    const source =
      'import subprocess, sys\nsubprocess.run([sys.executable, "-m", "pip", "install", "x"])\neval(input())\n';
    const parts = [{ name: "nodes/evil.py", bytes: source }];
    const published = await publish(app, acme, evil, packed("acme", evil, parts));
    evilId = published.id;
    assert.equal(published.status, "NodeVersionStatusFlagged");
    assert.deepEqual(
      published.findings.map(
        (finding) => `${textOf(finding, "code")} ${textOf(finding, "file")}:${memberOf(finding, "line")}`,
      ),
      ["python_subprocess_install nodes/evil.py:2", "python_eval nodes/evil.py:3"],
    );
    const path = `/publishers/acme/nodes/${nodeId}/versions/${evilId}/review`;
    const review = await get(path, bearer(app.key));
    assert.equal(listOf(review, "findings").length, 2);
    assert.equal(textOf(review, "rule_set"), "atelier-1");
    assert.equal(textOf(review, "history", 0, "by"), "checks");
    const own = await get(`/nodes/${nodeId}/versions/2.0.0`, bearer(app.key));
    assert.deepEqual(codesOf(listOf(own, "findings")), ["python_subprocess_install", "python_eval"]);
    assert.match(textOf(own, "status_reason"), /python_eval \(nodes\/evil\.py:3\)/);
  });

  await t.test(
    "others see that it is flagged, and neither findings nor a way to its bytes; install gives 1.10.0",
    async () => {
      const seen = await get(`/nodes/${nodeId}/versions/2.0.0`);
      assert.equal(textOf(seen, "status"), "NodeVersionStatusFlagged");
      for (const hidden of ["findings", "downloadUrl", "status_reason", "tags_admin"]) {
        assert.ok(!(hidden in Object(seen)), hidden);
      }
      assert.equal(textOf(await get(`/nodes/${nodeId}/install`), "version"), "1.10.0");
      const named = await app.call({ path: `/nodes/${nodeId}/install?version=2.0.0` });
      assert.equal(named.status, 403, named.text);
      const reasons = await get(`/nodes/${nodeId}/versions?include_status_reason=true`);
      assert.match(textOf(reasons, 0, "status_reason"), /python_eval/);
    },
  );

  await t.test("an operator bans it with a reason, which is told and remembered", async () => {
    const body = { status: "NodeVersionStatusBanned", status_reason: "It installs things behind your back." };
    const path = `/admin/nodes/${nodeId}/versions/2.0.0`;
    const banned = await app.call({ method: "PUT", path, headers: bearer(app.adminToken), body });
    assert.equal(banned.status, 200, banned.text);
    assert.equal(textOf(banned.json(), "status"), "NodeVersionStatusBanned");
    const review = await get(`${path}/review`, bearer(app.adminToken));
    assert.deepEqual(
      listOf(review, "history").map((move) => textOf(move, "status_after")),
      ["NodeVersionStatusFlagged", "NodeVersionStatusBanned"],
    );
    assert.equal(textOf(review, "history", 1, "reason"), body.status_reason);
    const audit = await get("/admin/audit?action=node_version.review", bearer(app.adminToken));
    assert.equal(textOf(audit, "data", 0, "after", "reason"), body.status_reason);
  });

  await t.test("a descriptor is updated, and its policy by operators only", async () => {
    const path = `/nodes/${nodeId}/versions/1.10.0/svc-nodes/EmptyImage`;
    const edit = (credential: string, body: object) =>
      app.call({ method: "PUT", path, headers: bearer(credential), body });
    const described = await edit(app.key, { description: "Makes an image.", category: "image", input_types: "{}" });
    assert.equal(described.status, 200, described.text);
    assert.equal(textOf(described.json(), "policy"), "NodePolicyActive");
    const refused = await edit(app.key, { description: "Changed", policy: "NodePolicyBanned" });
    assert.equal(refused.status, 403, refused.text);
    const same = await edit(app.key, { category: "images", policy: "NodePolicyActive" });
    assert.equal(same.status, 200, same.text);
    assert.equal(textOf(await get(path), "description"), "Makes an image.");
    assert.equal(textOf(await get(path), "category"), "images");
    const graph = {
      "7": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
      "9": { class_type: "SaveImage", inputs: { images: ["7", 0], filename_prefix: "x" } },
    };
    const submit = () =>
      app.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(app.key), body: { workflow: graph } });
    const allowed = await submit();
    assert.ok(allowed.status < 300, allowed.text);
    for (const policy of ["NodePolicyBanned", "NodePolicyLocalOnly"]) {
      assert.equal((await edit(app.adminToken, { policy })).status, 200);
      const stopped = await submit();
      assert.equal(stopped.status, 422, stopped.text);
      assert.match(stopped.text, /"7"/);
      assert.match(stopped.text, /EmptyImage/);
    }
    assert.equal((await edit(app.adminToken, { policy: "NodePolicyActive" })).status, 200);
    assert.ok((await submit()).status < 300);
  });
});
