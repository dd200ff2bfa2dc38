// A model's answer with an address at its provider becomes an asset of the workspace that asked, and of no other.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { aKey, invokeOn } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
let neighbour: Tenant;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open({});
  neighbour = await addTenant(app, "Eve");
});
after(() => apps.close());

const keep = (body: object, key: string = app.key) =>
  app.call({ method: "POST", path: "/account/model-outputs", headers: bearer(key), body });
const assetsOf = async (key: string) =>
  listOf((await app.call({ path: "/api/v2/assets?tag=playground", headers: bearer(key) })).json(), "data");

// A picture by its address, and the request whose answer contained it.
async function aPicture(key: Readonly<Record<string, string>> = aKey(), prompt = "a red fox") {
  const answer = await invokeOn(app, "sandbox/image-1", { prompt, width: 64, height: 64 }, key);
  const [picture] = listOf(answer.json(), "images");
  return { url: textOf(picture, "url"), request_id: headerOf(answer, "x-service-request-id") ?? "", name: "fox.png" };
}

describe("keeping a model's output", () => {
  test("201, then 200 for the same bytes: a picture by the type of its bytes, found among the assets", async () => {
    const key = aKey();
    const body = { ...(await aPicture(key)), tags: ["playground"] };
    const first = await keep(body);
    assert.equal(first.status, 201, first.text);
    const again = await keep(body);
    assert.equal(again.status, 200, again.text);
    assert.equal(memberOf(again.json(), "created_new"), false);
    const id = textOf(first.json(), "asset_id");
    const [asset] = await assetsOf(app.key);
    assert.deepEqual([memberOf(asset, "id"), memberOf(asset, "content_type")], [id, "image/png"]);
    assert.deepEqual(await assetsOf(neighbour.key), []);
  });

  test("an answer replayed a moment ago is found by its key, which finds nothing of another workspace", async () => {
    const key = aKey();
    const picture = await aPicture(key);
    // The id of a replay whose row is not written yet.
    const body = { ...picture, request_id: randomUUID(), idempotency_key: key["idempotency-key"] };
    await unavailable(body, neighbour.key);
    await unavailable({ ...body, idempotency_key: randomUUID() });
    const kept = await keep(body);
    assert.equal(kept.status, 201, kept.text);
  });

  test("400 for an invalid web address, for a name that is a path, and without the request that answered", async () => {
    const good = { url: "https://a.example/x.png", name: "x.png", request_id: randomUUID() };
    for (const wrong of [
      { url: "file:///etc/passwd" },
      { url: "ftp://a.example/x" },
      { name: "../x.png" },
      { name: "" },
      { request_id: undefined },
    ])
      assert.equal((await keep({ ...good, ...wrong })).status, 400);
  });

  const unavailable = async (body: object, key?: string) => {
    const refused = await keep(body, key);
    assert.deepEqual([refused.status, memberOf(refused.json(), "error")], [404, "output_unavailable"], refused.text);
  };

  test("404 for every other path of the provider's host, and for every other port of this machine", async () => {
    const good = await aPicture();
    const { host } = new URL(app.baseUrl);
    const { origin } = new URL(good.url);
    for (const url of [
      `${origin}/`,
      `${origin}/runs`,
      `${good.url}?x=1`,
      `http://${host}/healthz`,
      `http://${host}/metrics`,
      "https://127.0.0.1/x",
      "http://169.254.169.254/latest",
    ])
      await unavailable({ ...good, url });
  });

  test("404 for the address of another call, of a call of another workspace, and of one that kept no answer", async () => {
    const [one, other] = [await aPicture(), await aPicture(aKey(), "a green fox")];
    await unavailable({ ...one, url: other.url });
    await unavailable(one, neighbour.key);
    await unavailable(await aPicture({}));
    await unavailable({ ...one, request_id: randomUUID() });
  });

  test("404 for an address that the caller wrote into the prompt and the answer repeats", async () => {
    const { url: wanted } = await aPicture(aKey(), "what another caller made");
    const { request_id } = await aPicture(aKey(), wanted);
    await unavailable({ url: wanted, request_id, name: "x.png" });
  });
});
