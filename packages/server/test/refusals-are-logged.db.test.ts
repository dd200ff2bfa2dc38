// A refused request leaves a log line that says who sent it, as far as known: address, path, key. It never contains a
// secret, and there are never so many lines that a disk fills.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bearer, headerOf, textOf } from "./support/app-client.ts";
import { sendRaw } from "./support/raw-http.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let scoped: { readonly id: string; readonly secret: string };
let revoked: { readonly id: string; readonly secret: string };

before(async () => {
  app = await testApp();
  scoped = await newKey(["account"]);
  revoked = await newKey(["account", "models"]);
  const gone = await app.call({ method: "DELETE", path: `/account/keys/${revoked.id}`, headers: bearer(app.key) });
  assert.equal(gone.status, 200, gone.text);
});
after(() => app.close());

async function newKey(scopes: readonly string[]) {
  const body = { name: "a key", scopes };
  const made = await app.call({ method: "POST", path: "/account/keys", headers: bearer(app.key), body });
  assert.equal(made.status, 201, made.text);
  return { id: textOf(made.json(), "id"), secret: textOf(made.json(), "secret") };
}

function lineOf(requestId: string | undefined): Readonly<Record<string, unknown>> {
  const found = app.logged.filter((line) => requestId !== undefined && line.includes(requestId));
  assert.equal(found.length, 1, found.join(""));
  return JSON.parse(found[0] ?? "{}");
}

const peer = "203.0.113.7";

async function refused(request: Parameters<TestApp["call"]>[0]) {
  const answer = await app.call({ peer, ...request });
  const { level, status, path, peer: seen, keyId, workspaceId } = lineOf(headerOf(answer, "x-service-request-id"));
  assert.deepEqual([level, status, seen], ["info", answer.status, peer], answer.text);
  return { status: answer.status, path, keyId, workspaceId };
}

test("401: an unknown key has no owner, a revoked one is named by its id", async () => {
  const path = "/v1/models";
  const unknown = `${revoked.secret.slice(0, -8)}00000000`;
  assert.deepEqual(await refused({ path, headers: bearer(unknown) }), {
    status: 401,
    path,
    keyId: undefined,
    workspaceId: undefined,
  });
  const { workspaceId } = app;
  const known = { status: 401, path, keyId: revoked.id, workspaceId };
  assert.deepEqual(await refused({ path, headers: bearer(revoked.secret) }), known);
});

test("403: a key without the scope is named, even though the area never saw its caller", async () => {
  const path = "/v1/models";
  const { workspaceId } = app;
  assert.deepEqual(await refused({ path, headers: bearer(scoped.secret) }), {
    status: 403,
    path,
    keyId: scoped.id,
    workspaceId,
  });
});

test("404 and 413 name key and path; secrets in a path are cut", async () => {
  const path = "/account/nothing-here";
  assert.deepEqual(await refused({ path, headers: bearer(scoped.secret) }), {
    status: 404,
    path,
    keyId: scoped.id,
    workspaceId: app.workspaceId,
  });
  const large = await refused({
    method: "POST",
    path: "/account/keys",
    headers: { ...bearer(scoped.secret), "content-type": "application/json" },
    body: Buffer.alloc(2 * 1024 * 1024, 32),
  });
  assert.deepEqual([large.status, large.keyId], [413, scoped.id]);
  const { path: shown } = await refused({ path: `/nowhere/${"s3cret".repeat(10)}` });
  assert.equal(shown, "/nowhere/s3cret…");
});

test("421: a refusal by the guard is logged with the client's address, not its proxy's", async () => {
  const text = `GET /v1/models HTTP/1.1\r\nHost: elsewhere.example\r\nX-Forwarded-For: ${peer}\r\n\r\n`;
  const { status, headers } = await sendRaw(app.port, text);
  const line = lineOf(headers["x-service-request-id"]);
  assert.deepEqual([status, line["status"], line["peer"], line["path"]], [421, 421, peer, "/v1/models"]);
});

test("an unparseable request gets a line too, with the connection's address", async () => {
  const { headers } = await sendRaw(app.port, "get /v1/models HTTP/1.1\r\n\r\n");
  const line = lineOf(headers["x-service-request-id"]);
  assert.deepEqual([line["status"], line["peer"], line["path"]], [400, "127.0.0.1", "/v1/models"]);
});

test("429, and a flood: its lines are bounded, the rest is reported and counted, others are still seen", async () => {
  const flooder = "198.51.100.9";
  const mark = app.logged.length;
  const attack = () => app.call({ path: "/v1/models", headers: bearer("service-wrong"), peer: flooder });
  const statuses = new Map<number, number>();
  for (let round = 0; round < 10; round++)
    for (const { status } of await Promise.all(Array.from({ length: 20 }, attack)))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  assert.deepEqual([statuses.get(401), statuses.get(429)], [50, 150]);
  const lines = app.logged.slice(mark).filter((line) => line.includes(flooder));
  // A burst of thirty, and one more for each second that this took.
  assert.ok(lines.length >= 30 && lines.length < 150, String(lines.length));
  assert.ok(app.logged.slice(mark).some((line) => line.includes("more requests were refused than are logged")));
  assert.equal((await refused({ path: "/v1/models" })).status, 401);
  const page = await app.call({ path: "/metrics", headers: bearer(app.adminToken) });
  const unlogged = Number(/^atelier_refusals_unlogged_total (\d+)$/m.exec(page.text)?.[1]);
  assert.equal(unlogged, 200 - lines.length);
});

test("none of the lines contains a credential", () => {
  const all = app.logged.join("");
  for (const { secret } of [scoped, revoked]) assert.ok(!all.includes(secret.slice(16)));
});
