// Decisions, section 1: envelopes by prefix, one tested table; what every answer carries, and what every error carries.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { GenericError } from "@atelier/contract";
import { identifier, sql } from "../src/foundation/database/index.ts";
import { isUuid } from "../src/foundation/ids.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { type AppAnswer, bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { owner, ownPage, type Tenant } from "./support/app-people.ts";
import { elsewhere, type Prefix, prefixes } from "./support/app-prefixes.ts";
import { sendRaw } from "./support/raw-http.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { testDatabase } from "./support/test-database.ts";
import { testWire } from "./support/test-postgres-proxy.ts";

let app: TestApp;
let person: Tenant;
before(async () => {
  app = await testApp();
  person = await owner(app);
});
after(() => app.close());

const table = [...prefixes, elsewhere];
const credentialOf = ({ callers }: Prefix): Record<string, string> => {
  if (callers === "public") return {};
  return bearer(callers === "admin" ? app.adminToken : callers === "worker" ? app.workerToken : app.key);
};

function assertEnvelope(answer: AppAnswer, envelope: Prefix["envelope"], what: string): void {
  if (envelope === "page") {
    assert.equal(headerOf(answer, "content-type"), "text/html; charset=utf-8", what);
    assert.match(answer.text, /^<!doctype html>/, what);
    return;
  }
  assert.equal(headerOf(answer, "content-type"), "application/json; charset=utf-8", what);
  const body = answer.json();
  assert.ok(typeof body === "object" && body !== null, what);
  const members = Object.keys(body).filter((name) => name !== "details");
  if (envelope === "router") {
    assert.deepEqual(members, ["detail", "error_type"], what);
    assert.equal(typeof memberOf(body, "detail"), "string", what);
    assert.equal(memberOf(body, "error_type"), headerOf(answer, "x-service-error-type"), what);
  } else if (envelope === "json-rpc") {
    const { jsonrpc, id, error } = body as {
      jsonrpc?: unknown;
      id?: unknown;
      error?: { code?: unknown; message?: unknown };
    };
    assert.deepEqual([jsonrpc, id, typeof error?.code, typeof error?.message], ["2.0", null, "number", "string"], what);
  } else if (envelope === "v2") {
    assert.deepEqual(members, ["error"], what);
    assert.match(String(memberOf(body, "error", "code")), /^[a-z_]+$/, what);
    assert.equal(typeof memberOf(body, "error", "message"), "string", what);
  } else {
    assert.deepEqual(members, ["error", "message"], what);
    assert.match(String(memberOf(body, "error")), /^[a-z_]+$/, what);
    assert.equal(typeof memberOf(body, "message"), "string", what);
  }
}

// headerOf checks that each appears once.
function assertAlways(answer: Pick<AppAnswer, "headers" | "status">, what: string): string {
  const id = headerOf(answer, "x-service-request-id") ?? "";
  assert.ok(isUuid(id), `${what} has the request id ${id}`);
  assert.equal(headerOf(answer, "x-content-type-options"), "nosniff", what);
  if (answer.status >= 400) assert.equal(headerOf(answer, "cache-control"), "no-store", what);
  return id;
}

function assertBucketOnlyUnderRouter(answer: Pick<AppAnswer, "headers" | "status">, { prefix }: Prefix, what: string) {
  const bucket = headerOf(answer, "x-service-error-type");
  if (prefix === "/v1") assert.match(bucket ?? "", /^[a-z_]+$/, what);
  else assert.equal(bucket, undefined, what);
}

for (const each of table) {
  test(`errors below ${each.prefix} come in the ${each.envelope} envelope`, async () => {
    const path = `${each.prefix}/a/b/c/d`;
    const answers = [await app.call({ path }), await app.call({ path, headers: credentialOf(each) })];
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses, each.callers === "public" ? [404, 404] : [401, 404]);
    for (const answer of answers) {
      assertEnvelope(answer, each.envelope, path);
      assertAlways(answer, path);
      assertBucketOnlyUnderRouter(answer, each, path);
    }
  });
}

test("every answer has its own request id and nosniff, good or bad", async () => {
  const seen = new Set<string>();
  const badges = "/nodes/pricing/badges?app_version=1.2.3&platform=local";
  const etag = headerOf(await app.call({ path: badges }), "etag") ?? "";
  const preflight = { origin: "https://studio.example", "access-control-request-method": "GET" };
  const session = ownPage(app, person.cookie);
  const requests: readonly [number, Parameters<TestApp["call"]>[0]][] = [
    [200, { path: badges }],
    [200, { method: "HEAD", path: badges }],
    [304, { path: badges, headers: { "if-none-match": etag } }],
    [204, { method: "OPTIONS", path: "/nodes/pricing/badges", headers: preflight }],
    [400, { path: "/nodes/pricing/badges" }],
    [405, { method: "POST", path: badges }],
    [200, { path: "/health" }],
    [200, { path: "/docs" }],
    [200, { path: "/openapi.json" }],
    [200, { path: "/account/sessions", headers: session }],
    [403, { method: "POST", path: "/profile/sign-out", headers: { cookie: person.cookie } }],
    [200, { path: "/metrics", headers: bearer(app.adminToken) }],
    [200, { path: "/account", headers: bearer(app.key) }],
    [400, { method: "POST", path: "/account/keys", headers: bearer(app.key), body: {} }],
    [404, { method: "DELETE", path: "/account/keys/x", headers: bearer(app.key) }],
    [413, { method: "POST", path: "/account/keys", headers: bearer(app.key), body: { name: "x".repeat(2 ** 20) } }],
  ];
  for (const [status, request] of requests) {
    const answer = await app.call(request);
    assert.equal(answer.status, status, `${request.path}: ${answer.text}`);
    seen.add(assertAlways(answer, `${status} ${request.path}`));
  }
  assert.equal(seen.size, requests.length, "no request id came twice");
});

test("an unknown expectation is ignored: the answer is the area's own", async () => {
  const head = `GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nExpect: miracles\r\n`;
  const raw = await sendRaw(app.port, `${head}Connection: close\r\n\r\n`, 30);
  assert.deepEqual([raw.status, raw.headers["x-service-error-type"]], [401, "unauthorized"], raw.all);
  assertAlways(raw, "Expect");
});

test("a caller's own request id is never adopted", async () => {
  const own = "11111111-1111-4111-8111-111111111111";
  for (const { prefix } of table) {
    const answer = await app.call({ path: prefix, headers: { "x-service-request-id": own, "x-request-id": own } });
    assert.notEqual(assertAlways(answer, prefix), own);
    assert.ok(!answer.text.includes(own));
  }
});

describe("an error before routing is generic, with the bucket under /v1", () => {
  const forms: readonly [string, number, (path: string) => string][] = [
    ["a foreign Host", 421, (path) => `GET ${path} HTTP/1.1\r\nHost: studio.example\r\n\r\n`],
    ["our Host with another port", 421, (path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n`],
    ["two Hosts", 400, (path) => `GET ${path} HTTP/1.1\r\nHost: ${host()}\r\nHost: ${host()}\r\n\r\n`],
    ["no Host", 400, (path) => `GET ${path} HTTP/1.1\r\n\r\n`],
    ["HTTP/1.0", 400, (path) => `GET ${path} HTTP/1.0\r\nHost: ${host()}\r\n\r\n`],
    [
      "a page of another origin",
      403,
      (path) => `GET ${path} HTTP/1.1\r\nHost: ${host()}\r\nOrigin: https://evil.example\r\n\r\n`,
    ],
    [
      "a page of another site",
      403,
      (path) => `POST ${path} HTTP/1.1\r\nHost: ${host()}\r\nSec-Fetch-Site: cross-site\r\n\r\n`,
    ],
    ["a header without a colon", 400, (path) => `GET ${path} HTTP/1.1\r\nHost: ${host()}\r\nNonsense\r\n\r\n`],
    [
      "headers that are too long",
      431,
      (path) => `GET ${path} HTTP/1.1\r\nHost: ${host()}\r\nX-Long: ${"x".repeat(17 * 1024)}\r\n\r\n`,
    ],
  ];
  const host = () => `127.0.0.1:${app.port}`;
  for (const [name, status, form] of forms) {
    test(name, async () => {
      for (const each of table) {
        const path = `${each.prefix}/x`;
        const raw = await sendRaw(app.port, form(path), 30);
        assert.equal(raw.status, status, raw.all);
        const answer = { ...raw, bytes: Buffer.from(raw.body), text: raw.body, json: () => JSON.parse(raw.body) };
        assertEnvelope(answer, "generic", `${name} at ${path}`);
        assertAlways(answer, `${name} at ${path}`);
        assertBucketOnlyUnderRouter(answer, each, `${name} at ${path}`);
        assert.equal(raw.headers["connection"], "close", name);
        // A record of headers would show a header that was written twice only once.
        for (const once of ["x-service-request-id", "x-service-error-type", "cache-control"]) {
          assert.ok(raw.all.toLowerCase().split(`\r\n${once}:`).length <= 2, `${once} at ${path}`);
        }
      }
    });
  }

  test("oversized headers are answered as openapi.json declares 431", async () => {
    const document: unknown = (await app.call({ path: "/openapi.json" })).json();
    const declared = memberOf(document, "paths", "/v1/models", "get", "responses", "431", "$ref");
    assert.equal(declared, "#/components/responses/HeadersTooLarge");
    const response = memberOf(document, "components", "responses", "HeadersTooLarge");
    const head = `GET /v1/models HTTP/1.1\r\nHost: ${host()}\r\n`;
    const raw = await sendRaw(app.port, `${head}X-Long: ${"x".repeat(17 * 1024)}\r\n\r\n`, 30);
    assert.equal(raw.status, 431, raw.all);
    assert.deepEqual(Object.keys(Object(memberOf(response, "content"))), [raw.headers["content-type"]?.split(";")[0]]);
    assert.match(textOf(response, "content", "application/json", "schema", "$ref"), /\/GenericError$/);
    assert.equal(requireValid(GenericError, JSON.parse(raw.body)).error, "header_fields_too_large");
    for (const name of Object.keys(Object(memberOf(response, "headers"))))
      assert.ok(raw.headers[name.toLowerCase()] !== undefined, name);
  });

  test("something that is not HTTP/1.1 gets the generic body and a closed connection", async () => {
    const head = `GET /v1/models HTTP/1.1\r\nHost: ${host()}\r\n`;
    const broken: readonly [number, string][] = [
      [400, "GET / HTTP/9.9\r\n\r\n"],
      [400, `GET http://${host()}/health HTTP/1.1\r\nHost: ${host()}\r\n\r\n`],
      [
        400,
        `POST /health HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ],
      [400, `POST /health HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`],
      [400, `${head}X-Folded: a\r\n b\r\n\r\n`.replace("\r\n b", "\n\n b")],
      [431, `${head}X-Long: ${"x".repeat(17 * 1024)}\r\n\r\n`],
    ];
    for (const [status, form] of broken) {
      const raw = await sendRaw(app.port, form, 30);
      assert.equal(raw.status, status, `${form.slice(0, 60)} → ${raw.all}`);
      assert.deepEqual(Object.keys(JSON.parse(raw.body)), ["error", "message"]);
      assertAlways(raw, form.slice(0, 40));
      assert.equal(raw.headers["connection"], "close");
    }
  });
});

test("an internal failure keeps its text to itself, in every envelope", async () => {
  const broken = await testApp();
  try {
    // An unexpected failure: the table of keys is gone.
    await broken.database.execute(sql`alter table ${identifier("api_keys")} rename to ${identifier("api_keys_away")}`);
    for (const each of prefixes.filter(({ callers }) => callers === "key")) {
      const answer = await broken.call({ path: `${each.prefix}/x`, headers: bearer(broken.key) });
      assert.equal(answer.status, 500, `${each.prefix}: ${answer.text}`);
      assertEnvelope(answer, each.envelope, each.prefix);
      assertAlways(answer, each.prefix);
      assertBucketOnlyUnderRouter(answer, each, each.prefix);
      assert.doesNotMatch(answer.text, /api_keys|relation|select|pg|stack|\.ts/i);
      const id = headerOf(answer, "x-service-request-id") ?? "";
      const line = broken.logged.find((one) => one.includes(id)) ?? "";
      assert.match(line, /api_keys/, "the log has the reason under the request id");
    }
  } finally {
    await broken.close();
  }
});

test("while the database is away the answer is 503 with Retry-After, in every envelope", async () => {
  const database = await testDatabase();
  const wire = await testWire(database.url);
  const lonely = await testApp({ database, logLevel: "silent", env: { DATABASE_URL: wire.url } });
  try {
    await wire.close();
    for (const each of prefixes.filter(({ callers }) => callers === "key")) {
      const answer = await lonely.call({ path: `${each.prefix}/x`, headers: bearer(lonely.key) });
      assert.equal(answer.status, 503, `${each.prefix}: ${answer.text}`);
      assert.match(headerOf(answer, "retry-after") ?? "", /^[1-9]\d*$/);
      assertEnvelope(answer, each.envelope, each.prefix);
      assertAlways(answer, each.prefix);
    }
    const badges = await lonely.call({ path: "/nodes/pricing/badges?app_version=1.2.3&platform=local" });
    assert.equal(badges.status, 200, "price badges go on from the last map");
  } finally {
    await lonely.close();
  }
});
