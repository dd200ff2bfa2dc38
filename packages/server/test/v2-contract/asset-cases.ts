// The contract of v2's asset operations. The first case of each operation is the successful one.
import assert from "node:assert/strict";
import sharp from "sharp";
import { newId } from "../../src/foundation/ids.ts";
import { jsonType } from "../../src/surfaces/jobs.fixture.ts";
import { aForm, textOf } from "../../src/surfaces/surfaces.fixture.ts";
import { type Asked, type ContractCase, caseOf, type Scene } from "./contract-case.ts";

const nowhere = newId();
const noHash = `blake3:${"0".repeat(64)}`;

const form = (bytes: string | Buffer, fields: Record<string, string> = {}): Asked => ({
  method: "POST",
  target: "/api/v2/assets",
  body: aForm(bytes, fields),
});

async function anAsset(scene: Scene, bytes: string | Buffer = newId()): Promise<{ id: string; hash: string }> {
  const made = await scene.client.ask("/api/v2/assets", { method: "POST", body: aForm(bytes, {}) });
  assert.equal(made.status, 201, made.text);
  const { id, hash } = made.json();
  return { id: textOf(id), hash: textOf(hash) };
}

const fromHash = (body: unknown): Asked => ({
  method: "POST",
  target: "/api/v2/assets/from-hash",
  headers: jsonType,
  body: typeof body === "string" ? body : JSON.stringify(body),
});

const upload = caseOf("uploadAsset");
const again = caseOf("createAssetFromHash");
const making: readonly ContractCase[] = [
  upload("new bytes", 201, null, () => form(newId())),
  upload("bytes that are here", 200, null, async (scene) => {
    const bytes = newId();
    await anAsset(scene, bytes);
    return form(bytes);
  }),
  upload("no form", 400, "invalid_request", () => ({
    method: "POST",
    target: "/api/v2/assets",
    headers: jsonType,
    body: "{}",
  })),
  upload("bytes of another hash", 409, "hash_mismatch", () => form(newId(), { expected_hash: noHash })),
  upload("more than one asset may have", 413, "payload_too_large", async (scene) => {
    await scene.limit("asset_bytes", 10);
    return form("x".repeat(2_000));
  }),
  upload("a name that climbs", 422, "invalid_body", () => form("x", { file_path: "../x" })),
  upload("one asset too many", 429, "quota_exceeded", async (scene) => {
    await scene.limit("assets", 0);
    return form(newId());
  }),
  again("another name", 201, null, async (scene) =>
    fromHash({ hash: (await anAsset(scene)).hash, file_path: `${newId()}.bin` }),
  ),
  again("the same name", 200, null, async (scene) => {
    const { hash } = await anAsset(scene);
    const named = { hash, file_path: `${newId()}.bin` };
    const { target, ...request } = fromHash(named);
    assert.equal((await scene.client.ask(target, request)).status, 201);
    return fromHash(named);
  }),
  again("no JSON", 400, "invalid_request", () => fromHash("{")),
  again("bytes that nobody here has", 404, "blob_not_found", () => fromHash({ hash: noHash })),
  again("a body above the cap", 413, "payload_too_large", () => fromHash(" ".repeat(1024 * 1024 + 1))),
  again("no hash", 422, "invalid_body", () => fromHash({ hash: "blake3:x" })),
];

const check = caseOf("checkAssetByHash");
const list = caseOf("listAssets");
const tag = caseOf("changeAssetTags");
const tagging = (id: string, body: unknown): Asked => ({
  method: "PATCH",
  target: `/api/v2/assets/${id}`,
  headers: jsonType,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const read = caseOf("getAsset");
const remove = caseOf("deleteAsset");
const content = caseOf("getAssetContent");
const picture = caseOf("getAssetThumbnail");

const contentOf = async (scene: Scene, headers: Record<string, string> = {}): Promise<Asked> => ({
  target: `/api/v2/assets/${(await anAsset(scene)).id}/content`,
  headers,
});

async function aPicture(scene: Scene): Promise<string> {
  const background = { r: Math.floor(Math.random() * 256), g: Math.floor(Math.random() * 256), b: 9 };
  const bytes = await sharp({
    create: { width: 40 + Math.floor(Math.random() * 40), height: 30, channels: 3, background },
  })
    .png()
    .toBuffer();
  return `/api/v2/assets/${(await anAsset(scene, bytes)).id}/thumbnail?size=128`;
}

const keeping: readonly ContractCase[] = [
  check("bytes that are here", 200, null, async (scene) => ({
    method: "HEAD",
    target: `/api/v2/assets/by-hash/${(await anAsset(scene)).hash}`,
  })),
  check("bytes that nobody here has", 404, null, () => ({
    method: "HEAD",
    target: `/api/v2/assets/by-hash/${noHash}`,
  })),
  list("the newest", 200, null, () => ({ target: "/api/v2/assets?limit=2" })),
  list("uploads with a name, made since", 200, null, () => ({
    target: "/api/v2/assets?source=upload&q=PNG&created_from=2026-01-01T00:00:00Z",
  })),
  list("a source that is none", 400, "invalid_request", () => ({ target: "/api/v2/assets?source=nonsense" })),
  list("a moment that is none", 400, "invalid_request", () => ({ target: "/api/v2/assets?created_from=today" })),
  list("a kind that is none", 400, "invalid_request", () => ({ target: "/api/v2/assets?kind=nonsense" })),
  read("one's own", 200, null, async (scene) => ({ target: `/api/v2/assets/${(await anAsset(scene)).id}` })),
  read("nobody's", 404, "not_found", () => ({ target: `/api/v2/assets/${nowhere}` })),
  tag("one's own", 200, null, async (scene) => tagging((await anAsset(scene)).id, { add: ["starred"] })),
  tag("no JSON", 400, "invalid_request", async (scene) => tagging((await anAsset(scene)).id, "{")),
  tag("nobody's", 404, "not_found", () => tagging(nowhere, { add: ["starred"] })),
  tag("a body above the cap", 413, "payload_too_large", () => tagging(nowhere, " ".repeat(1024 * 1024 + 1))),
  tag("what is no tag", 422, "invalid_body", async (scene) => tagging((await anAsset(scene)).id, { add: [""] })),
  remove("one's own", 204, null, async (scene) => ({
    method: "DELETE",
    target: `/api/v2/assets/${(await anAsset(scene)).id}`,
  })),
  remove("nobody's", 404, "not_found", () => ({ method: "DELETE", target: `/api/v2/assets/${nowhere}` })),
  remove("one that is held", 409, "asset_in_use", async (scene) => {
    const { id } = await anAsset(scene);
    const { house } = scene;
    const { assets } = await house.assets.list({
      workspaceId: house.workspaceId,
      tag: null,
      kind: null,
      jobId: null,
      // All of them, because assets made in the same millisecond have no order.
      limit: 1000,
      cursor: null,
    });
    const assetIds = assets.filter((asset) => asset.id === id).map((asset) => asset.id);
    assert.equal(assetIds.length, 1);
    const holder = { kind: "job", id: newId() };
    await house.db.transaction((tx) => house.assets.hold(tx, { workspaceId: house.workspaceId, assetIds, holder }));
    return { method: "DELETE", target: `/api/v2/assets/${id}` };
  }),
  content("the whole", 200, null, (scene) => contentOf(scene)),
  content("a part", 206, null, (scene) => contentOf(scene, { range: "bytes=0-3" })),
  content("what is known already", 304, null, async (scene) => {
    const asked = await contentOf(scene);
    const first = await scene.client.ask(asked.target);
    return { ...asked, headers: { "if-none-match": first.headers["etag"] ?? '"none"' } };
  }),
  content("beyond the end", 416, "range_not_satisfiable", (scene) => contentOf(scene, { range: "bytes=900-" })),
  content("nobody's", 404, "not_found", () => ({ target: `/api/v2/assets/${nowhere}/content` })),
  picture("of a picture", 200, null, async (scene) => ({ target: await aPicture(scene) })),
  picture("that is known already", 304, null, async (scene) => {
    const target = await aPicture(scene);
    const first = await scene.client.ask(target);
    return { target, headers: { "if-none-match": textOf(first.headers["etag"]) } };
  }),
  picture("of a size that is none", 400, "invalid_request", async (scene) => ({
    target: (await aPicture(scene)).replace("=128", "=7"),
  })),
  picture("of what is no picture", 404, "not_found", async (scene) => ({
    target: `/api/v2/assets/${(await anAsset(scene)).id}/thumbnail`,
  })),
];

export const assetCases: readonly ContractCase[] = [...making, ...keeping];
