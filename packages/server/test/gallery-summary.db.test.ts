// Boards, notes and what expires soon, over HTTP. The list of assets itself is v2's.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AssetNote, Gallery } from "@atelier/contract";
import { requireValid } from "../src/foundation/json/schema.ts";
import { type AppAnswer, bearer, listOf, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let studio: Tenant;
let stranger: Tenant;
before(async () => {
  app = await testApp();
  studio = await addTenant(app, "studio");
  stranger = await addTenant(app, "stranger");
});
after(() => app.close());

const call = (method: string, path: string, body?: unknown, key = studio.key): Promise<AppAnswer> =>
  app.call({ method, path, headers: bearer(key), ...(body === undefined ? {} : { body }) });

async function uploaded(name: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const data = new FormData();
  for (const [field, value] of Object.entries({ file_path: name, content_type: "text/plain", ...fields }))
    data.set(field, value);
  data.set("file", new Blob([name], { type: "text/plain" }), name);
  const made = new Response(data);
  const headers = { ...bearer(studio.key), "content-type": made.headers.get("content-type") ?? "" };
  const body = Buffer.from(await made.arrayBuffer());
  const answer = await app.call({ method: "POST", path: "/api/v2/assets", headers, body });
  assert.equal(answer.status, 201, answer.text);
  return textOf(answer.json(), "id");
}

const gallery = async (key = studio.key) =>
  requireValid(Gallery, (await call("GET", "/account/gallery", undefined, key)).json());

test("the gallery counts a workspace's assets, its boards with their newest asset, and what expires within a week", async () => {
  const [first, second, third] = [
    await uploaded("a"),
    await uploaded("b"),
    await uploaded("c", { expires_in: "3600" }),
  ];
  const tag = `board:${encodeURIComponent("Été à la mer")}`;
  for (const id of [first, second]) await call("PATCH", `/api/v2/assets/${id}`, { add: [tag], remove: [] });
  await call("PATCH", `/api/v2/assets/${third}`, { add: ["board:%zz", "starred"], remove: [] });
  const { boards, assets, size_bytes, expiring } = await gallery();
  assert.deepEqual([assets, size_bytes], [3, 3]);
  assert.deepEqual(boards, [
    { name: "Été à la mer", tag, assets: 2, cover_asset_id: second },
    { name: "%zz", tag: "board:%zz", assets: 1, cover_asset_id: third },
  ]);
  assert.equal(expiring.assets, 1);
  const soon = await call("GET", `/api/v2/assets?expires_before=${encodeURIComponent(expiring.before)}`);
  assert.deepEqual(
    listOf(soon.json(), "data").map((asset) => textOf(asset, "id")),
    [third],
  );
  assert.ok(expiring.first_at !== null && expiring.first_at < expiring.before);
  assert.equal((await call("GET", "/api/v2/assets?expires_before=soon")).status, 400);
  assert.deepEqual((await gallery(stranger.key)).boards, [], "nothing of another workspace");
  assert.equal((await gallery(stranger.key)).assets, 0);
});

test("a note on an asset is kept, changed and deleted with empty text or with the asset, and only its workspace sees it", async () => {
  const id = await uploaded("noted");
  const note = async (body?: unknown, key?: string) =>
    call(body === undefined ? "GET" : "PUT", `/account/assets/${id}/note`, body, key);
  const read = async () => requireValid(AssetNote, (await note()).json());
  assert.deepEqual(await read(), { text: "", updated_at: null });
  assert.equal((await note({ text: "Warmer light." })).status, 200);
  assert.equal((await note({ text: "Cooler <b>light</b>." })).status, 200);
  assert.equal((await read()).text, "Cooler <b>light</b>.");
  assert.equal((await note(undefined, stranger.key)).status, 404);
  assert.equal((await note({ text: "mine" }, stranger.key)).status, 404);
  assert.equal((await note({ text: "x".repeat(4001) })).status, 400);
  assert.equal((await note({ text: "" })).status, 200);
  assert.deepEqual(await read(), { text: "", updated_at: null });
  await note({ text: "gone with its asset" });
  assert.equal((await call("DELETE", `/api/v2/assets/${id}`)).status, 204);
  assert.equal((await note()).status, 404);
  assert.equal((await note({ text: "too late" })).status, 404);
});
