// Publishing as existing tools do it, over real HTTP: token in the body, signed upload, plain download.
import assert from "node:assert/strict";
import { request } from "undici";
import { bearer, memberOf, textOf } from "./app-client.ts";
import { craftZip, manifestText, type ZipPart } from "./craft-zip.ts";
import type { TestApp } from "./test-app.ts";

export interface Publisher {
  readonly id: string;
  readonly token: string;
  readonly key: string;
}

export async function createPublisher(
  app: Pick<TestApp, "call" | "key">,
  id: string,
  key = app.key,
): Promise<Publisher> {
  const headers = bearer(key);
  const made = await app.call({ method: "POST", path: "/publishers", headers, body: { id, name: `The ${id}` } });
  assert.equal(made.status, 201, made.text);
  const path = `/publishers/${id}/tokens`;
  const token = await app.call({ method: "POST", path, headers, body: { name: "for publishing" } });
  assert.equal(token.status, 201, token.text);
  return { id, token: textOf(token.json(), "token"), key };
}

export interface PublishRequest {
  readonly nodeId: string;
  readonly version: string;
  readonly node?: Readonly<Record<string, unknown>>;
  readonly nodeVersion?: Readonly<Record<string, unknown>>;
}

export function announce(
  app: Pick<TestApp, "call">,
  publisher: Pick<Publisher, "id" | "token">,
  request: PublishRequest,
) {
  return app.call({
    method: "POST",
    path: `/publishers/${publisher.id}/nodes/${request.nodeId}/versions`,
    body: {
      personal_access_token: publisher.token,
      // As a command line sends it: empty text for unset fields.
      node: { id: request.nodeId, name: "", description: "", icon: "", license: "{}", ...request.node },
      node_version: { version: request.version, dependencies: [], supported_os: [], ...request.nodeVersion },
    },
  });
}

export interface Got {
  readonly status: number;
  readonly bytes: Buffer;
  json(): unknown;
}

export async function put(url: string, body: Buffer, contentType = "application/zip"): Promise<Got> {
  return got(await request(url, { method: "PUT", body, headers: { "content-type": contentType } }));
}

export async function download(url: string): Promise<Got> {
  return got(await request(url));
}

async function got(answer: Awaited<ReturnType<typeof request>>): Promise<Got> {
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  return { status: answer.statusCode, bytes, json: () => JSON.parse(bytes.toString()) };
}

export function packed(publisherId: string, request: PublishRequest, parts: readonly ZipPart[] = []): Buffer {
  const declared = { publisherId, nodeId: request.nodeId, version: request.version };
  const plain = { name: "__init__.py", bytes: "NODE_CLASS_MAPPINGS = {}\n" };
  return craftZip([{ name: "pyproject.toml", bytes: manifestText(declared) }, plain, ...parts]);
}

export interface Published {
  readonly id: string;
  readonly status: string;
  readonly findings: readonly unknown[];
  readonly signedUrl: string;
}

export async function publish(
  app: Pick<TestApp, "call">,
  publisher: Publisher,
  request: PublishRequest,
  archive = packed(publisher.id, request),
): Promise<Published> {
  const announced = await announce(app, publisher, request);
  assert.equal(announced.status, 201, announced.text);
  const signedUrl = textOf(announced.json(), "signedUrl");
  const uploaded = await put(signedUrl, archive);
  assert.equal(uploaded.status, 200, uploaded.bytes.toString());
  const findings = memberOf(uploaded.json(), "findings");
  assert.ok(Array.isArray(findings));
  return {
    id: textOf(announced.json(), "node_version", "id"),
    status: textOf(uploaded.json(), "status"),
    findings,
    signedUrl,
  };
}

export function codesOf(findings: readonly unknown[]): string[] {
  return findings.map((finding) => textOf(finding, "code"));
}
