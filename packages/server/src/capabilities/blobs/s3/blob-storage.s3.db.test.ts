import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { type TestS3, testS3 } from "../../../../test/support/test-s3.ts";
import { Fault } from "../../../foundation/fault.ts";
import { parseBlobAddress } from "../blob-address.ts";
import { describeBlobStorage } from "../blob-storage.behaviour.ts";
import { type S3BlobStorageOptions, s3BlobStorage } from "./blob-storage.s3.ts";

const MiB = 1024 ** 2;

async function storageAt(s3: TestS3, options: Partial<S3BlobStorageOptions> = {}) {
  const parsed = parseBlobAddress(s3.address);
  assert.ok("address" in parsed && parsed.address.kind === "s3");
  const { credentials } = s3;
  return s3BlobStorage({ address: parsed.address.s3, credentials, partBytes: 5 * MiB, ...options });
}

describeBlobStorage("blobs in an S3-compatible store", async () => {
  const s3 = await testS3();
  return {
    storage: await storageAt(s3),
    largeBytes: 11 * MiB,
    isThorough: s3.isThorough,
    close: s3.close,
  };
});

describe("what S3 does in its own way", () => {
  let s3: TestS3;
  before(async () => {
    s3 = await testS3();
  });
  after(() => s3.close());

  test("a store that is away is service_unavailable with a time to come back, and readiness says so", async () => {
    const parsed = parseBlobAddress("s3://atelier-test/x?endpoint=http://127.0.0.1:9&path-style=1");
    assert.ok("address" in parsed && parsed.address.kind === "s3");
    const storage = await s3BlobStorage({ address: parsed.address.s3, credentials: s3.credentials });
    const staging = await storage.stage();
    await staging.write(Buffer.from("bytes"));
    await staging.seal("ab".repeat(32));
    await assert.rejects(
      staging.publish("ab".repeat(32), { size: 5, replace: false, isLikelyThere: false }),
      (thrown) => thrown instanceof Fault && thrown.code === "service_unavailable" && thrown.retryAfterSeconds === 5,
    );
    await staging.discard();
    assert.match((await storage.reachProblem()) ?? "", /bucket atelier-test/);
  });

  test("a store that takes requests and never answers is service_unavailable in the end", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const parsed = parseBlobAddress(`s3://atelier-test/x?endpoint=http://127.0.0.1:${port}&path-style=1`);
    assert.ok("address" in parsed && parsed.address.kind === "s3");
    const { credentials } = s3;
    const storage = await s3BlobStorage({ address: parsed.address.s3, credentials, requestMs: 100 });
    await assert.rejects(
      storage.stat("ab".repeat(32)),
      (thrown) => thrown instanceof Fault && thrown.code === "service_unavailable",
    );
    silent.closeAllConnections();
    silent.close();
  });

  test("readiness reports a bucket without access", async () => {
    const stranger = { ...s3, credentials: { accessKeyId: "stranger", secretAccessKey: "stranger" } };
    assert.match((await (await storageAt(stranger)).reachProblem()) ?? "", /denies access/);
  });

  test("an address at the store gives the bytes as it says, whole and in part, by its own method, and in no other way", async () => {
    const bytes = randomBytes(70_000);
    const hash = "ef".repeat(32);
    const storage = await storageAt(s3, { isDirect: true });
    const staging = await storage.stage();
    await staging.write(bytes);
    await staging.seal(hash);
    await staging.publish(hash, { size: bytes.length, replace: false, isLikelyThere: false });
    const disposition = `attachment; filename="a (1)!.png"; filename*=UTF-8''a%20%281%29%21%20%C3%A4.png`;
    const read = {
      seconds: 60,
      contentType: "image/png",
      contentDisposition: disposition,
      cacheControl: "private, max-age=9",
    };
    assert.ok(storage.directUrl);
    const [url, head] = [
      await storage.directUrl(hash, { ...read, method: "GET" }),
      await storage.directUrl(hash, { ...read, method: "HEAD" }),
    ];
    const whole = await fetch(url);
    assert.deepEqual(
      [
        whole.status,
        ...["content-type", "content-disposition", "cache-control"].map((name) => whole.headers.get(name)),
      ],
      [200, "image/png", disposition, "private, max-age=9"],
    );
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), bytes);
    const part = await fetch(url, { headers: { range: "bytes=100-199" } });
    assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, bytes.subarray(100, 200)]);
    const known = await fetch(head, { method: "HEAD" });
    assert.deepEqual([known.status, known.headers.get("content-length")], [200, "70000"]);
    // The small test store accepts any signature.
    if (!s3.isThorough) return;
    const other = new URL(url);
    other.searchParams.set("response-content-type", "text/html");
    const changed = [other.href, url.replace(hash, "ab".repeat(32)), url.replace("Expires=60", "Expires=600")];
    for (const wrong of changed) assert.equal((await fetch(wrong)).status, 403, wrong);
    assert.equal((await fetch(url, { method: "PUT", body: "x" })).status, 403);
  });

  test("a storage gives out no address unless configured to", async () => {
    assert.equal((await storageAt(s3)).directUrl, null);
  });

  test("more than one copy request may move is copied in pieces", async (t) => {
    if (!s3.isThorough) return t.skip("this store copies whole objects only");
    const storage = await storageAt(s3, { copyBytesMax: 6 * MiB });
    const bytes = randomBytes(14 * MiB + 1);
    const hash = "cd".repeat(32);
    const staging = await storage.stage();
    for (let at = 0; at < bytes.length; at += MiB) await staging.write(bytes.subarray(at, at + MiB));
    await staging.seal(hash);
    await staging.publish(hash, { size: bytes.length, replace: false, isLikelyThere: false });
    await staging.discard();
    const found = await storage.open(hash);
    assert.ok(found);
    assert.ok(Buffer.concat(await found.stream.toArray()).equals(bytes));
    assert.equal(await storage.remove(hash, async () => true), true);
  });

  test("a collector that was overtaken while it removed says so loudly", async () => {
    const storage = await storageAt(s3);
    const answers = [true, false];
    await assert.rejects(
      storage.remove("ef".repeat(32), async () => answers.shift() ?? false),
      /Another process changed blob/,
    );
  });
});
