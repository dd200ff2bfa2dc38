// No one gets in without a credential. The list of operations comes from the running app, so a route that is mounted
// without a guard fails here.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Operation } from "@atelier/contract";
import { generateKey } from "../src/capabilities/identity/api-key.ts";
import { type AppAnswer, bearer, headerOf, memberOf } from "./support/app-client.ts";
import { anyPath, callerFor, mountedIn } from "./support/app-operations.ts";
import { addTenant, owner, ownPage, type Tenant } from "./support/app-people.ts";
import { type Prefix, prefixes } from "./support/app-prefixes.ts";
import { exampleCalls } from "./support/example-calls.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

// Everything that answers without a credential, and why.
const publicOperations: Readonly<Record<string, string>> = {
  getBadges: "Spec, Price badges: no authentication",
  getIndex: "where the documents are is no secret",
  getHealth: "touches nothing, tells a network fault from an outage",
  getLiveness: "a supervisor asks it and holds no key",
  getReadiness: "a load balancer asks it and holds no key",
  getOpenApi: "the contract is no secret",
  getRegistryOpenApi: "the contract is no secret",
  getDocs: "the contract is no secret",
  listGuides: "how to use the server is no secret",
  getGuide: "how to use the server is no secret",
  getLlmsText: "the contract is no secret",
  getReleaseNotes: "what changed is no secret",
  listReleaseNotes: "what changed is no secret",
  ...Object.fromEntries(
    ["showConsole", "showConsolePage", "showConsoleThing", "showConsolePart", "showWork", "getConsoleFile"].map(
      (id) => [id, "the console's pages hold nothing of anyone's"],
    ),
  ),
  getClientPackage: "clients are installed before there is a key for them",
  getConsoleConfig: "how to sign in is asked before signing in",
  getWorkflowHealth: "a supervisor asks it and holds no key",
  receivePaymentEvent: "the payment provider holds no key of ours: the body is signed",
  receivePartnerCallback: "partners hold no key of ours: the address and the body are signed",
  ...Object.fromEntries(
    [
      ...["listNodes", "searchNodes", "dumpNodes", "getNode", "installNode", "getNodeByDescriptorName"],
      ...["listPublisherNodes", "listPublisherNodesPaged", "getPublisher", "validatePublisherId"],
      ...["listNodeVersions", "getNodeVersion", "getNodeReadme", "getNodeVersionsInBulk", "listAllVersions"],
      "getNodeCapabilities",
      ...["listDescriptors", "getDescriptor", "searchDescriptors"],
    ].map((id) => [id, "reading a registry is public; a credential only shows more"]),
  ),
  getSecurityContact: "where to report a security problem, for people who have no account",
  getKeySet: "public keys, for whoever verifies our tokens",
  validatePublisherId: "reading a registry is public",
  getPublisher: "reading a registry is public",
  listPublisherNodes: "reading a registry is public",
  listPublisherNodesPaged: "reading a registry is public",
  listNodes: "reading a registry is public",
  searchNodes: "reading a registry is public",
  dumpNodes: "reading a registry is public",
  getNode: "reading a registry is public",
  getNodeByDescriptorName: "reading a registry is public",
  installNode: "reading a registry is public",
  listNodeVersions: "reading a registry is public",
  getNodeVersion: "reading a registry is public",
  getNodeReadme: "reading a registry is public",
  getNodeCapabilities: "reading a registry is public",
  getNodeVersionsInBulk: "reading a registry is public",
  listAllVersions: "reading a registry is public",
  listDescriptors: "reading a registry is public",
  getDescriptor: "reading a registry is public",
  searchDescriptors: "reading a registry is public",
  showSignIn: "the way in",
  showApiKeys: "the console, which holds nothing of its own",
  confirmSignIn: "the way in: the link's token is the credential",
  signIn: "the way in: the link's token is the credential",
  beginOidcSignIn: "the way in: leads to the issuer",
  finishOidcSignIn: "the way in: the issuer's answer is the credential",
};

let app: TestApp;
let person: Tenant;
let mounted: readonly Operation[];
before(async () => {
  app = await testApp();
  person = await owner(app);
  mounted = await mountedIn(app);
});
after(() => app.close());

const guarded = () => mounted.filter((operation) => publicOperations[operation.id] === undefined);
const send = (
  operation: Operation,
  headers: Readonly<Record<string, string>> = {},
  method: string = operation.method,
) => app.call({ method, path: anyPath(operation), headers });

function assertUnauthorized(answer: AppAnswer, what: string): void {
  assert.equal(answer.status, 401, `${what}: ${answer.text}`);
  assert.equal(headerOf(answer, "www-authenticate"), "Bearer", what);
  assert.equal(headerOf(answer, "cache-control"), "no-store", what);
}

// None of these is a credential that we issued, or a usable one.
function wrongCredentials(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const key = generateKey();
  const misspelt = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const unsigned = `${encode({ alg: "none", typ: "at+jwt" })}.${encode({ sub: app.personId, iss: app.baseUrl })}.`;
  const [head = "", claims = "", signature = ""] = person.jwt.split(".");
  const tampered = `${head}.${claims}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
  return {
    "an unknown key": bearer(key),
    "an unknown key in X-API-Key": { "x-api-key": key },
    "a key with a wrong checksum": { "x-api-key": misspelt },
    "an unsigned token": bearer(unsigned),
    "a token with another signature": bearer(tampered),
    "an unknown admin token": bearer(`admin-${"x".repeat(43)}`),
    "a word": bearer("letmein"),
    "an empty bearer": { authorization: "Bearer " },
    "another scheme": { authorization: `Basic ${Buffer.from("admin:admin").toString("base64")}` },
    "a bad X-API-Key beside a good Authorization": { "x-api-key": misspelt, ...bearer(app.key) },
    "a session nobody has": { ...ownPage(app, `atelier_session=${"x".repeat(43)}`) },
  };
}

test("the public operations are exactly those on the list", () => {
  const declared = mounted.filter((operation) => operation.access === "public").map((operation) => operation.id);
  const listed = Object.keys(publicOperations).filter((id) => mounted.some((operation) => operation.id === id));
  assert.deepEqual(declared.sort(), listed.sort());
  assert.ok(guarded().length > 25, "the app mounts guarded operations");
});

test("public operations ask nobody for a credential", async () => {
  for (const operation of mounted.filter(({ id }) => publicOperations[id] !== undefined)) {
    const answer = await send(operation);
    assert.notEqual(answer.status, 401, operation.id);
    // A bad credential does not matter where none is needed.
    assert.equal((await send(operation, bearer("letmein"))).status, answer.status, operation.id);
  }
});

test("every other operation answers 401 without a credential, for any input", async () => {
  for (const operation of guarded()) {
    assertUnauthorized(await send(operation), operation.id);
    const body = { headers: { "content-type": "application/json" }, body: "{" };
    assertUnauthorized(await app.call({ method: operation.method, path: anyPath(operation), ...body }), operation.id);
  }
});

test("every other operation answers 401 to a wrong credential, and all wrong ones get the same words", async () => {
  for (const operation of guarded()) {
    const texts = new Set<string>();
    for (const [name, headers] of Object.entries(wrongCredentials())) {
      const answer = await send(operation, headers);
      assertUnauthorized(answer, `${operation.id} with ${name}`);
      // Pages show the request id.
      texts.add(answer.text.replaceAll(headerOf(answer, "x-service-request-id") ?? "", ""));
    }
    assert.equal(texts.size, 1, `${operation.id}: ${[...texts].join("\n")}`);
  }
});

test("operator operations refuse every API key and cookie, and the identity token of a person who is not an operator", async () => {
  const stranger = await addTenant(app, "Eve");
  const operations = guarded().filter((operation) => operation.access === "admin");
  assert.ok(operations.length > 10);
  for (const operation of operations) {
    for (const headers of [bearer(app.key), { "x-api-key": app.key }, ownPage(app, person.cookie)]) {
      assertUnauthorized(await send(operation, headers), operation.id);
    }
    assert.equal((await send(operation, bearer(stranger.jwt))).status, 403, operation.id);
  }
});

test("account operations refuse an operator's token", async () => {
  // Decisions, section 5: operators change the policy of a descriptor through the members' own operation.
  const operations = guarded().filter(
    ({ access, id }) => (access === "key" || access === "session") && id !== "updateDescriptor",
  );
  assert.ok(operations.length > 10);
  for (const operation of operations) {
    assertUnauthorized(await send(operation, bearer(app.adminToken)), operation.id);
    assertUnauthorized(await send(operation, { "x-api-key": app.adminToken }), operation.id);
  }
});

test("operations that need a browser session refuse keys and tokens", async () => {
  for (const operation of guarded().filter(({ access }) => access === "session")) {
    for (const headers of [bearer(app.key), bearer(person.jwt)]) {
      const { status } = await send(operation, headers);
      // The one session operation under /account knows the caller, and says that it needs a session.
      assert.equal(status, operation.path.startsWith("/account") ? 403 : 401, operation.id);
    }
  }
});

test("both credential headers work where a key does, and X-API-Key wins", async () => {
  for (const headers of [
    bearer(app.key),
    { "x-api-key": app.key },
    { authorization: `bearer ${app.key}` },
    { "x-api-key": app.key, ...bearer("letmein") },
    bearer(person.jwt),
  ]) {
    assert.equal((await app.call({ path: "/account", headers })).status, 200, JSON.stringify(headers));
  }
});

test("another spelling of a guarded path is guarded as well", async () => {
  for (const path of [
    "/%61ccount",
    "/account%2Fkeys",
    "/account/./keys",
    "/health/../account",
    "//account",
    "/Account",
  ]) {
    const { status } = await app.call({ path });
    assert.ok(status === 401 || status === 404, `${path} answers ${status}`);
  }
});

test("every mounted path lies below a prefix of the table, or is one of the documents", () => {
  const documents = [
    "/",
    "/health",
    "/livez",
    "/readyz",
    "/openapi.json",
    "/openapi",
    "/docs",
    "/docs/guides",
    "/docs/guides/{name}",
    "/llms.txt",
    "/release-notes",
    "/release-notes.json",
  ];
  const isBelow = (path: string, { prefix }: Prefix) => path === prefix || path.startsWith(`${prefix}/`);
  const strays = mounted.filter(
    ({ path }) => !documents.includes(path) && !prefixes.some((each) => isBelow(path, each)),
  );
  assert.deepEqual(
    strays.map(({ path }) => path),
    [],
  );
});

describe("an unknown path", () => {
  const unknown = (prefix: string) =>
    ["/nothing-here", "/a/b/c/d/e", "/%zz", "/", "/..%2f", "?a=1"].map((end) => prefix + end);
  for (const each of prefixes.filter(({ callers }) => callers !== "public")) {
    test(`below ${each.prefix} is 401 without a credential and 404 with one`, async () => {
      const token = { public: "", key: app.key, admin: app.adminToken, worker: app.workerToken }[each.callers];
      const headers = bearer(token);
      for (const path of unknown(each.prefix).filter((one) => methodsBeside(one.split("?")[0] ?? "").length === 0)) {
        for (const method of ["GET", "HEAD", "POST", "DELETE"]) {
          assertUnauthorized(await app.call({ method, path }), `${method} ${path}`);
          assertUnauthorized(await app.call({ method, path, headers: bearer("letmein") }), `${method} ${path}`);
          const answer = await app.call({ method, path, headers });
          assert.equal(answer.status, 404, `${method} ${path}`);
          if (each.prefix === "/v1") assert.equal(headerOf(answer, "x-service-error-type"), "model_not_found");
        }
      }
    });
  }

  test("below a public prefix is 404 for everybody", async () => {
    for (const { prefix } of prefixes.filter(({ callers }) => callers === "public")) {
      for (const headers of [{}, bearer("letmein"), bearer(app.key)]) {
        assert.equal((await app.call({ path: `${prefix}/a/b/c/d`, headers })).status, 404, prefix);
      }
    }
  });
});

test("a disabled router is 404 not_enabled at every path below /v1, and still 401 without a credential", async () => {
  const off = await testApp({ env: { ATELIER_ROUTER: "off" } });
  try {
    for (const path of [
      "/v1",
      "/v1/models",
      "/v1/models/sandbox/image-1",
      "/v1/models/a/b/openapi.json",
      "/v1/x/y/z",
    ]) {
      for (const method of ["GET", "POST", "PUT"]) {
        assertUnauthorized(await off.call({ method, path }), path);
        const answer = await off.call({ method, path, headers: bearer(off.key) });
        assert.deepEqual(
          [answer.status, memberOf(answer.json(), "error_type")],
          [404, "not_enabled"],
          `${method} ${path}`,
        );
        assert.equal(headerOf(answer, "x-service-error-type"), "not_enabled");
      }
    }
  } finally {
    await off.close();
  }
});

test("HEAD answers wherever GET does, with the same status and no body", async () => {
  for (const operation of mounted.filter(({ method }) => method === "GET")) {
    const example = exampleCalls[operation.id];
    assert.ok(example, `${operation.id} has an example`);
    const request = await example.make({ app, owner: person });
    const [get, head] = [await app.call(request), await app.call({ ...request, method: "HEAD" })];
    assert.equal(head.status, get.status, operation.id);
    assert.equal(head.bytes.length, 0, operation.id);
    assert.equal(headerOf(head, "content-type"), headerOf(get, "content-type"), operation.id);
    if (get.bytes.length > 0) assert.notEqual(headerOf(head, "content-length"), "0", operation.id);
    if (operation.access !== "public") assertUnauthorized(await send(operation, {}, "HEAD"), operation.id);
  }
});

test("an unknown method on a path is 405 with Allow, behind the same guard", async () => {
  const byPath = Map.groupBy(mounted, (operation) => operation.path);
  for (const [path, operations] of byPath) {
    const known = operations.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).sort();
    const [first] = operations;
    assert.ok(first);
    // Two operations on one path may have different guards; the table of paths has one entry.
    const isOpen = prefixOf(path)?.callers === "public" || prefixOf(path) === undefined;
    // A path with a parameter at this position may accept the method; Allow is about this path only.
    const beside = methodsBeside(anyPath(first));
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter(
      (one) => !known.includes(one),
    )) {
      if (method === "OPTIONS" && path.startsWith("/api/v2/uploads")) continue;
      const answer = await send(first, callerFor(first, app, person), method);
      if (beside.includes(method)) continue;
      assert.equal(answer.status, 405, `${method} ${path}`);
      assert.equal(headerOf(answer, "allow"), known.join(", "), path);
      if (!isOpen) assertUnauthorized(await send(first, {}, method), `${method} ${path}`);
    }
  }
});

test("OPTIONS of a resumable upload lists what is offered, even to callers without a key", async () => {
  const uploads = mounted.filter(({ path }) => path.startsWith("/api/v2/uploads"));
  assert.ok(uploads.length > 0);
  for (const operation of uploads) {
    const answer = await send(operation, {}, "OPTIONS");
    assert.deepEqual(
      ["tus-version", "tus-extension", "tus-checksum-algorithm"].map((name) => headerOf(answer, name)),
      [
        "1.0.0",
        "creation,creation-defer-length,expiration,termination,checksum,concatenation",
        "sha1,sha256,sha512,md5",
      ],
      operation.path,
    );
    assert.deepEqual([answer.status, answer.text], [204, ""], operation.path);
  }
});

function prefixOf(path: string): Prefix | undefined {
  return [...prefixes]
    .sort((one, other) => other.prefix.length - one.prefix.length)
    .find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
}

// A fixed path may also match a pattern beside it: /admin/badges/dry-run is also a badge row's path.
function methodsBeside(path: string): string[] {
  const segments = path.split("/");
  return mounted
    .filter((operation) => {
      const pattern = operation.path.split("/");
      return (
        pattern.length === segments.length && pattern.every((part, at) => part.startsWith("{") || part === segments[at])
      );
    })
    .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}
