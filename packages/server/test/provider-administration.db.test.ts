// Operators change providers over HTTP while servers run: the changes are checked, versioned, audited and served by every
// process, and never break a call that has begun.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { ProviderDefinition } from "../src/capabilities/providers/index.ts";
import { sqlText } from "../src/foundation/database/index.ts";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { type FakeProvider, fakeProvider } from "./support/fake-provider.ts";
import { aDefinition, aModel, putProvider } from "./support/provider-example-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
let second: TestApp;
let provider: FakeProvider;
before(async () => {
  apps = await sandboxApps();
  provider = await fakeProvider();
  app = await apps.open();
  // Its bus hears nothing from the first one's: it only has its own checks of the revision.
  second = await apps.open({ beside: app, env: { ATELIER_BUS: "in-process" } });
});
after(async () => {
  await apps.close();
  await provider.close();
});

const admin = (path: string, more: { method?: string; headers?: Record<string, string>; body?: unknown } = {}) =>
  app.call({ path: `/admin${path}`, ...more, headers: { ...bearer(app.adminToken), ...more.headers } });
const read = (path: string, on: TestApp = app) => on.call({ path, headers: bearer(on.key) });
const invoke = (model: string, headers: Record<string, string> = {}, on: TestApp = app) =>
  on.call({
    method: "POST",
    path: `/v1/models/${model}`,
    headers: { ...bearer(on.key), "content-type": "application/json", ...headers },
    body: { prompt: "x" },
  });
const bucket = (answer: AppAnswer) => headerOf(answer, "x-service-error-type");
const newName = () => `p-${randomUUID()}`;
const released = (path: string, usd: string, more: object = {}) =>
  aModel({ released: true, submit: { path, encoding: "json" }, price: { usd }, ...more });
const served = (name: string, usd: string, path = "/direct", more: object = {}): ProviderDefinition =>
  aDefinition(name, { base_url: provider.url, models: [released(path, usd, more)] });

describe("writing", () => {
  test("a definition is added once, replaced only with its current ETag, and removed, each change with a version and an audit entry", async () => {
    const name = newName();
    const definition = aDefinition(name, { credential: { kind: "bearer", setting: "ATELIER_PROVIDER_NOBODY_KEY" } });
    const added = await putProvider(app, definition, { "if-none-match": "*" });
    assert.deepEqual([added.status, headerOf(added, "etag")], [201, '"1"'], added.text);
    assert.deepEqual(memberOf(added.json(), "definition"), definition);
    assert.equal(memberOf(added.json(), "credential_configured"), false);
    assert.equal((await putProvider(app, definition, { "if-none-match": "*" })).status, 412);
    const changed = { ...definition, title: "Changed" };
    const replaced = await putProvider(app, changed, { "if-match": '"1"' });
    assert.deepEqual([replaced.status, headerOf(replaced, "etag")], [200, '"2"']);
    const late = await putProvider(app, definition, { "if-match": '"1"' });
    assert.deepEqual([late.status, textOf(late.json(), "error")], [412, "precondition_failed"]);
    assert.match(late.text, /version 2/);
    assert.equal(textOf((await admin(`/providers/${name}`)).json(), "definition", "title"), "Changed");
    const byTheLate = await admin(`/providers/${name}`, { method: "DELETE", headers: { "if-match": '"1"' } });
    assert.equal(byTheLate.status, 412);
    assert.equal((await admin(`/providers/${name}`, { method: "DELETE", headers: { "if-match": '"2"' } })).status, 204);
    assert.equal((await admin(`/providers/${name}`)).status, 404);
    assert.equal((await admin(`/providers/${name}`, { method: "DELETE" })).status, 404);
    const again = await putProvider(app, definition);
    assert.deepEqual([again.status, headerOf(again, "etag")], [201, '"4"']);
    const audit = (await admin(`/audit?subject_kind=provider&subject_id=${name}`)).json();
    const actions = listOf(audit, "data").map((entry) => textOf(entry, "action"));
    assert.deepEqual(actions.reverse(), ["provider.put", "provider.put", "provider.remove", "provider.put"]);
    assert.equal(textOf(audit, "data", 0, "after", "base_url"), "https://api.pictures.example");
    assert.equal(textOf(audit, "data", 0, "after", "setting"), "ATELIER_PROVIDER_NOBODY_KEY");
  });

  test("an invalid definition is refused with every invalid field, and nothing is stored", async () => {
    const name = newName();
    const fieldsOf = async (value: unknown) => {
      const answer = await app.call({
        method: "PUT",
        path: `/admin/providers/${name}`,
        headers: bearer(app.adminToken),
        body: value,
      });
      assert.equal(answer.status, 400, answer.text);
      return listOf(answer.json(), "details").map((field) => textOf(field, "path"));
    };
    const good = aDefinition(name);
    assert.deepEqual(await fieldsOf({ ...good, surprise: 1, models: [] }), ["/surprise", "/models"]);
    assert.deepEqual(await fieldsOf({ ...good, credential: { kind: "bearer", setting: "MY_KEY" } }), [
      "/credential/setting",
    ]);
    assert.deepEqual(await fieldsOf({ ...good, base_url: "https://me:secret@api.pictures.example" }), ["/base_url"]);
    assert.deepEqual(await fieldsOf({ ...good, provider: "other" }), ["/provider"]);
    const bad = aModel({
      recovery: "ask",
      price: { usd: "much" },
      submit: { path: "/", encoding: "json", headers: { Authorization: "Bearer abc", "X-Fine": "1" } },
      input_schema: { type: "object", properties: { pattern: { type: "string", pattern: "a+" }, x: { type: "text" } } },
    });
    assert.deepEqual(
      (await fieldsOf({ ...good, models: [bad, bad] })).filter((path) => path.startsWith("/models/1")),
      [
        "/models/1/model",
        "/models/1/ask",
        "/models/1/price/usd",
        "/models/1/submit/headers/Authorization",
        "/models/1/input_schema/properties/pattern/pattern",
        "/models/1/input_schema/properties/x/type",
      ],
    );
    // A remote operator cannot point the server into its own network.
    for (const base_url of ["http://api.pictures.example", "https://10.0.0.7", "https://metadata.internal"])
      assert.deepEqual(await fieldsOf({ ...good, base_url }), ["/base_url"], base_url);
    assert.equal((await admin(`/providers/${name}`)).status, 404);
    for (const headers of [{ "if-match": "1" }, { "if-none-match": '"1"' }])
      assert.equal((await putProvider(app, good, headers)).status, 400);
  });
});

describe("serving", () => {
  test("a write is served at once here and soon everywhere: catalog, schema document and price follow", async () => {
    const name = newName();
    const id = `${name}/sketch-2`;
    assert.equal((await putProvider(app, served(name, "0.01"))).status, 201);
    const first = await invoke(id);
    assert.deepEqual([first.status, headerOf(first, "x-service-credits-used")], [200, "2.11"], first.text);
    const etag = headerOf(await read(`/v1/models/${id}/openapi.json`), "etag");
    await until("the second process caught up", async () =>
      (await invoke(id, {}, second)).status === 200 ? true : null,
    );
    const schema = { type: "object", required: ["prompt", "size"], properties: { size: { type: "integer" } } };
    const changed = served(name, "0.02", "/direct", { input_schema: schema });
    assert.equal((await putProvider(app, changed)).status, 200);
    assert.equal((await invoke(id)).status, 422);
    const document = await read(`/v1/models/${id}/openapi.json`);
    assert.notEqual(headerOf(document, "etag"), etag);
    await until("the second process caught up", async () =>
      (await invoke(id, {}, second)).status === 422 ? true : null,
    );
    assert.equal((await putProvider(app, served(name, "0.02"))).status, 200);
    assert.equal(headerOf(await invoke(id), "x-service-credits-used"), "4.22");
    assert.equal((await admin(`/providers/${name}`, { method: "DELETE" })).status, 204);
    for (const path of [`/v1/models/${id}`, `/v1/models/${id}/openapi.json`])
      assert.equal((await read(path)).status, 404);
    assert.equal(bucket(await invoke(id)), "model_not_found");
    await until("the second process caught up", async () =>
      (await invoke(id, {}, second)).status === 404 ? true : null,
    );
  });

  test("an output schema is in the document, and an answer that differs still comes through byte for byte", async () => {
    const name = newName();
    const id = `${name}/sketch-2`;
    await putProvider(app, served(name, "0"));
    const [plain, before] = [await invoke(id), await read(`/v1/models/${id}/openapi.json`)];
    const schema = { type: "object", required: ["never"], properties: { never: { type: "string" } } };
    assert.equal((await putProvider(app, served(name, "0", "/direct", { output_schema: schema }))).status, 200);
    const [answer, after] = [await invoke(id), await read(`/v1/models/${id}/openapi.json`)];
    assert.deepEqual([answer.status, answer.text], [200, plain.text]);
    const at = ["paths", `/v1/models/${id}`, "post", "responses", "200", "content", "application/json", "schema"];
    assert.deepEqual([memberOf(before.json(), ...at), memberOf(after.json(), ...at)], [{ type: "object" }, schema]);
    assert.notEqual(headerOf(after, "etag"), headerOf(before, "etag"));
  });

  test("a stored definition overrides the file of the same provider, and the file applies again once it is removed", async () => {
    const fromFile = (await admin("/providers/sandbox")).json();
    assert.deepEqual([textOf(fromFile, "source"), memberOf(fromFile, "hidden_sources")], ["file", []]);
    const own = aDefinition("sandbox", { base_url: provider.url, models: [released("/direct", "0")] });
    const put = (await putProvider(app, own)).json();
    assert.deepEqual([textOf(put, "source"), memberOf(put, "hidden_sources")], ["admin", ["file"]]);
    assert.equal((await invoke("sandbox/sketch-2")).status, 200);
    assert.equal((await read("/v1/models/sandbox/image-1")).status, 404);
    assert.equal((await admin("/providers/sandbox", { method: "DELETE" })).status, 204);
    assert.equal((await invoke("sandbox/sketch-2")).status, 404);
    assert.equal((await read("/v1/models/sandbox/image-1")).status, 200);
  });

  test("a release can be withdrawn and restored, regardless of the definition; a withdrawn model is absent everywhere", async () => {
    const release = (word: boolean | null, model = "text-1") =>
      admin(`/models/sandbox/${model}/release`, { method: "PUT", body: { released: word } });
    const isListed = async () => (await read("/v1/models?limit=100")).text.includes('"sandbox/text-1"');
    const back = await release(false);
    const unmarked = { deprecated_at: null, sunset_at: null, verified: null };
    const taken = { id: "sandbox/text-1", released: false, release_override: false, served: false };
    assert.deepEqual(back.json(), { ...taken, ...unmarked });
    assert.equal(await isListed(), false);
    for (const path of ["/v1/models/sandbox/text-1", "/v1/models/sandbox/text-1/openapi.json"])
      assert.equal((await read(path)).status, 404);
    assert.equal((await invoke("sandbox/text-1")).status, 404);
    assert.equal(memberOf((await release(null)).json(), "released"), true);
    assert.equal(await isListed(), true);
    assert.equal((await release(true, "nothing")).status, 404);
    const hidden = newName();
    await putProvider(app, aDefinition(hidden, { base_url: provider.url }));
    assert.equal((await invoke(`${hidden}/sketch-2`)).status, 404);
    await admin(`/models/${hidden}/sketch-2/release`, { method: "PUT", body: { released: true } });
    assert.notEqual((await invoke(`${hidden}/sketch-2`)).status, 404);
    const audit = await admin("/audit?action=model.release&subject_id=sandbox/text-1");
    assert.equal(listOf(audit.json(), "data").length, 2);
  });

  test("a deprecated model says so on every answer with Deprecation and Sunset, and is absent after its sunset", async () => {
    const name = newName();
    await putProvider(app, served(name, "0.01"));
    const id = `${name}/sketch-2`;
    const retire = (body: object) => admin(`/models/${id}/retirement`, { method: "PUT", body });
    const dates = { deprecated_at: "2026-01-01T00:00:00.000Z", sunset_at: "2126-01-01T00:00:00.000Z" };
    assert.equal((await retire({ ...dates, sunset_at: "2026-02-01T00:00:00.000Z" })).status, 400, "90 days at least");
    const retired = await retire(dates);
    assert.equal(retired.status, 200, retired.text);
    assert.deepEqual(
      [memberOf(retired.json(), "deprecated_at"), memberOf(retired.json(), "sunset_at")],
      Object.values(dates),
    );
    for (const answer of [
      await read(`/v1/models/${id}`),
      await read(`/v1/models/${id}/openapi.json`),
      await invoke(id),
    ]) {
      assert.equal(answer.status, 200, answer.text);
      assert.equal(headerOf(answer, "deprecation"), "@1767225600");
      assert.equal(headerOf(answer, "sunset"), "Tue, 01 Jan 2126 00:00:00 GMT");
    }
    assert.equal(memberOf((await read(`/v1/models/${id}`)).json(), "sunset_at"), dates.sunset_at);
    await retire({ deprecated_at: "2020-01-01T00:00:00.000Z", sunset_at: "2021-01-01T00:00:00.000Z" });
    for (const answer of [await read(`/v1/models/${id}`), await invoke(id)])
      assert.deepEqual([answer.status, bucket(answer)], [404, "model_not_found"]);
    await retire({ deprecated_at: null });
    const back = await read(`/v1/models/${id}`);
    assert.deepEqual([back.status, headerOf(back, "deprecation")], [200, undefined]);
  });

  test("a model never called live says so, and the account's list has titles and prices", async () => {
    const name = newName();
    await putProvider(app, served(name, "0.01", "/direct", { title: "Sketch two", kind: "image" }));
    const detail = (await read(`/v1/models/${name}/sketch-2`)).json();
    assert.deepEqual(
      ["verified", "title", "kind"].map((name) => memberOf(detail, name)),
      [null, "Sketch two", "image"],
    );
    const list = await read("/account/models");
    const found = listOf(list.json(), "data").find((model) => memberOf(model, "id") === `${name}/sketch-2`);
    assert.deepEqual([memberOf(found, "title"), memberOf(found, "price")], ["Sketch two", "2.11"]);
    const inCatalog = listOf((await read("/v1/models?limit=100")).json(), "data");
    assert.ok(
      inCatalog.every((entry) => !("price" in Object(entry))),
      "the catalog never shows a price",
    );
  });

  test("until the definitions are loaded the router answers 503 with Retry-After and the process is not ready", async (context) => {
    const hide = (from: string, to: string) => app.database.execute(sqlText(`alter table ${from} rename to ${to}`));
    await hide("model_releases", "model_releases_away");
    const late = await testApp({ beside: app });
    context.after(() => late.close());
    try {
      for (const path of ["/v1/models", "/v1/models/sandbox/image-1"]) {
        const answer = await read(path, late);
        assert.deepEqual(
          [answer.status, bucket(answer), headerOf(answer, "retry-after")],
          [503, "service_unavailable", "1"],
        );
      }
      assert.equal((await invoke("sandbox/image-1", {}, late)).status, 503);
      assert.equal((await late.call({ path: "/admin/providers", headers: bearer(app.adminToken) })).status, 503);
      assert.match((await late.call({ path: "/readyz" })).text, /"release state":\{"status":"failing"/);
    } finally {
      await hide("model_releases_away", "model_releases");
    }
    await until("it caught up", async () => ((await read("/v1/models", late)).status === 200 ? true : null));
    // The probe's verdict is cached for half a second, so the one above may be returned once more.
    await until("the probe says so", async () =>
      /"release state":\{"status":"ok"/.test((await late.call({ path: "/readyz" })).text) ? true : null,
    );
  });
});

test("a stored definition that this server cannot read is reported to operators and affects nobody else", async () => {
  const name = newName();
  await app.database.transaction(async (tx) => {
    await tx.execute(
      sqlText(`insert into provider_definitions (provider, version, source, definition, digest, created_by)
        values ('${name}', 1, 'admin', '{"provider": "${name}", "of": "the future"}', '', 'a test')`),
    );
    await tx.execute(sqlText("update provider_revision set revision = revision + 1"));
  });
  const shown = await until("it was noticed", async () => {
    const answer = await admin(`/providers/${name}`);
    return answer.status === 200 ? answer.json() : null;
  });
  assert.deepEqual([memberOf(shown, "readable"), memberOf(shown, "definition")], [false, null]);
  assert.equal((await read("/v1/models/sandbox/image-1")).status, 200);
  assert.equal((await putProvider(app, aDefinition(name), { "if-match": '"1"' })).status, 200);
});
