import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isJsonList, isJsonObject, memberOf, resolve, words } from "../test/support/schema-growth.ts";
import { strictAjv } from "../test/support/verdicts.ts";
import { openApiDocument } from "./open-api.ts";
import { tags } from "./operations/tags.ts";
import { allOperations, operations } from "./operations.ts";
import type { Json } from "./plain-schema.ts";

const all = allOperations;
const about = { title: "Atelier", version: "0.1.0", servers: [{ url: "http://127.0.0.1:8080" }] };
const document = openApiDocument({ ...about, operations: all });
const asGiven: Json = document;

function walk(value: Json, visit: (at: Json) => void): void {
  visit(value);
  const below: readonly Json[] = isJsonList(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  for (const child of below) walk(child, visit);
}

function operationAt(method: string, path: string): Json | undefined {
  return memberOf(memberOf(document.paths, path), method);
}

function schemasOf(given: Json): [string, Json][] {
  const schemas = memberOf(memberOf(given, "components"), "schemas");
  return isJsonObject(schemas) ? Object.entries(schemas) : [];
}

test("the document has exactly the given operations", () => {
  fc.assert(
    fc.property(fc.subarray([...all]), (some) => {
      const made = openApiDocument({ ...about, operations: some });
      const listed = Object.entries(made.paths).flatMap(([path, item]) =>
        isJsonObject(item) ? Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`) : [],
      );
      assert.deepEqual(listed.sort(), some.map(({ method, path }) => `${method} ${path}`).sort());
    }),
    { numRuns: 25 },
  );
});

test("the order of the given operations changes no byte", () => {
  const text = JSON.stringify(document);
  fc.assert(
    fc.property(fc.shuffledSubarray([...all], { minLength: all.length }), (shuffled) => {
      assert.equal(JSON.stringify(openApiDocument({ ...about, operations: shuffled })), text);
    }),
    { numRuns: 10 },
  );
});

test("every reference resolves and every component is used", () => {
  const used = new Set<string>();
  walk(asGiven, (at) => {
    const reference = memberOf(at, "$ref");
    if (typeof reference !== "string") return;
    assert.notEqual(resolve(asGiven, at), undefined, reference);
    used.add(reference);
  });
  const held = ["headers", "responses", "schemas"].flatMap((kind) => {
    const named = memberOf(document.components, kind);
    return isJsonObject(named) ? Object.keys(named).map((name) => `#/components/${kind}/${name}`) : [];
  });
  assert.deepEqual([...used].sort(), held.sort());
});

test("an operation brings only its own components and security schemes", () => {
  const made = openApiDocument({ ...about, operations: [operations.getBadges] });
  assert.deepEqual(
    schemasOf(made).map(([name]) => name),
    ["Badge", "BadgeDependencies", "BadgeMap", "BadgePlatform", "BadgeWidget", "GenericError"],
  );
  assert.deepEqual(made.components["securitySchemes"], {});
  assert.deepEqual(made.tags, [{ name: "Price badges", description: "What nodes cost. Public and cacheable." }]);
});

test("every schema of the document compiles as JSON Schema 2020-12", () => {
  const ajv = strictAjv();
  // The document itself is not a schema; it only contains them.
  for (const word of Object.keys(document)) ajv.addKeyword(word);
  ajv.addSchema({ $id: "atelier:document", ...document });
  let found = 0;
  // Equal schemas compile alike: references in them are to the whole document.
  const compiled = new Set<string>();
  const compile = (pointer: string, schema: Json) => {
    found += 1;
    const text = JSON.stringify(schema);
    if (compiled.has(text)) return;
    compiled.add(text);
    assert.equal(typeof ajv.compile({ $ref: `atelier:document#${pointer}` }), "function", pointer);
  };
  const pointerKey = (key: string) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
  const visit = (value: Json, pointer: string) => {
    if (!isJsonObject(value) && !isJsonList(value)) return;
    for (const [key, child] of Object.entries(value)) {
      if (key === "schema") compile(`${pointer}/schema`, child);
      else visit(child, `${pointer}/${pointerKey(key)}`);
    }
  };
  for (const [name, schema] of schemasOf(asGiven)) compile(`/components/schemas/${name}`, schema);
  visit(document.paths, "/paths");
  assert.ok(found > all.length * 5, `only ${found} schemas were found`);
});

test("components judge like the schemas they were made from", () => {
  const ajv = strictAjv();
  for (const word of Object.keys(document)) ajv.addKeyword(word);
  ajv.addSchema({ $id: "atelier:document", ...document });
  const badges = ajv.compile({ $ref: "atelier:document#/components/schemas/BadgeMap" });
  const badge = { engine: "jsonata", depends_on: { widgets: [], inputs: [], input_groups: [] }, expr: "1" };
  assert.equal(badges({ Node: badge }), true);
  assert.equal(badges({ Node: null }), false);
  assert.equal(badges({ Node: { ...badge, depends_on: { widgets: [] } } }), false);
});

test("nothing of the schema library is left in the document", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
  walk(asGiven, (at) => {
    if (isJsonObject(at)) for (const key of Reflect.ownKeys(at)) assert.doesNotMatch(String(key), /^~|^Symbol/);
  });
});

test("where an Idempotency-Key is accepted, the document says when a refusal leaves it free", () => {
  const silent: string[] = [];
  let saying = 0;
  for (const { method, path, tag } of allOperations) {
    const operation = operationAt(method.toLowerCase(), path);
    const parameters = memberOf(operation, "parameters");
    const key = isJsonList(parameters)
      ? parameters.find((each) => memberOf(each, "name") === "Idempotency-Key")
      : undefined;
    const said = [operation, key, memberOf(key, "schema")].map((at) => memberOf(at, "description") ?? "").join(" ");
    // When operators move credits, the key identifies the move for good. An upload is repeated by its hash.
    if (key === undefined || tag === tags.administration || /Accepted and ignored/.test(said)) continue;
    if (/key can be used again/.test(said)) saying += 1;
    else silent.push(`${method} ${path}`);
  }
  assert.deepEqual(silent, []);
  assert.ok(saying >= 4, "jobs, model calls, queued calls and partner tasks");
});

const tooLarge = () => memberOf(memberOf(document.components, "responses"), "HeadersTooLarge");

test("431 is possible for every operation, in the generic body, and defined once", () => {
  for (const { method, path } of allOperations)
    assert.deepEqual(
      memberOf(memberOf(operationAt(method.toLowerCase(), path), "responses"), "431"),
      { $ref: "#/components/responses/HeadersTooLarge" },
      `${method} ${path}`,
    );
  assert.deepEqual(memberOf(memberOf(tooLarge(), "content"), "application/json"), {
    schema: { $ref: "#/components/schemas/GenericError" },
  });
});

test("every answer names the request id, and answers keep their own headers", () => {
  walk(document.paths, (at) => {
    const answers = memberOf(at, "responses");
    for (const answer of isJsonObject(answers) ? Object.values(answers) : []) {
      const shown = memberOf(answer, "$ref") === undefined ? answer : tooLarge();
      assert.ok(memberOf(memberOf(shown, "headers"), "X-Service-Request-Id"));
    }
  });
  const ok = memberOf(memberOf(operationAt("get", "/nodes/pricing/badges"), "responses"), "200");
  const headers = memberOf(ok, "headers");
  assert.deepEqual(isJsonObject(headers) && Object.keys(headers), ["Cache-Control", "ETag", "X-Service-Request-Id"]);
});

test("the document's security says who may call", () => {
  const asked = (method: string, path: string) => memberOf(operationAt(method, path), "security");
  assert.deepEqual(asked("get", "/nodes/pricing/badges"), []);
  assert.deepEqual(asked("get", "/v1/models"), [{ apiKey: [] }, { bearer: [] }]);
  assert.deepEqual(asked("get", "/admin/badges"), [{ adminToken: [] }]);
  assert.deepEqual(asked("post", "/publishers/{publisherId}/nodes/{nodeId}/versions"), [
    { apiKey: [] },
    { bearer: [] },
    {},
  ]);
});

test("parameters have their place, whether they are required, and what they mean", () => {
  const given = memberOf(operationAt("get", "/nodes/pricing/badges"), "parameters");
  assert.ok(isJsonList(given));
  assert.deepEqual(
    given.map((one) => [memberOf(one, "name"), memberOf(one, "in"), memberOf(one, "required")]),
    [
      ["app_version", "query", true],
      ["platform", "query", true],
      ["If-None-Match", "header", false],
    ],
  );
  walk(document.paths, (at) => {
    const location = memberOf(at, "in");
    if (typeof location !== "string" || memberOf(at, "schema") === undefined) return;
    assert.ok(typeof memberOf(at, "description") === "string", JSON.stringify(at));
    if (location === "path") assert.equal(memberOf(at, "required"), true);
  });
});

test("deprecated fields say so", () => {
  const node = new Map(schemasOf(asGiven)).get("Node");
  assert.equal(memberOf(memberOf(memberOf(node, "properties"), "category"), "deprecated"), true);
});

test("operation ids are unique in the document", () => {
  const ids: string[] = [];
  walk(document.paths, (at) => ids.push(...words([memberOf(at, "operationId") ?? null])));
  assert.equal(ids.length, all.length);
  assert.equal(new Set(ids).size, ids.length);
});

test("an unexplained header is refused", () => {
  const odd = { ...operations.getHealth, answers: { 200: { description: "x", headers: ["X-Odd"] } } };
  assert.throws(() => openApiDocument({ ...about, operations: [odd] }), /X-Odd/);
});

test("bytes are binary in requests and answers, so that generated clients do not turn them into text", () => {
  const isText = (type: string) => /^text\/|json$|\+xml$|ndjson$|x-www-form-urlencoded$|^multipart\//.test(type);
  const found = new Map<string, Json | undefined>();
  walk(document.paths, (at) => {
    const content = memberOf(at, "content");
    if (!isJsonObject(content)) return;
    for (const [type, media] of Object.entries(content))
      if (!isText(type)) found.set(type, memberOf(memberOf(media, "schema"), "format"));
  });
  assert.ok(found.size > 5);
  assert.deepEqual(
    [...found].filter(([, format]) => format !== "binary"),
    [],
  );
  const upload = memberOf(memberOf(memberOf(document, "components"), "schemas"), "AssetUpload");
  assert.equal(memberOf(memberOf(memberOf(upload, "properties"), "file"), "format"), "binary");
});

test("an id that answers write as a UUID is a UUID in paths, too", () => {
  const others = all.flatMap(({ id, params }) =>
    Object.entries(params?.properties ?? {})
      .filter(([name]) => ["jobId", "tokenId", "versionId", "batchId", "keyId", "workspaceId"].includes(name))
      .filter(([, schema]) => Object(schema).format !== "uuid")
      .map(([name]) => `${id}: ${name}`),
  );
  assert.deepEqual(others, []);
});
