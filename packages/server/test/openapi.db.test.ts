// The OpenAPI document is the contract of what is mounted: it is served, it is committed, and every operation answers as
// it says. That it only grows is tested beside the comparison, in open-api-growth.test.ts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type Json, type Operation, openApiDocument } from "@atelier/contract";
import { mountedOperations } from "../src/processes/build/mounted-operations.ts";
import { serverVersion } from "../src/processes/server-version.ts";
import { answerChecker, type CheckAnswer } from "./support/answer-checker.ts";
import { memberOf } from "./support/app-client.ts";
import { anyPath, callerFor, isDialectTested, mountedIn } from "./support/app-operations.ts";
import { owner, type Tenant } from "./support/app-people.ts";
import { exampleCalls, statusOf } from "./support/example-calls.ts";
import { inLanes } from "./support/in-lanes.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { notInFleet } from "./support/test-fleet.ts";

const root = join(import.meta.dirname, "../../..");
const readJson = (path: string): Json => JSON.parse(readFileSync(path, "utf8"));

let app: TestApp;
let person: Tenant;
let served: Json;
let mounted: readonly Operation[];
let check: CheckAnswer;
before(async () => {
  app = await testApp();
  person = await owner(app);
  served = JSON.parse((await app.call({ path: "/openapi.json" })).text);
  mounted = await mountedIn(app);
  check = answerChecker(served);
});
after(() => app.close());

function documentAt(url: string): Json {
  const document = openApiDocument({
    operations: mounted,
    title: "Atelier API",
    version: serverVersion,
    servers: [{ url }],
  });
  return JSON.parse(JSON.stringify(document));
}

test("the served document is the document of exactly the operations that are mounted", () => {
  if (!isDialectTested) return assert.deepEqual(served, documentAt(app.baseUrl));
  // The dialect mounts more, but the contract's part stays the same.
  const operationsIn = (document: Json) =>
    mounted.map(({ path, method }) => memberOf(document, "paths", path, method.toLowerCase()));
  assert.deepEqual(operationsIn(served), operationsIn(documentAt(app.baseUrl)));
});

test("mounted-operations.ts, the source of the documents, lists what serve mounts", () => {
  assert.deepEqual(
    mountedOperations()
      .map(({ id }) => id)
      .sort(),
    mounted.map(({ id }) => id).sort(),
  );
});

test("the committed openapi.json is the served document", () => {
  const isEqual = isDeepStrictEqual(readJson(join(root, "openapi.json")), documentAt("http://127.0.0.1:8080"));
  assert.ok(isEqual, "openapi.json is not what the code says: run `npm run openapi` and commit it");
});

test("every operation that can be refused under load declares 429 and 503", () => {
  const alwaysAnswered = ["getHealth", "getLiveness", "getReadiness", "getMetrics", "getWorkflowHealth"];
  // Their addresses are signed, or a browser's session is checked first: there is no rate limit.
  const withoutRate = ["receivePartnerCallback", "showSignIn", "showApiKeys"];
  for (const { id, answers } of mounted.filter(({ id }) => !alwaysAnswered.includes(id))) {
    assert.ok(answers[503], `${id} does not declare 503`);
    assert.ok(answers[429] ?? withoutRate.includes(id), `${id} does not declare 429`);
  }
});

test("every reference in the document leads somewhere", () => {
  const references = [...JSON.stringify(served).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? "");
  assert.ok(references.length > 50);
  for (const reference of new Set(references)) {
    assert.ok(reference.startsWith("#/"), `${reference} points out of the document`);
    const found = reference
      .slice(2)
      .split("/")
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>(
        (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
        served,
      );
    assert.ok(found !== undefined, `${reference} leads nowhere`);
  }
});

describe("every mounted operation answers as the document says", () => {
  test("one by one, with input it accepts", async (context) => {
    for (const operation of mounted) {
      await context.test(`${operation.id}: ${operation.method} ${operation.path}`, async () => {
        const example = exampleCalls[operation.id];
        assert.ok(example, `say in example-calls.ts how ${operation.id} is called`);
        const scene = { app, owner: person };
        const good = await app.call(await example.make(scene));
        assert.equal(good.status, await statusOf(example, scene), good.text);
        check(operation, good);
      });
    }
  });

  test("also when it refuses", notInFleet("the front may lose an answer that ends its connection"), async () => {
    const large = Buffer.alloc(2 ** 20 + 1, 0x61);
    await inLanes(mounted, 4, async (operation) => {
      const path = anyPath(operation);
      const headers = callerFor(operation, app, person);
      check(operation, await app.call({ method: operation.method, path }));
      check(operation, await app.call({ method: operation.method, path, headers, body: { name: 1, nonsense: null } }));
      if (operation.body === undefined) return;
      const tooLarge = { headers: { ...headers, "content-type": operation.body.contentType }, body: large };
      check(operation, await app.call({ method: operation.method, path, ...tooLarge }));
    });
  });

  test("also when an address has failed too often", notInFleet("each process counts refused credentials"), async () => {
    const peer = "203.0.113.9";
    const wrong = { authorization: "Bearer letmein" };
    for (let count = 0; count < 60; count++) await app.call({ path: "/admin/audit", headers: wrong, peer });
    for (const operation of mounted.filter(({ access }) => access === "key" || access === "admin")) {
      const ask = () => app.call({ method: operation.method, path: anyPath(operation), headers: wrong, peer });
      let answer = await ask();
      // The minute may be over by now; then the next fifty get 401.
      for (let tries = 0; answer.status === 401 && tries < 60; tries++) answer = await ask();
      assert.equal(answer.status, 429, operation.id);
      check(operation, answer);
    }
  });
});

test("an answer that the document does not declare is found", () => {
  const [health] = mounted.filter(({ id }) => id === "getHealth");
  assert.ok(health);
  const headers = { "content-type": "application/json; charset=utf-8" };
  const answer = (status: number, text: string) => ({
    status,
    headers,
    bytes: Buffer.from(text),
    text,
    json: () => JSON.parse(text),
  });
  check(health, answer(200, '{"status":"ok"}'));
  assert.throws(() => check(health, answer(418, '{"status":"ok"}')), /does not declare 418/);
  assert.throws(() => check(health, answer(200, '{"status":"fine"}')), /status/);
});
