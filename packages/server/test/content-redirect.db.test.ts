// ATELIER_CONTENT_REDIRECT: downloads by signed addresses go to the store itself, after the same checks as without it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { bearer } from "./support/app-client.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { type TestS3, testS3 } from "./support/test-s3.ts";

const picture = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(40_000, 7)]);

describe("downloads redirected to the store", { timeout: 900_000 }, () => {
  let s3: TestS3;
  let app: TestApp;
  let store: URL;
  before(async () => {
    s3 = await testS3();
    store = new URL(new URL(s3.address).searchParams.get("endpoint") ?? "");
    app = await testApp({
      env: {
        ATELIER_BLOBS: s3.address,
        ATELIER_BLOBS_KEY_ID: s3.credentials.accessKeyId,
        ATELIER_BLOBS_SECRET: s3.credentials.secretAccessKey,
        ATELIER_CONTENT_REDIRECT: "on",
      },
    });
  });
  after(async () => {
    await app.close();
    await s3.close();
  });

  const upload = async (name: string, contentType: string, bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.set("content_type", contentType);
    form.set("file_path", name);
    form.set("file", new Blob([bytes]), name);
    const made = await fetch(`${app.baseUrl}/api/v2/assets`, { method: "POST", headers: bearer(app.key), body: form });
    const body: unknown = await made.json();
    assert.ok(typeof body === "object" && body !== null && "url" in body && "id" in body, JSON.stringify(body));
    return { url: String(body.url), id: String(body.id) };
  };
  const ask = (url: string, init: RequestInit = {}) => fetch(url, { ...init, redirect: "manual" });

  test("a picture is read there whole, in part and by HEAD; the address lives for a minute and no cache keeps it", async () => {
    const { url } = await upload("a.png", "image/png", picture);
    const sent = await ask(url);
    const location = new URL(sent.headers.get("location") ?? "");
    assert.deepEqual(
      [sent.status, sent.headers.get("cache-control"), location.origin, sent.headers.get("referrer-policy")],
      [302, "no-store", store.origin, "no-referrer"],
    );
    assert.equal(location.searchParams.get("X-Amz-Expires"), "60");
    const whole = await fetch(url);
    assert.deepEqual(
      [whole.status, whole.headers.get("content-type"), whole.headers.get("content-disposition")],
      [200, "image/png", 'inline; filename="a.png"'],
    );
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), picture);
    const part = await fetch(url, { headers: { range: "bytes=16-115" } });
    assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, picture.subarray(16, 116)]);
    const head = await fetch(url, { method: "HEAD" });
    assert.deepEqual([head.status, head.headers.get("content-length")], [200, String(picture.length)]);
    assert.equal((await ask(url, { method: "HEAD" })).status, 302);
  });

  test("anything a browser might run is saved there, and text for display comes from here", async () => {
    const page = await upload("a.html", "text/html", Buffer.from("<script>alert(1)</script>"));
    const saved = await fetch(page.url);
    assert.equal(new URL(saved.url).origin, store.origin);
    assert.deepEqual(
      [saved.headers.get("content-type"), saved.headers.get("content-disposition")],
      ["application/octet-stream", 'attachment; filename="a.html"'],
    );
    const text = await upload("a.txt", "text/plain", Buffer.from("hello"));
    const shown = await ask(text.url);
    assert.deepEqual(
      [shown.status, shown.headers.get("x-content-type-options"), await shown.text()],
      [200, "nosniff", "hello"],
    );
  });

  test("callers with a credential, and pages that read, get the bytes from here", async () => {
    const { url } = await upload("b.png", "image/png", picture);
    for (const headers of [bearer(app.key), { "x-api-key": app.key }, { origin: new URL(app.baseUrl).origin }]) {
      const answer = await ask(url, { headers });
      assert.equal(answer.status, 200, JSON.stringify(headers));
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), picture);
    }
    const console = await fetch(`${app.baseUrl}/`, { headers: { accept: "text/html" } });
    const policy = console.headers.get("content-security-policy") ?? "";
    assert.match(policy, new RegExp(`img-src [^;]*${store.origin}`));
    assert.match(policy, new RegExp(`media-src [^;]*${store.origin}`));
    assert.doesNotMatch(policy, new RegExp(`connect-src [^;]*${store.origin}`));
  });

  test("a caller with an API key reaches the bytes over both redirects, and the key reaches no other host", async () => {
    const { id } = await upload("e.png", "image/png", picture);
    const path = `${app.baseUrl}/api/v2/assets/${id}/content`;
    for (const [headers, origin] of [
      // Clients drop this header when the host changes, but keep the other.
      [bearer(app.key), store.origin],
      [{ "x-api-key": app.key }, `http://127.0.0.1:${app.contentPort}`],
    ] as const) {
      const answer = await fetch(path, { headers });
      assert.deepEqual([answer.status, new URL(answer.url).origin], [200, origin]);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), picture);
    }
  });

  test("every refusal comes first: a wrong signature, an unknown asset, a range outside, a deleted one", async () => {
    const { url, id } = await upload("c.png", "image/png", picture);
    const etag = (await ask(url, { headers: { origin: "null" } })).headers.get("etag") ?? "";
    assert.equal((await ask(url, { headers: { "if-none-match": etag } })).status, 304);
    assert.equal((await ask(url, { headers: { range: "bytes=999999-" } })).status, 416);
    assert.equal((await ask(url.replace(/s=./, (found) => (found === "s=A" ? "s=B" : "s=A")))).status, 403);
    assert.equal((await ask(url.replace(/e=\d/, "e=9"))).status, 403);
    assert.equal((await ask(url)).status, 302);
    const deleted = await fetch(`${app.baseUrl}/api/v2/assets/${id}`, { method: "DELETE", headers: bearer(app.key) });
    assert.equal(deleted.status, 204);
    assert.equal((await ask(url)).status, 403);
  });

  test("nothing is redirected to bytes that were found damaged", async () => {
    const bytes = Buffer.concat([picture, Buffer.from("damaged later")]);
    const { url } = await upload("d.png", "image/png", bytes);
    const location = new URL((await ask(url)).headers.get("location") ?? "");
    const [, bucket = "", key = ""] = /^\/([^/]+)\/(.+)$/.exec(location.pathname) ?? [];
    const client = new S3Client({
      endpoint: store.origin,
      region: "us-east-1",
      forcePathStyle: true,
      requestChecksumCalculation: "WHEN_REQUIRED",
      credentials: s3.credentials,
    });
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: Buffer.alloc(bytes.length, 1) }));
    client.destroy();
    assert.equal((await ask(url)).status, 302);
    // Read through this server, the damage is noticed.
    assert.equal((await ask(url, { headers: { origin: "null" } })).status, 500);
    assert.equal((await ask(url)).status, 500);
  });
});
