// Resumable uploads in progress when their server is killed: one with a deferred length, and two partial ones. What was
// acknowledged must still be there afterwards, and lead to the files.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { request } from "undici";

export interface UnfinishedUploads {
  readonly deferred: string;
  readonly partials: readonly [string, string];
}

export interface UploadServer {
  readonly baseUrl: string;
  readonly key: string;
}

const version = { "tus-resumable": "1.0.0" };
const named = (name: string) => ({ "upload-metadata": `filename ${Buffer.from(name).toString("base64")}` });

async function ask(
  { baseUrl, key }: UploadServer,
  method: "POST" | "PATCH" | "HEAD",
  path: string,
  wanted: number,
  { headers = {}, body = "" }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Record<string, string>> {
  const all = { "x-api-key": key, ...version, ...headers };
  const answer = await request(new URL(path, baseUrl), { method, headers: all, body: body || null });
  assert.equal(answer.statusCode, wanted, `${method} ${path}: ${await answer.body.text()}`);
  return Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
}

async function begin(server: UploadServer, headers: Record<string, string>): Promise<string> {
  return (await ask(server, "POST", "/api/v2/uploads", 201, { headers }))["location"] ?? "";
}

const piece = (server: UploadServer, path: string, offset: number, body: string, more: Record<string, string> = {}) =>
  ask(server, "PATCH", path, 204, {
    headers: { "upload-offset": String(offset), "content-type": "application/offset+octet-stream", ...more },
    body,
  });

export async function beginUploads(server: UploadServer): Promise<UnfinishedUploads> {
  const deferred = await begin(server, { "upload-defer-length": "1", ...named("deferred.txt") });
  await piece(server, deferred, 0, "acknowledged, ");
  const first = await begin(server, { "upload-concat": "partial", "upload-length": "6" });
  await piece(server, first, 0, "first ", { "upload-checksum": `sha1 ${sha1("first ")}` });
  const second = await begin(server, { "upload-concat": "partial", "upload-length": "6" });
  await piece(server, second, 0, "sec");
  return { deferred, partials: [first, second] };
}

// The ids of the two assets, with the contents "acknowledged, finished" and "first second".
export async function finishUploads(server: UploadServer, uploads: UnfinishedUploads): Promise<readonly string[]> {
  const [first, second] = uploads.partials;
  const offsets: (string | undefined)[] = [];
  for (const path of [uploads.deferred, first, second])
    offsets.push((await ask(server, "HEAD", path, 200))["upload-offset"]);
  assert.deepEqual(offsets, ["14", "6", "3"]);
  const finished = await piece(server, uploads.deferred, 14, "finished", { "upload-length": "22" });
  await piece(server, second, 3, "ond");
  const joined = { "upload-concat": `final;${first} ${second}`, ...named("joined.txt") };
  const final = await begin(server, joined);
  assert.equal(await begin(server, joined), final, "the same request gets the same upload");
  const head = await ask(server, "HEAD", final, 200);
  return [finished, head].map(({ location = "" }) => location.slice(location.lastIndexOf("/") + 1));
}

const sha1 = (text: string) => createHash("sha1").update(text).digest("base64");
