// Secrets never reach logs, metrics or error bodies. Canaries of every kind are put into every header, query and body
// position of every route. Afterwards nothing that was logged at the finest level, measured or said in an error contains
// one of them, and the database holds no issued secret in clear.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import type { Operation } from "@atelier/contract";
import { generateKey } from "../src/capabilities/identity/api-key.ts";
import { type AppAnswer, type AppRequest, bearer, textOf } from "./support/app-client.ts";
import { callerFor, mountedIn } from "./support/app-operations.ts";
import { addTenant, form, owner, ownPage, type Tenant } from "./support/app-people.ts";
import { prefixes } from "./support/app-prefixes.ts";
import { aBadgeRow, exampleCalls } from "./support/example-calls.ts";
import { sendRaw } from "./support/raw-http.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { dumpOf } from "./support/test-dump-store.ts";

const random = () => randomBytes(32).toString("base64url");
const bootstrapKey = `service-bootstrap-${random()}`;
let app: TestApp;
let person: Tenant;
let mounted: readonly Operation[];
// Error bodies, each with its request.
const refusals: { request: string; answer: AppAnswer }[] = [];
// Secrets that the app issued during the test.
const issued = new Set<string>();
const issuedBy = new Set<string>();

before(async () => {
  app = await testApp({ logLevel: "debug", env: { ATELIER_BOOTSTRAP_KEY: bootstrapKey } });
  person = await owner(app);
  mounted = await mountedIn(app);
});
after(() => app.close());

// Invented secrets, shaped like each kind that people paste into the wrong place.
const invented: Readonly<Record<string, string>> = {
  "an API key": generateKey(),
  "an operator's own key": `service-${random()}`,
  "an admin token": `admin-${random()}`,
  "a worker's token": `worker-${random()}`,
  "an identity token": `eyJhbGciOiJFZERTQSJ9.${Buffer.from(`{"sub":"${random()}"}`).toString("base64url")}.${random()}`,
  "a sign-in token": random(),
  "a webhook secret": `whsec_${randomBytes(32).toString("base64")}`,
  "a partner's key": `sk-live-${random()}`,
  "a session": random(),
};

// Usable secrets: good credentials in the wrong place must not show either.
const usable = () => ({
  "the bootstrap key": bootstrapKey,
  "the environment's admin token": app.adminToken,
  "a worker's usable token": app.workerToken,
  "the owner's token": person.jwt,
  "the owner's session": person.cookie.split("=")[1] ?? "",
  "the used sign-in link": app.signInToken,
});

// Which canaries an operation gets. A text without a shape that the log would mask goes into every position of every
// operation, so it finds everything that repeats its input. Every other kind goes into every position of every area, once
// for each sort of caller: how a credential is handled does not depend on the operation behind it.
const shapeless = "a sign-in token";
const metBy = new Set<string>();
function canariesFor({ tag, access }: Operation): readonly string[] {
  const all = { ...invented, ...usable() };
  const side = `${tag} ${access}`;
  const isFirst = !metBy.has(side);
  metBy.add(side);
  return Object.entries(all).flatMap(([name, canary]) => (isFirst || name === shapeless ? [canary] : []));
}

async function send(request: AppRequest): Promise<AppAnswer> {
  const answer = await app.call(request);
  if (answer.status >= 400) refusals.push({ request: `${request.method} ${request.path}`, answer });
  return answer;
}

const issuedByName = () => Object.fromEntries([...issued].map((one) => [`issued ${one.slice(0, 12)}`, one]));
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

// Every position of a request that holds text, with one canary in all of them.
function* positions(operation: Operation, canary: string): Generator<AppRequest> {
  const { method } = operation;
  const path = operation.path.replaceAll(/\{\w+\}/g, "00000000-0000-7000-8000-000000000000");
  const inPath = operation.path.replaceAll(/\{\w+\}/g, encodeURIComponent(canary));
  const caller = callerFor(operation, app, person);
  const query = new URLSearchParams({
    key: canary,
    token: canary,
    cursor: canary,
    app_version: canary,
    platform: canary,
    [canary]: "1",
  });
  for (const headers of [
    bearer(canary),
    { "x-api-key": canary },
    { authorization: canary },
    { cookie: `atelier_session=${canary}` },
  ]) {
    yield { method, path, headers };
  }
  const everywhere = Object.fromEntries(headerLeaks.map((name) => [name, canary]));
  yield { method, path, headers: { ...everywhere, ...caller } };
  yield { method, path: inPath, headers: caller };
  yield { method, path: `${path}?${query}`, headers: caller };
  yield { method, path: `${path}?${query}` };
  if (method === "GET") return;
  const members = [
    "name",
    "secret",
    "token",
    "webhook_url",
    "role",
    "expires_at",
    "reason",
    "owner_id",
    "person_id",
    "node_id",
    "personal_access_token",
    "credential",
    canary,
  ];
  yield { method, path, headers: caller, body: Object.fromEntries(members.map((name) => [name, canary])) };
  const named = { name: canary, value: canary, badge: { engine: canary, expr: canary } };
  // Twice, because a name that is taken is refused.
  yield { method, path, headers: caller, body: named };
  yield { method, path, headers: caller, body: named };
  const row = aBadgeRow("ANode", `"${canary}" & widgets.unknown`);
  yield { method, path, headers: caller, body: { ...row, until_version: canary, probes: canary } };
  yield {
    method,
    path,
    headers: { ...caller, "content-type": "application/json" },
    body: `{"name": "${canary}", ${canary}`,
  };
  yield { method, path, headers: { ...caller, "content-type": canary.replaceAll(/[^\w-]/g, "") }, body: canary };
  const { text, type } = form({ csrf: canary, name: canary, workspace_id: canary, scopes: canary });
  yield { method, path, headers: { ...caller, ...type }, body: text };
}

const headerLeaks = [
  "user-agent",
  "referer",
  "idempotency-key",
  "if-none-match",
  "accept",
  "x-service-request-id",
  "x-service-job-id",
  "range",
  "x-forwarded-for",
  "x-anything",
];

// A request may legitimately store or echo a name. A canary in a value that the caller may read back is not a leak; in an
// error it is.
function found(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) =>
      [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")].some((form) => text.includes(form)),
    )
    .map(([name]) => name);
}

// Keys, admin and worker tokens, webhook secrets, links, and everything that an answer itself calls a token or a secret.
const issuedShape =
  /service-(?:token_)?[0-9A-Za-z]{8}_[0-9A-Za-z]{38}|(?:admin|worker)-[\w-]{43}|whsec_[\w+/=-]{20,}|(?<=\/sign-in\/)[\w-]{43}|(?<="(?:token|secret)":")[^"]{20,}/g;
const makers = [
  "createKey",
  "rotateKey",
  "createAdminToken",
  "createWorkerToken",
  "createPublisherToken",
  "createIdentityToken",
  "rotateWebhookSecret",
  "createWebhookEndpoint",
  "rotateWebhookEndpointSecret",
  "addMember",
];

test("everything the app issues is used once", async () => {
  issued
    .add(app.signInToken)
    .add(person.jwt)
    .add(person.cookie.split("=")[1] ?? "");
  for (const operation of mounted) {
    const example = exampleCalls[operation.id];
    assert.ok(example);
    const answer = await app.call(await example.make({ app, owner: person }));
    for (const secret of answer.text.match(issuedShape) ?? []) {
      issued.add(secret);
      issuedBy.add(operation.id);
      // Use the secret, so that it has passed through authentication as well.
      await send({ path: "/account", headers: bearer(secret) });
      await send({ path: "/admin/audit", headers: bearer(secret) });
    }
  }
  const guest = await addTenant(app, "Mallory");
  issued
    .add(guest.key)
    .add(guest.jwt)
    .add(guest.cookie.split("=")[1] ?? "");
  const token = await app.call({ method: "POST", path: "/account/tokens", headers: ownPage(app, guest.cookie) });
  issued.add(textOf(token.json(), "token"));
  // Credentials that a workspace entered itself (provider-example-calls.ts).
  issued.add("own-key-123").add("own-key-456");
  assert.ok(issued.size > 10, `${issued.size} secrets were issued`);
  for (const id of makers) assert.ok(issuedBy.has(id), `the secret that ${id} gives is known to this test`);
});

// Runs before the canaries: a caller that names a key after a secret has that name stored as sent.
test("a dump of the database contains no issued key, token, link or session in clear text", async () => {
  const dump = await dumpOf(app.database);
  assert.ok(dump.includes(sha256(bootstrapKey)), "the dump shows what is stored: hashes");
  assert.deepEqual(found(dump, { ...usable(), ...issuedByName() }), []);
});

test("canaries in every position of every route", async () => {
  // Writes have more positions, so an area's first operation is a write.
  for (const operation of mounted.toSorted((a, b) => Number(a.method === "GET") - Number(b.method === "GET"))) {
    for (const canary of canariesFor(operation)) {
      // Signing out or leaving with the good session would end it for the rest.
      await Promise.all([...positions(operation, canary)].map(send));
    }
  }
  for (const { prefix } of prefixes) {
    for (const canary of Object.values({ ...invented, ...usable() })) {
      const path = `${prefix}/${encodeURIComponent(canary)}?token=${encodeURIComponent(canary)}`;
      const body = { api_key_service: canary, secret: canary };
      const both = [bearer(canary), { "x-api-key": canary }].flatMap((headers) => [
        { path, headers },
        { method: "POST", path: `${prefix}/x`, headers, body },
      ]);
      await Promise.all(both.map(send));
    }
  }
  assert.ok(refusals.length > 3_000, `${refusals.length} refusals`);
});

test("canaries in requests that are refused before routing", async () => {
  const host = `127.0.0.1:${app.port}`;
  for (const canary of Object.values(invented)) {
    for (const form of [
      `GET /v1/${canary} HTTP/1.1\r\nHost: ${canary}\r\nAuthorization: Bearer ${canary}\r\n\r\n`,
      `GET /v1/models HTTP/1.1\r\nHost: ${host}\r\nOrigin: https://${canary}\r\n\r\n`,
      `GET /${canary} HTTP/1.0\r\nX-API-Key: ${canary}\r\n\r\n`,
      `GET /v1 HTTP/1.1\r\nHost: ${host}\r\n${canary}\r\nX-API-Key: ${canary}\r\n\r\n`,
      `${canary}\r\n\r\n`,
    ]) {
      const raw = await sendRaw(app.port, form, 20);
      const answer = { ...raw, bytes: Buffer.from(raw.body), text: raw.all, json: () => null };
      refusals.push({ request: form, answer });
    }
  }
});

const everySecret = () => ({ ...invented, ...usable(), ...issuedByName() });

test("no log line, at the finest level, contains any of them", () => {
  assert.ok(app.logged.length > 1_000, `${app.logged.length} lines`);
  assert.deepEqual(found(app.logged.join(""), everySecret()), []);
});

test("every log line is one JSON object", () => {
  for (const line of app.logged) assert.equal(typeof JSON.parse(line), "object");
});

test("no metric contains any of them", async () => {
  const { text } = await app.call({ path: "/metrics", headers: bearer(app.adminToken) });
  assert.match(text, /atelier_http_requests_total/);
  assert.deepEqual(found(text, everySecret()), []);
});

test("no error body contains any of them", () => {
  const leaks = refusals.flatMap(({ request, answer }) =>
    found(answer.text, everySecret()).map(
      (name) => `${name} in the answer to ${request}: ${answer.text.slice(0, 400)}`,
    ),
  );
  assert.deepEqual(leaks.slice(0, 5), []);
});
