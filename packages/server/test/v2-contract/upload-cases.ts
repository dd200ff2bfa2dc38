// The contract of v2's resumable uploads, which speak tus: errors are plain text. The first case of each operation is the
// successful one.
import { newId } from "../../src/foundation/ids.ts";
import { textOf } from "../../src/surfaces/surfaces.fixture.ts";
import { type Asked, type ContractCase, caseOf, type Scene } from "./contract-case.ts";

const nowhere = `/api/v2/uploads/${newId()}`;
const version = { "tus-resumable": "1.0.0" };
const bytesType = { "content-type": "application/offset+octet-stream" };
const metadataOf = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
    .join(",");

const announcement = (length: number | string, fields: Record<string, string> = {}): Asked => ({
  method: "POST",
  target: "/api/v2/uploads",
  headers: {
    ...version,
    "upload-length": String(length),
    "upload-metadata": metadataOf({ content_type: "text/plain", file_path: "x.bin", ...fields }),
  },
});

async function anUpload(scene: Scene, fields: Record<string, string> = {}): Promise<string> {
  const { target, ...request } = announcement(3, fields);
  const made = await scene.client.ask(target, request);
  const location = textOf(made.headers["location"]);
  scene.undo(() => scene.client.ask(location, { method: "DELETE", headers: version }));
  return location;
}

async function aPartial(scene: Scene, bytes: string): Promise<string> {
  const headers = { ...version, "upload-concat": "partial", "upload-length": "3" };
  const made = await scene.client.ask("/api/v2/uploads", { method: "POST", headers });
  const location = textOf(made.headers["location"]);
  scene.undo(() => scene.client.ask(location, { method: "DELETE", headers: version }));
  const { target, ...request } = piece(location, bytes);
  await scene.client.ask(target, request);
  return location;
}

const joining = (partial: string, fields: Record<string, string> = {}): Asked => ({
  method: "POST",
  target: "/api/v2/uploads",
  headers: {
    ...version,
    "upload-concat": `final;${partial}`,
    "upload-metadata": metadataOf({ file_path: "x.bin", ...fields }),
  },
});

const piece = (target: string, body: string, headers: Record<string, string> = {}): Asked => ({
  method: "PATCH",
  target,
  headers: { ...version, ...bytesType, "upload-offset": "0", ...headers },
  body,
});

const create = caseOf("createUpload");
const offset = caseOf("getUploadOffset");
const append = caseOf("appendToUpload");
const remove = caseOf("deleteUpload");

export const uploadCases: readonly ContractCase[] = [
  create("a length", 201, null, () => announcement(3)),
  create("no length", 400, null, () => announcement("x")),
  create("no version", 412, null, () => ({
    method: "POST",
    target: "/api/v2/uploads",
    headers: { "upload-length": "3" },
  })),
  create("more than one asset may have", 413, null, async (scene) => {
    await scene.limit("asset_bytes", 10);
    return announcement(11);
  }),
  create("a partial upload that does not exist", 404, null, () => joining(nowhere)),
  create("a partial upload that is incomplete", 409, null, async (scene) => joining(await aPartial(scene, ""))),
  create("parts that have another hash together", 460, null, async (scene) =>
    joining(await aPartial(scene, "abc"), { expected_hash: `blake3:${"0".repeat(64)}` }),
  ),
  create("a name that climbs", 422, null, () => announcement(1, { file_path: "../x" })),
  create("beyond the quota", 429, null, async (scene) => {
    await scene.limit("bytes", 0);
    return announcement(3);
  }),
  offset("one's own", 200, null, async (scene) => ({
    method: "HEAD",
    target: await anUpload(scene),
    headers: version,
  })),
  offset("nobody's", 404, null, () => ({ method: "HEAD", target: nowhere, headers: version })),
  offset("no version", 412, null, async (scene) => ({ method: "HEAD", target: await anUpload(scene) })),
  append("the next piece", 204, null, async (scene) => piece(await anUpload(scene), "ab")),
  append("no offset", 400, null, async (scene) => piece(await anUpload(scene), "ab", { "upload-offset": "x" })),
  append("nobody's", 404, null, () => piece(nowhere, "ab")),
  append("another offset", 409, null, async (scene) => piece(await anUpload(scene), "b", { "upload-offset": "1" })),
  append("no version", 412, null, async (scene) => ({
    method: "PATCH",
    target: await anUpload(scene),
    headers: { ...bytesType, "upload-offset": "0" },
    body: "a",
  })),
  append("more than was announced", 413, null, async (scene) => piece(await anUpload(scene), "abcd")),
  append("another content type", 415, null, async (scene) =>
    piece(await anUpload(scene), "ab", { "content-type": "text/plain" }),
  ),
  append("bytes of another hash", 460, null, async (scene) =>
    piece(await anUpload(scene, { expected_hash: `blake3:${"0".repeat(64)}` }), "abc"),
  ),
  remove("one's own", 204, null, async (scene) => ({
    method: "DELETE",
    target: await anUpload(scene),
    headers: version,
  })),
  remove("nobody's", 404, null, () => ({ method: "DELETE", target: nowhere, headers: version })),
  remove("no version", 412, null, async (scene) => ({ method: "DELETE", target: await anUpload(scene) })),
];
