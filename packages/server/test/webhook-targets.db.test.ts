// Receivers on this machine, allowed while the server runs; and private networks, which only the operator can allow.
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { bearer, textOf } from "./support/app-client.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let receiver: Server;
let target: string;
const received: string[] = [];
before(async () => {
  app = await testApp({
    env: { ATELIER_EGRESS_ALLOW: "webhooks=10.1.0.0/16:*,scale=scaler.lan:8443", ATELIER_WEBHOOK_TARGETS: "" },
  });
  receiver = createServer((request, response) => {
    received.push(request.url ?? "");
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  target = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
after(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await app.close();
});

const path = "/account/webhooks/targets";
const put = (targets: readonly string[], key = app.key) =>
  app.call({ method: "PUT", path, headers: bearer(key), body: { targets } });
const sendTest = (url: string) =>
  app.call({ method: "POST", path: "/account/webhooks/test", headers: bearer(app.key), body: { url } });

describe("a receiver on this machine", () => {
  test("is refused until it is opened, then gets deliveries without a restart, and is closed again", async () => {
    const url = `http://${target}/hook`;
    assert.equal((await sendTest(url)).status, 400);
    const opened = await put([target]);
    assert.deepEqual([opened.status, opened.json()], [200, { may_open: true, configured: [], opened: [target] }]);
    assert.equal((await sendTest(url)).status, 202);
    await until("the delivery", () => received.includes("/hook"));
    assert.equal((await put([])).status, 200);
    assert.equal((await sendTest(url)).status, 400);
    const audit = await app.call({
      path: "/admin/audit?action=webhook_targets.replace",
      headers: bearer(app.adminToken),
    });
    assert.equal(audit.status, 200);
    assert.ok(audit.text.includes(target), audit.text);
  });

  test("on one of the server's own ports stays closed, even when opened", async () => {
    await put([`127.0.0.1:${app.port}`]);
    assert.equal((await sendTest(`http://127.0.0.1:${app.port}/admin/workspaces`)).status, 400);
    await put([]);
  });

  test("that is not on this machine cannot be opened", async () => {
    for (const bad of ["10.0.0.1:80", "example.com:443", "0.0.0.0:80", "127.0.0.1", "169.254.169.254:80"])
      assert.equal((await put([bad])).status, 400, bad);
  });

  test("is opened by an owner, not by a member", async () => {
    const body = { name: "member's", role: "member", scopes: ["account"] };
    const made = await app.call({ method: "POST", path: "/account/keys", headers: bearer(app.key), body });
    assert.equal(made.status, 201, made.text);
    assert.equal((await put([target], textOf(made.json(), "secret"))).status, 403);
  });
});

test("a server that others can reach opens no receiver on its own machine", async () => {
  const open = await testApp({
    env: { ATELIER_CONTENT_URL: "https://content.example", ATELIER_WEBHOOK_TARGETS: "" },
  });
  try {
    const answer = await open.call({ method: "PUT", path, headers: bearer(open.key), body: { targets: [target] } });
    assert.equal(answer.status, 403);
    assert.match(answer.text, /ATELIER_EGRESS_ALLOW/);
    const read = await open.call({ path, headers: bearer(open.key) });
    assert.deepEqual(read.json(), { may_open: false, configured: [], opened: [] });
  } finally {
    await open.close();
  }
});

describe("a private network", () => {
  test("that the operator opened for webhooks accepts a webhook_url, over http and on any port", async () => {
    const graph = { "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } } };
    const submit = (body: object) =>
      app.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(app.key), body: { workflow: graph, ...body } });
    const refused = await submit({ webhook_url: "http://10.2.0.1:9000/hook" });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /webhook_url/);
    const opened = await submit({ webhook_url: "http://10.1.0.1:9000/hook" });
    // The graph has no output, which is found after the fields were read.
    assert.doesNotMatch(opened.text, /webhook_url/);
    const target = { kind: "https", url: "http://10.1.0.1:9000/{name}" };
    assert.match((await submit({ output_target: target })).text, /output_target/, "webhooks are not outputs");
  });

  test("is shown to the operator by the server's checks", async () => {
    const checks = await app.call({ path: "/admin/checks", headers: bearer(app.adminToken) });
    assert.match(checks.text, /webhooks=10\.1\.0\.0\/16:\*/);
  });
});
