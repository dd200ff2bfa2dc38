// Files that answers name by a provider's addresses are copied to the workspace's assets, where the call or the definition asks for it.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { invariantsHold } from "./support/model-request-records-store.ts";
import { submitted } from "./support/model-requests.ts";
import { aKey, bucketOf, invokeOn, readOn } from "./support/router-calls.ts";
import { recordedUnderKey } from "./support/router-records-store.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { sha256Of } from "./support/sandbox-provider.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  const image = apps.definition.models.find(({ model }) => model === "image-1-queued");
  assert.ok(image);
  const models = [
    { ...image, keep_outputs: true },
    // Its result is where the caller's own words are.
    { ...image, model: "echo", result: ["/seed"] },
  ];
  const file = await apps.write("keeping", { ...apps.definition, provider: "keeping", models });
  app = await apps.open({ env: { ATELIER_PROVIDERS: `${apps.file},${file}`, ATELIER_BOOTSTRAP_CREDITS: "100000" } });
});
afterEach(() => invariantsHold(app.database));
after(() => apps.close());

const image = "sandbox/image-1-queued";
const picture = { prompt: "a red fox", width: 64, height: 64 };
const keep = { "x-service-keep-outputs": "true" };
const keptOf = (answer: AppAnswer) => headerOf(answer, "x-service-kept-outputs")?.split(",") ?? [];
const urlIn = (answer: AppAnswer) => textOf(listOf(memberOf(answer.json(), "result"), "images")[0], "url");
const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

async function assetOf(id: string, key = app.key): Promise<AppAnswer> {
  return app.call({ path: `/api/v2/assets/${id}`, headers: bearer(key) });
}

describe("where the call asks for it", () => {
  test("the answer's bytes are the provider's, and the header names an asset with the file's bytes", async () => {
    const key = aKey();
    const answer = await invokeOn(app, image, picture, { ...key, ...keep });
    assert.equal(answer.status, 200, answer.text);
    const [call] = await recordedUnderKey(app.database, key["idempotency-key"]);
    assert.equal((await apps.reference(call?.callId ?? ""))?.response_sha256, sha256Of(answer.bytes));
    const [id = "", ...others] = keptOf(answer);
    assert.deepEqual(others, []);
    const asset = (await assetOf(id)).json();
    assert.equal(memberOf(asset, "content_type"), "image/png");
    assert.ok((await bytesAt(urlIn(answer))).equals(await bytesAt(textOf(asset, "url"))));
    const replay = await invokeOn(app, image, picture, { ...key, ...keep });
    assert.deepEqual(keptOf(replay), [id]);
    const shown = await readOn(app, `/account/requests/${headerOf(answer, "x-service-request-id")}`);
    assert.deepEqual(memberOf(shown.json(), "kept_outputs"), [id]);
    const stranger = await addTenant(app, "Eve");
    assert.equal((await assetOf(id, stranger.key)).status, 404);
  });

  test("of a queued call too, whichever process runs it", async () => {
    const request = await submitted(app, image, picture, keep);
    await request.until("COMPLETED");
    const [id = ""] = keptOf(await request.result());
    assert.equal((await assetOf(id)).status, 200);
  });

  test("a free call without a key is no exception", async () => {
    const [id = ""] = keptOf(await invokeOn(app, "sandbox/image-1", picture, keep));
    assert.equal((await assetOf(id)).status, 200);
  });
});

test("without it nothing is kept", async () => {
  assert.deepEqual(keptOf(await invokeOn(app, image, picture)), []);
});

test("a definition keeps by itself, unless the call says no", async () => {
  assert.equal(keptOf(await invokeOn(app, "keeping/image-1-queued", picture, aKey())).length, 1);
  const not = { ...aKey(), "x-service-keep-outputs": "false" };
  assert.deepEqual(keptOf(await invokeOn(app, "keeping/image-1-queued", picture, not)), []);
});

test("only addresses at the places of results are fetched", async () => {
  const { url } = { url: urlIn(await invokeOn(app, image, picture, aKey())) };
  const answer = await invokeOn(app, "keeping/echo", { ...picture, prompt: url }, { ...aKey(), ...keep });
  assert.deepEqual([answer.status, keptOf(answer)], [200, []]);
});

test("without room for the copy the call succeeds, and is charged", async () => {
  const limit = { method: "PUT", path: `/admin/workspaces/${app.workspaceId}/limits/asset_bytes` };
  const put = await app.call({ ...limit, headers: bearer(app.adminToken), body: { value: 1 } });
  assert.ok(put.status < 300, put.text);
  const key = aKey();
  const answer = await invokeOn(app, image, { ...picture, prompt: "a large fox" }, { ...key, ...keep });
  assert.deepEqual([answer.status, keptOf(answer)], [200, []]);
  const [call] = await recordedUnderKey(app.database, key["idempotency-key"]);
  assert.ok(call && call.settleSum > 0n);
});

test("another word than true or false is 400, and a key without the right to create assets is 403", async () => {
  const wrong = await invokeOn(app, image, picture, { "x-service-keep-outputs": "yes" });
  assert.deepEqual([wrong.status, bucketOf(wrong)], [400, "invalid_input"]);
  const made = await app.call({
    method: "POST",
    path: "/account/keys",
    headers: bearer(app.key),
    body: { name: "models only", scopes: ["models"] },
  });
  assert.equal(made.status, 201, made.text);
  const narrow = { call: app.call, key: textOf(made.json(), "secret") };
  assert.equal((await invokeOn(narrow, image, picture, keep)).status, 403);
});
