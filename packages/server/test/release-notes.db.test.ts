// Dated release notes of what this server offers, over HTTP: from a model's release to a version's deprecation.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bearer, headerOf, listOf, memberOf } from "./support/app-client.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
before(async () => {
  app = await testApp({ env: { ATELIER_SECURITY_CONTACT: "mailto:security@example.org" } });
});
after(() => app.close());

const notes = async () => listOf((await app.call({ path: "/release-notes.json" })).json(), "server");

test("this server's badges and partner tools are in the notes with their date, without anyone writing them down", async () => {
  const found = await until("the first notes", async () => {
    const all = await notes();
    return ["partner_tool", "badge"].every((kind) => all.some((note) => memberOf(note, "kind") === kind)) ? all : null;
  });
  assert.ok(found.every((note) => /^\d{4}-.*Z$/.test(String(memberOf(note, "at")))));
  assert.ok(found.some((note) => String(memberOf(note, "subject")).startsWith("partner-a/")));
});

test("a stranger learns where to report a security problem", async () => {
  const answer = await app.call({ path: "/.well-known/security.txt" });
  assert.equal(answer.status, 200);
  assert.equal(headerOf(answer, "content-type"), "text/plain; charset=utf-8");
  assert.match(answer.text, /^Contact: mailto:security@example\.org$/m);
  assert.match(answer.text, new RegExp(`^Canonical: ${app.baseUrl}/\\.well-known/security\\.txt$`, "m"));
});

test("they come as Markdown, HTML, JSON and Atom, to anyone", async () => {
  const types: readonly (readonly [string, string])[] = [
    ["markdown", "text/markdown"],
    ["html", "text/html"],
    ["json", "application/json"],
    ["atom", "application/atom+xml"],
  ];
  for (const [format, type] of types) {
    const answer = await app.call({ path: `/release-notes?format=${format}` });
    assert.equal(answer.status, 200);
    assert.match(headerOf(answer, "content-type") ?? "", new RegExp(`^${type.replace("+", "\\+")}`));
    assert.match(answer.text, /partner-a/);
  }
  assert.equal((await app.call({ path: "/release-notes?format=pdf" })).status, 400);
});

test("a version that its publisher deprecates has its dates, sends them in headers, and is in the notes", async () => {
  const call = (method: string, path: string, body?: object) =>
    app.call({ method, path, headers: bearer(app.key), ...(body ? { body } : {}) });
  assert.equal((await call("POST", "/publishers", { id: "noted", name: "Noted" })).status, 201);
  const node = { id: "noted-node", name: "Noted" };
  assert.equal((await call("POST", "/publishers/noted/nodes", node)).status, 201);
  const announced = await call("POST", "/publishers/noted/nodes/noted-node/versions", {
    node,
    node_version: { version: "1.0.0" },
  });
  assert.equal(announced.status, 201, announced.text);
  const id = String(memberOf(announced.json(), "node_version", "id"));
  const path = `/publishers/noted/nodes/noted-node/versions/${id}`;
  const sunset = "2126-01-01T00:00:00.000Z";
  assert.equal((await call("PUT", path, { sunset_at: sunset })).status, 400, "only with deprecated");
  assert.equal((await call("PUT", path, { deprecated: true, sunset_at: sunset })).status, 200);
  const read = await call("GET", "/nodes/noted-node/versions/1.0.0");
  assert.equal(memberOf(read.json(), "sunset_at"), sunset);
  assert.match(headerOf(read, "deprecation") ?? "", /^@\d+$/);
  assert.equal(headerOf(read, "sunset"), "Tue, 01 Jan 2126 00:00:00 GMT");
  assert.equal((await call("PUT", path, { deprecated: false })).status, 200);
  const back = await call("GET", "/nodes/noted-node/versions/1.0.0");
  assert.deepEqual([memberOf(back.json(), "deprecated_at"), headerOf(back, "deprecation")], [undefined, undefined]);
});
