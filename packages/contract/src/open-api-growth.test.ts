import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { type TSchema, Type } from "typebox";
import { corrections } from "../test/open-api-corrections.ts";
import { shrinkages } from "../test/support/open-api-growth.ts";
import { openApiDocument } from "./open-api.ts";
import type { Operation } from "./operation.ts";
import { allOperations } from "./operations.ts";

const about = { title: "Atelier", version: "0.1.0", servers: [] };
const all = allOperations;
const documentOf = (...given: Operation[]) => openApiDocument({ ...about, operations: given });

const base = {
  id: "makeThing",
  method: "POST",
  path: "/things/{id}",
  tag: "Things",
  summary: "Make a thing",
  access: "key",
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ size: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })) }),
  body: { contentType: "application/json", schema: Type.Object({ name: Type.String() }), required: true },
  answers: {
    200: {
      description: "The thing.",
      contentType: "application/json",
      schema: Type.Object({ id: Type.String(), note: Type.Optional(Type.String()) }),
      headers: ["ETag"],
    },
    404: { description: "No thing." },
  },
} as const satisfies Operation;

function found(change: Partial<Operation>, from: Partial<Operation> = {}): string[] {
  return shrinkages(documentOf({ ...base, ...from }), documentOf({ ...base, ...change }));
}

const taking = (schema: TSchema): Partial<Operation> => ({ body: { ...base.body, schema } });
const giving = (schema: TSchema): Partial<Operation> => ({ answers: { 200: { ...base.answers[200], schema } } });
const requestChange = (before: TSchema, after: TSchema) => found(taking(after), taking(before));
const answerChange = (before: TSchema, after: TSchema) => found(giving(after), giving(before));
const of = (member: TSchema) => Type.Object({ member });

test("a document compared with itself took nothing away", () => {
  const document = documentOf(...all);
  assert.deepEqual(shrinkages(document, document), []);
});

test("more operations are growth, fewer are not, and each missing one is named", () => {
  fc.assert(
    fc.property(fc.subarray([...all]), (some) => {
      assert.deepEqual(shrinkages(documentOf(...some), documentOf(...all)), []);
      const missing = all.filter((operation) => !some.includes(operation));
      const expected = missing.map(({ method, path }) => `${method} ${path} was removed`);
      assert.deepEqual(shrinkages(documentOf(...all), documentOf(...some)).sort(), expected.sort());
    }),
    { numRuns: 15 },
  );
});

test("a path parameter may be renamed", () => {
  assert.deepEqual(found({ path: "/things/{thingId}", params: Type.Object({ thingId: Type.String() }) }), []);
});

test("a removed answer, header or content type is reported", () => {
  assert.deepEqual(found({ answers: { 200: base.answers[200] } }), ["POST /things/{id}: the answer 404 was removed"]);
  const { headers, ...bare } = base.answers[200];
  assert.deepEqual(found({ answers: { ...base.answers, 200: bare } }), [
    `POST /things/{id}: the answer 200 lost the header ${headers[0]}`,
  ]);
  const other = { ...base.answers[200], contentType: "text/plain" };
  assert.deepEqual(found({ answers: { ...base.answers, 200: other } }), [
    "POST /things/{id}: the answer 200 no longer comes as application/json",
  ]);
});

test("a new answer, an optional member or an optional parameter is growth", () => {
  assert.deepEqual(found({ answers: { ...base.answers, 410: { description: "Gone." } } }), []);
  assert.deepEqual(found({ query: Type.Object({ ...base.query.properties, tag: Type.Optional(Type.String()) }) }), []);
  const before = Type.Object({ name: Type.String() });
  const wider = Type.Object({ name: Type.String(), note: Type.Optional(Type.String()) });
  assert.deepEqual(requestChange(before, wider), []);
  assert.deepEqual(answerChange(before, Type.Object({ name: Type.String(), note: Type.String() })), []);
});

test("a new requirement on a request is reported", () => {
  const name = Type.Object({ name: Type.String() });
  assert.deepEqual(requestChange(name, Type.Object({ name: Type.String(), note: Type.String() })), [
    "POST /things/{id}: the body.note is required now",
  ]);
  assert.deepEqual(requestChange(Type.Object({ name: Type.Optional(Type.String()) }), name), [
    "POST /things/{id}: the body.name is required now",
  ]);
  assert.deepEqual(found({ query: Type.Object({ size: base.query.properties.size, tag: Type.String() }) }), [
    "POST /things/{id}: the query parameter tag is required now",
  ]);
  assert.deepEqual(found({}, { body: { ...base.body, required: false } }), [
    "POST /things/{id}: a body is required now",
  ]);
});

test("a removed parameter or member is reported", () => {
  assert.deepEqual(found({ query: Type.Object({}) }), ["POST /things/{id}: the query parameter size was removed"]);
  const both = Type.Object({ a: Type.String(), b: Type.String() });
  const one = Type.Object({ a: Type.String() });
  assert.deepEqual(answerChange(both, one), ["POST /things/{id}: the answer 200.b was removed"]);
  assert.deepEqual(requestChange(both, one), ["POST /things/{id}: the body.b was removed"]);
});

test("a guaranteed member that becomes optional is reported", () => {
  assert.deepEqual(answerChange(of(Type.String()), Type.Object({ member: Type.Optional(Type.String()) })), [
    "POST /things/{id}: the answer 200.member is no longer always there",
  ]);
});

test("a value removed from a closed set is reported in requests and in answers; a new one is growth", () => {
  const two = of(Type.Enum(["a", "b"]));
  const three = of(Type.Enum(["a", "b", "c"]));
  assert.deepEqual(requestChange(three, two), ['POST /things/{id}: the body.member lost the value "c"']);
  assert.deepEqual(answerChange(three, two), ['POST /things/{id}: the answer 200.member lost the value "c"']);
  assert.deepEqual(requestChange(two, three), []);
  assert.deepEqual(answerChange(two, three), []);
  assert.equal(requestChange(of(Type.String()), of(Type.Enum(["a"], { type: "string" }))).length, 1);
});

test("another type is reported; a request may widen from integer to number, an answer may narrow", () => {
  const text = of(Type.String());
  const integer = of(Type.Integer());
  const number = of(Type.Number());
  assert.deepEqual(requestChange(text, integer), [
    "POST /things/{id}: the body.member changed its type from string to integer",
  ]);
  assert.equal(answerChange(text, integer).length, 1);
  assert.deepEqual(requestChange(integer, number), []);
  assert.equal(requestChange(number, integer).length, 1);
  assert.deepEqual(answerChange(number, integer), []);
  assert.equal(answerChange(integer, number).length, 1);
  assert.deepEqual(requestChange(text, of(Type.Unknown())), []);
  assert.equal(answerChange(text, of(Type.Unknown())).length, 1);
});

test("a newly nullable answer is reported, a newly nullable request is growth", () => {
  const text = of(Type.String());
  const nullable = of(Type.Union([Type.String(), Type.Null()]));
  assert.deepEqual(answerChange(text, nullable), [
    "POST /things/{id}: the answer 200.member can be null now and could not before",
  ]);
  assert.deepEqual(requestChange(text, nullable), []);
  assert.equal(requestChange(nullable, text).length, 1);
});

test("narrower bounds of a request are reported, wider ones are growth", () => {
  fc.assert(
    fc.property(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }), (before, after) => {
      const least = requestChange(of(Type.Integer({ minimum: before })), of(Type.Integer({ minimum: after })));
      assert.equal(least.length, after > before ? 1 : 0);
      const most = requestChange(of(Type.Integer({ maximum: before })), of(Type.Integer({ maximum: after })));
      assert.equal(most.length, after < before ? 1 : 0);
    }),
    { numRuns: 30 },
  );
  assert.equal(requestChange(of(Type.String()), of(Type.String({ maxLength: 5 }))).length, 1);
  assert.equal(requestChange(of(Type.String()), of(Type.String({ pattern: "^a" }))).length, 1);
  const open = Type.Object({ a: Type.String() });
  assert.equal(requestChange(open, Type.Object({ a: Type.String() }, { additionalProperties: false })).length, 1);
});

test("a newly required or no longer accepted credential is reported", () => {
  assert.deepEqual(found({}, { access: "public" }), ["POST /things/{id} asks for a credential now"]);
  assert.deepEqual(found({ access: "public" }), []);
  assert.equal(found({ access: "admin" }).length, 2);
});

test("changes are found behind references, in lists, in maps and in unions", () => {
  const entity = (values: string[]) => Type.Object({ kind: Type.Enum(values) }, { title: "Entity" });
  const nests = [Type.Array, (one: TSchema) => Type.Record(Type.String(), one), (one: TSchema) => of(one)];
  for (const nest of nests) {
    assert.equal(answerChange(nest(entity(["a", "b"])), nest(entity(["a"]))).length, 1);
    assert.deepEqual(answerChange(nest(entity(["a"])), nest(entity(["a", "b"]))), []);
  }
  const union = (...values: string[]) => Type.Union(values.map((value) => Type.Object({ kind: Type.Literal(value) })));
  assert.equal(answerChange(union("a", "b"), union("a")).length, 1);
  assert.deepEqual(answerChange(union("a"), union("a", "b")), []);
});

test("the comparison of recursive schemas ends", () => {
  const tree = (extra: object) => ({
    paths: {
      "/tree": {
        get: {
          responses: {
            "200": { content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } } },
          },
        },
      },
    },
    components: {
      schemas: { Tree: { type: "object", properties: { child: { $ref: "#/components/schemas/Tree" }, ...extra } } },
    },
  });
  assert.deepEqual(shrinkages(tree({}), tree({ name: { type: "string" } })), []);
  assert.ok(shrinkages(tree({ name: { type: "string" } }), tree({})).length > 0);
});

// scripts/freeze-release.mjs keeps the document of each release. A deprecated item stays in it until it is removed.
test("today's document takes nothing away from any released one", () => {
  const folder = join(import.meta.dirname, "../released");
  const today = JSON.parse(readFileSync(join(import.meta.dirname, "../../../openapi.json"), "utf8"));
  const released = globSync("openapi-*.json.gz", { cwd: folder });
  assert.ok(released.length > 0);
  const seen = new Set(corrections.keys());
  for (const name of released) {
    const before = JSON.parse(gunzipSync(readFileSync(join(folder, name))).toString());
    assert.ok(Object.keys(before.paths).length > 100, name);
    const found = shrinkages(before, today);
    const uncorrected = found.filter((sentence) => !corrections.has(sentence));
    assert.deepEqual(uncorrected, [], name);
    for (const sentence of found) seen.delete(sentence);
  }
  assert.deepEqual([...seen], [], "a correction that corrects nothing is taken from the list");
});
