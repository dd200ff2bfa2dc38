// The editor over HTTP: closed until it is installed, open to members with a session and one of our pages, one workspace
// per address. The editor itself is in editor.long.pages.ts.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { applicationOperations, cloudOperations } from "../src/areas/application-api/index.ts";
import { type AppRequest, bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, owner, ownPage, raiseRates, type Tenant } from "./support/app-people.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { installTinyEditor, tinyPage, tinyScript } from "./support/tiny-editor.ts";

let app: TestApp;
let person: Tenant;
let stranger: Tenant;
before(async () => {
  app = await testApp();
  person = await owner(app);
  stranger = await addTenant(app, "Eve");
  await raiseRates(app, app.workspaceId);
});
after(() => app.close());

const at = (path: string, workspaceId = app.workspaceId) => `/editor/${workspaceId}${path}`;
const asPage = (request: AppRequest, who: Tenant = person) =>
  app.call({ ...request, headers: { ...ownPage(app, who.cookie), ...request.headers } });
const asVisitor = (path: string, who: Tenant = person) => app.call({ path, headers: { cookie: who.cookie } });

const graph = {
  "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "made" } },
};

describe("before it is installed", () => {
  test("its page says how to install it, and its API does not exist", async () => {
    const page = await asVisitor(at("/"));
    assert.equal(page.status, 404);
    assert.match(page.text, /atelier editor install/);
    assert.match(headerOf(page, "content-security-policy") ?? "", /^default-src 'none'/);
    assert.equal((await asPage({ path: at("/api/object_info") })).status, 404);
    assert.equal((await asPage({ path: at("/assets/app-Ab12Cd34.js") })).status, 404);
  });
});

describe("once it is installed", () => {
  before(() => installTinyEditor(app.home));

  test("people who are signed out are led to sign in and back; others to the workspace of their session", async () => {
    for (const path of ["/editor", "/editor/", at("/"), `${at("/")}?job=1`]) {
      const { status, headers } = await app.call({ path });
      assert.deepEqual([status, headers["location"]], [303, `/sign-in?${new URLSearchParams({ return_to: path })}`]);
    }
    for (const path of ["/editor?workflow=a%2Fb", "/editor/?workflow=a%2Fb"]) {
      const { status, headers } = await asVisitor(path);
      assert.deepEqual([status, headers["location"]], [303, `${at("/")}?workflow=a%2Fb`]);
    }
    assert.equal((await asVisitor(at("?a=1"))).headers["location"], `${at("/")}?a=1`);
  });

  test("the page is the wheel's, under a policy that names no other host and hashes its own inline script", async () => {
    const page = await asVisitor(at("/"));
    assert.deepEqual([page.status, page.text], [200, tinyPage]);
    const policy = headerOf(page, "content-security-policy") ?? "";
    const hash = createHash("sha256").update("var inline = 1;").digest("base64");
    assert.ok(policy.includes(`script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}';`), policy);
    assert.doesNotMatch(policy, /https?:|\*|'unsafe-eval'|script-src[^;]*'unsafe-inline'/);
    const etag = headerOf(page, "etag") ?? "";
    assert.equal(headerOf(page, "cache-control"), "private, no-cache");
    const again = await app.call({ path: at("/"), headers: { cookie: person.cookie, "if-none-match": etag } });
    assert.equal(again.status, 304);
  });

  test("files whose name has a hash are kept for a year, and large ones are sent packed", async () => {
    const path = at("/assets/app-Ab12Cd34.js");
    const plain = await asPage({ path });
    assert.deepEqual([plain.status, plain.text], [200, tinyScript]);
    assert.match(headerOf(plain, "cache-control") ?? "", /immutable/);
    const packed = await asPage({ path, headers: { "accept-encoding": "gzip" } });
    assert.equal(headerOf(packed, "content-encoding"), "gzip");
    assert.equal(gunzipSync(packed.bytes).toString(), tinyScript);
    const drawing = await asPage({ path: at("/assets/images/logo.svg") });
    assert.match(headerOf(drawing, "content-security-policy") ?? "", /sandbox/);
    assert.equal(headerOf(drawing, "cache-control"), "private, no-cache");
  });

  test("the server's templates are listed where the editor looks for them", async () => {
    assert.equal((await asPage({ path: at("/templates/index.json") })).status, 200);
    assert.equal((await asPage({ path: at("/templates/none.json") })).status, 404);
  });

  test("priced nodes run with the session: the editor asks for no account elsewhere", async () => {
    const features = await asPage({ path: at("/api/features") });
    assert.equal(memberOf(features.json(), "partner_run_gate_enabled"), false);
  });

  test("what the wheel does not list is not served, however the path is written", async () => {
    for (const path of ["/editor.json", "/../editor.json", "/%2e%2e/editor.json", "/assets/..%2f..%2feditor.json"])
      assert.equal((await asPage({ path: at(path) })).status, 404, path);
    assert.equal((await asPage({ path: at("/assets/app-Ab12Cd34.js.gz") })).status, 404);
  });

  test("files and every operation of the API ask for a session; a key is none", async () => {
    const operations = [...Object.values(applicationOperations), ...Object.values(cloudOperations)];
    assert.ok(operations.length > 30);
    for (const { method, path } of operations) {
      const asked = at(`/api${path.replaceAll(/\{\w+\}/g, "x")}`);
      for (const headers of [{}, bearer(app.key), { "x-api-key": app.key }, { cookie: "atelier_session=none" }])
        assert.equal((await app.call({ method, path: asked, headers })).status, 401, `${method} ${asked}`);
    }
    assert.equal((await app.call({ path: at("/assets/app-Ab12Cd34.js") })).status, 401);
    assert.equal((await app.call({ path: at("/internal/logs") })).status, 401);
  });

  test("another workspace does not exist for people who are not in it, by page, file or API", async () => {
    const theirs = stranger.workspaceId;
    assert.equal((await asVisitor(at("/", theirs))).status, 404);
    assert.equal((await asVisitor(at("/", "not-an-id"))).status, 404);
    for (const path of ["/assets/app-Ab12Cd34.js", "/api/object_info", "/api/jobs", "/api/userdata", "/internal/logs"])
      assert.equal((await asPage({ path: at(path, theirs) })).status, 404, path);
    const submitted = await asPage({ method: "POST", path: at("/api/prompt", theirs), body: { prompt: graph } });
    assert.equal(submitted.status, 404);
    assert.equal((await asPage({ path: at("/api/jobs", theirs) }, stranger)).status, 200);
  });

  test("a page of another origin changes nothing, reads nothing and opens no websocket", async () => {
    const body = { prompt: graph };
    const foreign: readonly Readonly<Record<string, string>>[] = [
      { origin: "http://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "null", "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      const sent = { headers: { cookie: person.cookie, ...headers } };
      assert.equal((await app.call({ method: "POST", path: at("/api/prompt"), body, ...sent })).status, 403);
      assert.equal((await app.call({ path: at("/api/history"), ...sent })).status, 403);
    }
    const unmarked = { method: "POST", path: at("/api/prompt"), body, headers: { cookie: person.cookie } };
    assert.equal((await app.call(unmarked)).status, 403);
    assert.equal(await openingOf({ cookie: person.cookie, origin: "http://evil.example" }), 403);
    assert.equal(await openingOf({ cookie: person.cookie }), 403);
    assert.equal(await openingOf({ origin: app.baseUrl }), 401);
  });

  test("a prompt runs as a job of the workspace, its socket hears of it, and its picture is shown but never a page here", async () => {
    const socket = openSocket({ cookie: person.cookie, origin: app.baseUrl });
    const heard: string[] = [];
    socket.on("message", (data) => heard.push(String(data)));
    await once(socket, "open");
    const body = { prompt: graph, client_id: "tab-1" };
    const sent = await asPage({ method: "POST", path: at("/api/prompt"), body });
    assert.equal(sent.status, 200, sent.text);
    const promptId = textOf(sent.json(), "prompt_id");
    await until("its end on the socket", async () => heard.some((one) => one.includes("execution_success")) || null);
    const job = (await app.call({ path: `/api/v2/jobs/${promptId}`, headers: bearer(app.key) })).json();
    assert.equal(memberOf(job, "status"), "succeeded");
    const view = at(`/api/view?${new URLSearchParams({ filename: "made_00001_.png", subfolder: promptId })}`);
    for (const dest of ["image", "empty"]) {
      const shown = await asPage({ path: view, headers: { "sec-fetch-dest": dest } });
      assert.deepEqual([shown.status, headerOf(shown, "content-type")], [200, "image/png"], dest);
      assert.match(headerOf(shown, "content-security-policy") ?? "", /sandbox/);
    }
    for (const dest of ["document", "iframe", "script", "worker", "embed"]) {
      const led = await asPage({ path: view, headers: { "sec-fetch-dest": dest } });
      assert.equal(led.status, 302, dest);
      assert.notEqual(new URL(headerOf(led, "location") ?? "").origin, app.baseUrl);
    }
    socket.terminate();
  });

  test("a session that ends is out with the next request, and its socket is closed", async () => {
    const guest = await addTenant(app, "Guest");
    const socket = openSocket({ cookie: guest.cookie, origin: app.baseUrl }, guest.workspaceId);
    await once(socket, "open");
    const closed = once(socket, "close");
    const ended = await asPage({ method: "POST", path: "/profile/sign-out" }, guest);
    assert.ok(ended.status < 400, ended.text);
    await closed;
    assert.equal((await asPage({ path: at("/api/jobs", guest.workspaceId) }, guest)).status, 401);
  });
});

function openSocket(headers: Readonly<Record<string, string>>, workspaceId = app.workspaceId): WebSocket {
  return new WebSocket(`${app.baseUrl.replace("http", "ws")}${at("/ws", workspaceId)}?clientId=tab-1`, { headers });
}

async function openingOf(headers: Readonly<Record<string, string>>): Promise<number> {
  const socket = openSocket(headers);
  // The library calls giving up an error.
  socket.on("error", () => undefined);
  const [, answer] = await once(socket, "unexpected-response");
  socket.terminate();
  return answer.statusCode;
}
