// The worst that publishers and operators can send to the registry. Every route with a body gets every field of its
// schema empty, huge, of another type, deep, and with names and texts that no database stores: each is stored or refused
// with the field named, and nothing is an internal error.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { allOperations, type Operation } from "@atelier/contract";
import { type AppRequest, bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { owner, raiseRates, type Tenant } from "./support/app-people.ts";
import { exampleCalls } from "./support/example-calls.ts";
import { announce, createPublisher } from "./support/publishing.ts";
import { send, someId } from "./support/registry-app.ts";
import { registryExamples } from "./support/registry-example-calls.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { versionExamples } from "./support/version-example-calls.ts";

let app: TestApp;
let person: Tenant;
before(async () => {
  app = await testApp({ logLevel: "warn", env: { ATELIER_REGISTRY_PUBLISHERS_MAX: "1000" } });
  person = await owner(app);
  await raiseRates(app, app.workspaceId);
});
after(() => app.close());

const languages = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${tag(at)}`, { name: "x" }]));
// 0 → aa, 1 → ab, …
const tag = (at: number) =>
  String.fromCharCode(97 + (Math.floor(at / 26) % 26), 97 + (at % 26)) + (at >= 676 ? "-x" : "");

const badTranslations: readonly (readonly [string, Readonly<Record<string, object>>, string])[] = [
  ["an empty language", { "": { name: "x" } }, "/"],
  ["a language of 200 characters", { [`fr-${"x".repeat(197)}`]: { name: "x" } }, "/fr-xxxxx…"],
  ["a language with a line feed", { "f\nr": { name: "x" } }, "/f\nr"],
  ["3,000 languages", languages(3_000), ""],
];

describe("translations are refused by name wherever they can be written", () => {
  const writers: readonly (readonly [string, string, (translations: object) => Promise<AppRequest>])[] = [
    ["create", "/translations", (translations) => changed("createNode", { translations })],
    ["update", "/translations", (translations) => changed("updateNode", { translations })],
    ["publish", "/node/translations", (translations) => changed("publishNodeVersion", { node: { translations } })],
    ["the operators' create", "/translations", (translations) => changed("createNodeAsAdmin", { translations })],
    ["the operators' review", "/translations", (translations) => changed("reviewNode", { translations })],
    ["translate", "/data", (data) => changed("createNodeTranslations", { data })],
  ];
  for (const [name, path, write] of writers) {
    for (const [what, translations, at] of badTranslations) {
      test(`${name} with ${what} is a 400 that names the field`, async () => {
        const answer = await app.call(await write(translations));
        assert.equal(answer.status, 400, answer.text.slice(0, 500));
        const named = listOf(answer.json(), "details").map((one) => textOf(one, "path"));
        assert.deepEqual(named, [`${path}${at}`]);
        assert.ok(answer.text.length < 2_000);
      });
    }
    test(`${name} accepts languages in every valid spelling`, async () => {
      const answer = await app.call(await write({ fr: { name: "x" }, "pt-BR": {}, zh_Hans: {} }));
      assert.ok(answer.status === 200 || answer.status === 201, answer.text);
    });
  }

  test("a node does not grow by a hundred languages with every change", async () => {
    const publisher = await createPublisher(app, someId());
    const nodeId = someId("n");
    const slice = (from: number, count: number) =>
      Object.fromEntries(Object.entries(languages(676)).slice(from, from + count));
    const first = await announce(app, publisher, { nodeId, version: "1.0.0", node: { translations: slice(0, 100) } });
    assert.equal(first.status, 201, first.text);
    const again = await announce(app, publisher, { nodeId, version: "1.0.0", node: { translations: slice(0, 100) } });
    assert.equal(again.status, 201, again.text);
    const more = await announce(app, publisher, { nodeId, version: "1.0.0", node: { translations: slice(100, 1) } });
    assert.equal(more.status, 400, more.text);
    const shown = await send(app, "GET", `/nodes/${nodeId}?include_translations=true`);
    assert.equal(Object.keys(Object(memberOf(shown.json(), "translations"))).length, 100);
  });
});

// The example call of an operation with some members of its body replaced.
async function changed(operationId: string, members: object): Promise<AppRequest> {
  const example = exampleCalls[operationId];
  assert.ok(example);
  const made = await example.make({ app, owner: person });
  return { ...made, body: { ...Object(made.body), ...members } };
}

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

const deep = (levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner: unknown) => ({ a: [inner] }), 1);
const oddValues: readonly unknown[] = [
  "",
  " ",
  "\0",
  "\ufffe\uffff\u{10ffff}",
  "x\r\n'\"`;--\\",
  "x".repeat(2_100),
  "e\u0301Aa1 ".repeat(10_000),
  null,
  true,
  -1,
  1.5,
  2 ** 31,
  1e300,
  [null],
  ["", "\0", [[]]],
  Array.from({ length: 5_000 }, (_, at) => `entry ${at}`),
  deep(25),
  Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`member ${at}`, {}])),
];
const oddNames = [
  "",
  "\0",
  "a\nb",
  "__proto__",
  "constructor",
  "x".repeat(100_000),
  "😀".repeat(100),
  "\u2028",
  "/~0%00",
];

// The body with each of its fields, including those that the example does not use, replaced by each odd value.
function* forms(schema: Schema, value: unknown): Generator<unknown> {
  yield* oddValues;
  const held = (name: string): unknown => Object(value)[name];
  const withMember = (name: string, member: unknown) => {
    const copy = { ...Object(value) };
    Object.defineProperty(copy, name, { value: member, enumerable: true, configurable: true, writable: true });
    return copy;
  };
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    for (const form of forms(part, held(name))) yield withMember(name, form);
  if (schema.items) for (const form of forms(schema.items, undefined)) yield [form];
  const member = schema.additionalProperties;
  if (typeof member === "object")
    for (const name of ["Name", ...oddNames])
      for (const form of name === "Name" ? forms(member, undefined) : [{}, null, 1, "x", []])
        yield withMember(name, form);
}

// Paths of the descriptors of a new version of one node each time.
async function moreVersions(): Promise<() => Promise<string>> {
  const publisher = await createPublisher(app, someId());
  const nodeId = someId("n");
  let count = 0;
  return async () => {
    count += 1;
    const announced = await announce(app, publisher, { nodeId, version: `1.0.${count}` });
    assert.equal(announced.status, 201, announced.text);
    return `/nodes/${nodeId}/versions/1.0.${count}/svc-nodes`;
  };
}

describe("every field of every body", () => {
  const takesBody = (operation: Operation) =>
    operation.body?.contentType === "application/json" &&
    [registryExamples, versionExamples].some((known) => Object.hasOwn(known, operation.id));
  for (const operation of allOperations.filter(takesBody)) {
    test(`${operation.id} refuses or stores its input, and never fails`, async () => {
      const example = exampleCalls[operation.id];
      assert.ok(example);
      const failures: string[] = [];
      const statuses = new Set<number>();
      let made = await example.make({ app, owner: person });
      // Descriptors are created once per version: after a success, the next request goes to another version.
      const isOnce = operation.id === "createDescriptors";
      const another = isOnce ? await moreVersions() : async () => "";
      // Ids that the call uses up are replaced, so that each request reaches the database.
      const fresh = (body: unknown) =>
        Object(made.body).id === undefined || Object(body).id !== Object(made.body).id
          ? body
          : { ...Object(body), id: someId(operation.id === "createPublisher" ? "p" : "n") };
      const all = [made.body, ...forms(operation.body?.schema as Schema, made.body)];
      const next = all.values();
      const worker = async () => {
        for (const form of next) {
          const body = fresh(form);
          const headers = { ...made.headers, "content-type": "application/json" };
          const answer = await app.call({ ...made, headers, body: JSON.stringify(body) });
          statuses.add(answer.status);
          if (isOnce && answer.status === 204) made = { ...made, path: await another() };
          if (answer.status >= 500)
            failures.push(`${answer.status} ${JSON.stringify(body).slice(0, 300)} → ${answer.text.slice(0, 200)}`);
        }
      };
      await Promise.all(Array.from({ length: isOnce ? 1 : 8 }, worker));
      assert.deepEqual(failures, [], `${failures.length} of ${all.length}`);
      // Both sides of the checks were reached.
      assert.ok(statuses.has(400) && statuses.has(example.status), `${[...statuses]}`);
    });
  }

  test("the log reports no internal failure", () => {
    assert.deepEqual(
      app.logged.filter((line) => line.includes('"level":"error"')),
      [],
    );
  });
});

describe("every path parameter", () => {
  const locations = [
    "%00",
    "%0A",
    "a%2Fb",
    "%ED%A0%80",
    "x".repeat(2_000),
    "%F0%9F%98%80",
    "'",
    "..%2f",
    "__proto__",
    "%20",
  ];
  test("odd text in a path is refused and never causes a failure", async () => {
    const failures: string[] = [];
    const known = [...Object.keys(registryExamples), ...Object.keys(versionExamples)];
    for (const operation of allOperations.filter(({ id }) => known.includes(id))) {
      const headers = operation.access === "admin" ? bearer(app.adminToken) : bearer(app.key);
      for (const [location] of operation.path.matchAll(/\{\w+\}/g)) {
        for (const text of locations) {
          const path = operation.path.replace(location, text).replaceAll(/\{\w+\}/g, "x");
          const body = operation.body
            ? { body: { id: someId("n"), name: "x", node_version: { version: "1.0.0" } } }
            : {};
          const answer = await app.call({ method: operation.method, path, headers, ...body });
          if (answer.status >= 500) failures.push(`${operation.method} ${path.slice(0, 200)} → ${answer.text}`);
        }
      }
    }
    assert.deepEqual(failures, []);
  });
});
