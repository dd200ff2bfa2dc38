// What a model answered with an address of its provider becomes an asset of the workspace that asked, and of no other.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { invokeOn } from "./support/router-calls.ts";
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

describe("keeping what a model made", () => {
  test("201, then 200 for the same bytes: a picture by what its bytes are, found among the assets", async () => {
    const answer = await invokeOn(app, "sandbox/image-1", { prompt: "a red fox", width: 64, height: 64 });
    const [picture] = listOf(answer.json(), "images");
    const body = { url: textOf(picture, "url"), name: "fox.png", tags: ["playground"] };
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

  test("400 for what is no web address, and for a name that is a path", async () => {
    for (const wrong of [
      { url: "file:///etc/passwd" },
      { url: "ftp://a.example/x" },
      { name: "../x.png" },
      { name: "" },
    ])
      assert.equal((await keep({ url: "https://a.example/x.png", name: "x.png", ...wrong })).status, 400);
  });

  test("404 for addresses within our own network, without a word on what is there", async () => {
    const { host } = new URL(app.baseUrl);
    for (const url of ["https://127.0.0.1/x", "http://169.254.169.254/latest", `http://${host}/healthz`]) {
      const refused = await keep({ url, name: "x.png" });
      assert.deepEqual([refused.status, memberOf(refused.json(), "error")], [404, "output_unavailable"], url);
    }
  });
});
