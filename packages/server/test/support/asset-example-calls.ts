// One example call for each operation on assets and resumable uploads.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { bearer, textOf } from "./app-client.ts";
import type { ExampleCall, Scene } from "./example-call.ts";

const boundary = "atelier-example";
// A picture of one pixel.
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function upload(scene: Scene) {
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = `${field("content_type", "image/png")}${field("file_path", `${randomUUID()}.png`)}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  // Different bytes after the picture's end make every upload a new one.
  const body = Buffer.concat([
    Buffer.from(head),
    pixel,
    Buffer.from(randomUUID()),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = { ...bearer(scene.app.key), "content-type": `multipart/form-data; boundary=${boundary}` };
  return { method: "POST", path: "/api/v2/assets", headers, body };
}

async function anAsset(scene: Scene): Promise<{ id: string; hash: string }> {
  const answer = await scene.app.call(upload(scene));
  assert.equal(answer.status, 201, answer.text);
  return { id: textOf(answer.json(), "id"), hash: textOf(answer.json(), "hash") };
}

const onAsset = (
  status: number,
  path: (asset: { id: string; hash: string }) => string,
  method = "GET",
): ExampleCall => ({
  status,
  async make(scene) {
    return { method, path: path(await anAsset(scene)), headers: bearer(scene.app.key) };
  },
});

const tus = (scene: Scene) => ({ ...bearer(scene.app.key), "tus-resumable": "1.0.0" });
const base64 = (text: string) => Buffer.from(text).toString("base64");

function announce(scene: Scene) {
  const metadata = `file_path ${base64(`${randomUUID()}.txt`)},content_type ${base64("text/plain")}`;
  const headers = { ...tus(scene), "upload-length": "5", "upload-metadata": metadata };
  return { method: "POST", path: "/api/v2/uploads", headers };
}

async function anUpload(scene: Scene): Promise<string> {
  const answer = await scene.app.call(announce(scene));
  assert.equal(answer.status, 201, answer.text);
  return new URL(String(answer.headers["location"]), scene.app.baseUrl).pathname;
}

export const assetExamples: Readonly<Record<string, ExampleCall>> = {
  uploadAsset: { status: 201, make: upload },
  createAssetFromHash: {
    status: 201,
    async make(scene) {
      const { hash } = await anAsset(scene);
      return { method: "POST", path: "/api/v2/assets/from-hash", headers: bearer(scene.app.key), body: { hash } };
    },
  },
  checkAssetByHash: onAsset(200, ({ hash }) => `/api/v2/assets/by-hash/${hash}`, "HEAD"),
  listAssets: { status: 200, make: ({ app }) => ({ path: "/api/v2/assets", headers: bearer(app.key) }) },
  getAsset: onAsset(200, ({ id }) => `/api/v2/assets/${id}`),
  changeAssetTags: {
    status: 200,
    async make(scene) {
      const { id } = await anAsset(scene);
      const body = { add: ["starred"], remove: ["old"] };
      return { method: "PATCH", path: `/api/v2/assets/${id}`, headers: bearer(scene.app.key), body };
    },
  },
  deleteAsset: onAsset(204, ({ id }) => `/api/v2/assets/${id}`, "DELETE"),
  getAssetContent: onAsset(302, ({ id }) => `/api/v2/assets/${id}/content`),
  getAssetThumbnail: onAsset(200, ({ id }) => `/api/v2/assets/${id}/thumbnail?size=128`),
  getGallery: { status: 200, make: ({ app }) => ({ path: "/account/gallery", headers: bearer(app.key) }) },
  getAssetNote: onAsset(200, ({ id }) => `/account/assets/${id}/note`),
  setAssetNote: {
    status: 200,
    async make(scene) {
      const { id } = await anAsset(scene);
      const body = { text: "Warmer light next time." };
      return { method: "PUT", path: `/account/assets/${id}/note`, headers: bearer(scene.app.key), body };
    },
  },
  createUpload: { status: 201, make: announce },
  getUploadOffset: {
    status: 200,
    make: async (scene) => ({ method: "HEAD", path: await anUpload(scene), headers: tus(scene) }),
  },
  appendToUpload: {
    status: 204,
    async make(scene) {
      const type = { "content-type": "application/offset+octet-stream", "upload-offset": "0" };
      return {
        method: "PATCH",
        path: await anUpload(scene),
        headers: { ...tus(scene), ...type },
        body: Buffer.from("hello"),
      };
    },
  },
  deleteUpload: {
    status: 204,
    make: async (scene) => ({ method: "DELETE", path: await anUpload(scene), headers: tus(scene) }),
  },
};
