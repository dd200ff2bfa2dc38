// The catalog over HTTP: list, detail and schema document show one state, and calls agree with it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type SandboxModel, sandboxModels } from "@atelier/sandbox";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { checkInput } from "../src/capabilities/model-calls/index.ts";
import { compileSchema } from "../src/foundation/json/schema.ts";
import { bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { inLanes, invokeOn, type RouterApp, readOn } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { plainModel } from "./support/scripted-upstream.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open();
});
after(() => apps.close());

const idsOf = async (on: RouterApp, query: string) => {
  const page = (await readOn(on, `/v1/models?${query}`)).json();
  return { ids: listOf(page, "data").map((entry) => textOf(entry, "id")), page };
};

test("list, detail and document can be revalidated, and a listed id never answers 404 to a call", async () => {
  const { ids } = await idsOf(app, "limit=100");
  assert.deepEqual(ids, sandboxModels.map((model) => model.id).sort());
  for (const id of ids) {
    for (const body of [[], {}, { prompt: 1 }, Buffer.from("{")])
      assert.notEqual((await invokeOn(app, id, body)).status, 404, id);
    for (const path of ["/v1/models", `/v1/models/${id}`, `/v1/models/${id}/openapi.json`]) {
      const first = await readOn(app, path);
      assert.equal(first.status, 200);
      assert.equal(headerOf(first, "cache-control"), "private, max-age=300, must-revalidate");
      assert.match(headerOf(first, "vary") ?? "", /X-API-Key, Authorization/);
      const headers = { ...bearer(app.key), "if-none-match": headerOf(first, "etag") ?? "" };
      const again = await app.call({ path, headers });
      assert.deepEqual([again.status, again.bytes.length], [304, 0]);
      assert.match(headerOf(again, "x-service-request-id") ?? "", /^[0-9a-f-]{36}$/);
    }
  }
  assert.equal((await readOn(app, "/v1/models/sandbox/open-1")).text.includes("input_schema_url"), false);
});

test("a later page can be revalidated too: its ETag covers its bytes, cursor and all", async () => {
  const path = "/v1/models?limit=1";
  const first = await readOn(app, path);
  const etag = headerOf(first, "etag") ?? "";
  assert.match(etag, /^"[\w-]{27}"$/);
  const again = await app.call({ path, headers: { ...bearer(app.key), "if-none-match": etag } });
  // The hour may end in between, which changes the cursor's text.
  if (again.status !== 304) assert.deepEqual([again.status, again.text === first.text], [200, false]);
  for (const digits of [16, 30])
    assert.equal(memberOf((await readOn(app, `/v1/models?limit=${"9".repeat(digits)}`)).json(), "limit"), 100);
});

// Three deploys of one service: the same key ring and database, different models.
async function deploys(): Promise<readonly TestApp[]> {
  const withModels = async (name: string, keep: (name: string) => boolean, more: readonly string[]) => {
    const models = [...apps.definition.models.filter((model) => keep(model.model)), ...more.map(plainModel)];
    const file = await apps.write(name, { ...apps.definition, models });
    return apps.open({ beside: app, env: { ATELIER_PROVIDERS: file } });
  };
  return [
    app,
    await withModels("fewer", (model) => model !== "image-1-queued" && model !== "text-1", []),
    await withModels("more", (model) => model !== "open-1", ["aaa", "image-1.5", "middle", "zzz"]),
  ];
}

test("paging with limit 1 visits each model that stays exactly once, in order, while others come and go", async () => {
  const servers = await deploys();
  const staying = ["sandbox/image-1", "sandbox/video-1", "sandbox/voice-1"];
  for (let start = 0; start < servers.length; start++) {
    for (const stride of [1, 2]) {
      const visited: string[] = [];
      let cursor: string | null = null;
      for (let round = start; ; round += stride) {
        const on = servers[round % servers.length] ?? app;
        const query: string = cursor === null ? "limit=1" : `limit=1&cursor=${encodeURIComponent(cursor)}`;
        const { ids, page } = await idsOf(on, query);
        visited.push(...ids);
        assert.equal(memberOf(page, "limit"), 1);
        // A model that is listed now is served now.
        for (const id of ids) assert.notEqual((await invokeOn(on, id, [])).status, 404, id);
        if (memberOf(page, "has_more") === false) {
          assert.equal(memberOf(page, "next_cursor"), undefined);
          break;
        }
        cursor = textOf(page, "next_cursor");
        assert.match(cursor, /^[A-Za-z0-9._~+/=-]{1,512}$/);
        assert.ok(visited.length < 20, "the walk ends");
      }
      assert.deepEqual(visited, [...new Set(visited)].sort(), "bytewise order, nothing twice");
      for (const id of staying) assert.ok(visited.includes(id), `${id} is missing in ${visited.join()}`);
    }
  }
});

test("paging with limit 1 while an operator withdraws and releases models: those that stay come once, those listed are served", async () => {
  const passing = ["image-1-queued", "text-1", "open-1"];
  const release = async (model: string, released: boolean | null) => {
    const path = `/admin/models/sandbox/${model}/release`;
    const answer = await app.call({ method: "PUT", path, headers: bearer(app.adminToken), body: { released } });
    assert.equal(answer.status, 200, answer.text);
  };
  for (let walk = 0; walk < 8; walk++) {
    const visited: string[] = [];
    let cursor: string | null = null;
    for (let round = 0; ; round++) {
      // Each walk flips different models before different pages.
      for (const [index, model] of passing.entries()) await release(model, ((walk >> index) + round) % 2 === 0);
      const query: string = cursor === null ? "limit=1" : `limit=1&cursor=${encodeURIComponent(cursor)}`;
      const { ids, page } = await idsOf(app, query);
      for (const id of ids) assert.equal((await invokeOn(app, id, [])).status, 422, id);
      visited.push(...ids);
      if (memberOf(page, "has_more") === false) break;
      cursor = textOf(page, "next_cursor");
    }
    assert.deepEqual(visited, [...new Set(visited)].sort(), "bytewise order, nothing twice");
    for (const id of ["sandbox/image-1", "sandbox/video-1", "sandbox/voice-1"]) assert.ok(visited.includes(id), id);
  }
  await release("text-1", false);
  for (const path of ["/v1/models/sandbox/text-1", "/v1/models/sandbox/text-1/openapi.json"])
    assert.equal((await readOn(app, path)).status, 404, path);
  assert.ok(!(await invokeOn(app, "sandbox/text-2", {})).text.includes("text-1"), "what is absent is not suggested");
  for (const model of passing) await release(model, null);
});

test("an unknown model gets suggestions of similar names, all of which are listed", async () => {
  const { ids } = await idsOf(app, "limit=100");
  const { text } = await invokeOn(app, "sandbox/imag-1", {});
  const named = text.match(/sandbox\/[a-z0-9.-]+[a-z0-9]/g) ?? [];
  assert.ok(named.length > 0 && named.every((id) => ids.includes(id)), text);
});

test("a model without a schema gets any object byte for byte and nothing else (Spec, Router rule 7)", async () => {
  for (const text of ['{ "a" : 1.0,\n"b":[1,2 ] }', "{}", '{"prompt":5}'])
    assert.equal((await invokeOn(app, "sandbox/open-1", Buffer.from(text))).text, text);
  for (const text of ["[]", "[1]", "null", "1", '"x"', "true"]) {
    const answer = await invokeOn(app, "sandbox/open-1", Buffer.from(text));
    assert.equal(answer.status, 422, text);
    assert.deepEqual(memberOf(answer.json(), "detail", 0, "loc"), ["body"]);
  }
});

test("a model's answers match the 200 in its document, and sound has no schema", async () => {
  const input = { prompt: "a fox", seed: 7, width: 64, height: 64, seconds: 1 };
  await inLanes(sandboxModels.length, sandboxModels, async (model) => {
    const answer = await invokeOn(app, model.id, input);
    assert.equal(answer.status, 200, answer.text);
    if (model.name === "voice-1") {
      const document = (await readOn(app, `/v1/models/${model.id}/openapi.json`)).json();
      const content = memberOf(document, "paths", `/v1/models/${model.id}`, "post", "responses", "200", "content");
      assert.deepEqual(content, { "audio/wav": {} });
      return;
    }
    const schema = await servedSchema(model, "responses", "200");
    const client = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
    assert.ok(client(answer.json()), `${model.id}: ${JSON.stringify(client.errors)}`);
    // The schema says something: an answer without its members does not match.
    if (model.name !== "open-1") assert.ok(!client({}), model.id);
  });
});

async function servedSchema(model: SandboxModel, ...at: readonly string[]): Promise<Record<string, unknown>> {
  const document = (await readOn(app, `/v1/models/${model.id}/openapi.json`)).json();
  const member = at.length > 0 ? at : ["requestBody"];
  const locations = ["paths", `/v1/models/${model.id}`, "post", ...member, "content", "application/json", "schema"];
  const schema = memberOf(document, ...locations);
  assert.ok(typeof schema === "object" && schema !== null);
  return Object.fromEntries(Object.entries(schema));
}

// Near the limits of a schema: right values, wrong ones beside them, and unknown members.
function inputsNear(schema: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> {
  const properties = memberOf(schema, "properties");
  assert.ok(typeof properties === "object" && properties !== null);
  const strange = fc.constantFrom<unknown>("", "nope", 1.5, -1, null, true, [], {}, 2 ** 60, "64", "a".repeat(4001));
  const members = Object.entries(properties).map(([name, rules]): [string, fc.Arbitrary<unknown>] => [
    name,
    fc.oneof({ arbitrary: valueFor(rules), weight: 8 }, strange),
  ]);
  const known = fc.record(Object.fromEntries(members), { requiredKeys: [] });
  const prompted = fc.oneof({ arbitrary: fc.constant({ prompt: "a fox" }), weight: 3 }, fc.constant({}));
  return fc
    .tuple(prompted, known, fc.dictionary(fc.constantFrom("other", "Prompt", "toString"), strange, { maxKeys: 1 }))
    .map(([first, second, third]) => ({ ...first, ...second, ...third }));
}

function valueFor(rules: unknown): fc.Arbitrary<unknown> {
  const choices = memberOf(rules, "enum");
  if (Array.isArray(choices)) return fc.constantFrom(...choices);
  if (memberOf(rules, "type") === "boolean") return fc.boolean();
  if (memberOf(rules, "type") === "string")
    return fc.oneof(fc.string({ minLength: 1, maxLength: 20 }), fc.constantFrom("😀".repeat(4000), "é".repeat(4001)));
  const bound = (name: string, other: number) => Number(memberOf(rules, name) ?? other);
  const [low, high, step] = [bound("minimum", -1000), bound("maximum", 1000), bound("multipleOf", 1)];
  return fc.oneof(
    fc.integer({ min: Math.ceil(low / step), max: Math.floor(high / step) }).map((count) => count * step),
    fc.constantFrom(low, high, low - 1, high + 1, low + step, low + 0.5),
  );
}

describe("a client's validator over the served document and the server agree on 5,000 inputs per model", () => {
  const judged = sandboxModels.filter((one) => one.inputSchema !== null);
  assert.equal(judged.length, 5);
  for (const model of judged) {
    test(model.id, { timeout: 900_000 }, async () => {
      const schema = await servedSchema(model);
      const client = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
      const definition = apps.definition.models.find((one) => one.model === model.name) ?? assert.fail();
      const server = { definition, schema: compileSchema({ ...definition.input_schema }) };
      const refused: Record<string, unknown>[] = [];
      const admitted: Record<string, unknown>[] = [];
      for (const input of fc.sample(inputsNear(schema), 5_000)) {
        const text = JSON.stringify(input);
        const verdict = checkInput(server, Buffer.from(text));
        assert.equal(verdict.ok, client(JSON.parse(text)), text.slice(0, 500));
        (verdict.ok ? admitted : refused).push(input);
      }
      assert.ok(admitted.length > 500 && refused.length > 500, `${admitted.length} to ${refused.length}`);
      // The same over HTTP; html makes the provider reject an accepted input before it works.
      await inLanes(10, refused.slice(0, 100), async (input) => {
        assert.equal((await invokeOn(app, model.id, input)).status, 422, JSON.stringify(input).slice(0, 500));
      });
      await inLanes(10, admitted.slice(0, 50), async (input) => {
        const answer = await invokeOn(app, model.id, { ...input, simulate: "html" });
        assert.equal(answer.status, 502, answer.text.slice(0, 500));
      });
    });
  }
});
