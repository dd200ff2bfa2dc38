// A store that throttles, or whose clock differs: what can be retried is, and everything else is refused with a time to
// come back.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type S3Front, s3Front, skewedBy, tooSkewed } from "../../../test/support/s3-front.ts";
import { type TestS3, testS3 } from "../../../test/support/test-s3.ts";
import { Fault } from "../../foundation/fault.ts";
import { parseBlobAddress } from "./blob-address.ts";
import { s3BlobStorage } from "./s3/blob-storage.s3.ts";

describe("what an S3 store refuses for a while", { timeout: 900_000 }, () => {
  let store: TestS3;
  let front: S3Front;
  before(async () => {
    store = await testS3();
  });
  beforeEach(async () => {
    await front?.close();
    front = await s3Front(store);
  });
  after(async () => {
    await front.close();
    await store.close();
  });

  const open = () => {
    const parsed = parseBlobAddress(front.address);
    assert.ok("address" in parsed && parsed.address.kind === "s3");
    return s3BlobStorage({ address: parsed.address.s3, credentials: front.credentials, isDirect: true });
  };
  const put = async (hash: string, storage: Awaited<ReturnType<typeof open>>) => {
    const staging = await storage.stage();
    await staging.write(Buffer.from("bytes"));
    await staging.seal(hash);
    await staging.publish(hash, { size: 5, replace: false, isLikelyThere: false });
    return (await storage.stat(hash))?.size;
  };
  const refusedWith = (words: RegExp, retryAfterSeconds: number) => (thrown: unknown) =>
    thrown instanceof Fault &&
    thrown.code === "service_unavailable" &&
    words.test(thrown.message) &&
    thrown.retryAfterSeconds === retryAfterSeconds;

  test("SlowDown twice is waited out", async () => {
    front.answer = () => (front.refused < 2 ? { status: 503, code: "SlowDown" } : null);
    assert.equal(await put("a1".repeat(32), await open()), 5);
    assert.equal(front.refused, 2);
  });

  test("a lasting 429 is reported with the store's Retry-After after four tries, and readiness says why", async () => {
    front.answer = () => ({ status: 429, code: "TooManyRequests", headers: { "retry-after": "1" } });
    const storage = await open();
    await assert.rejects(storage.stat("a2".repeat(32)), refusedWith(/fewer requests/, 1));
    assert.equal(front.refused, 4);
    assert.match((await storage.reachProblem()) ?? "", /asks for fewer requests/);
    front.answer = () => null;
    assert.equal(await put("a2".repeat(32), storage), 5);
    assert.equal(await storage.reachProblem(), null);
  });

  for (const minutes of [11, -11])
    test(`a clock that is ${minutes} minutes ahead is followed: requests and addresses are signed by the store's time`, async () => {
      front.answer = skewedBy(minutes);
      const storage = await open();
      assert.equal(await put(minutes > 0 ? "a3".repeat(32) : "a4".repeat(32), storage), 5);
      assert.ok(front.refused >= 1);
      const words = minutes > 0 ? /clock is 11 minutes ahead of/ : /clock is 11 minutes behind/;
      // Learned from the store's refusals; its normal answers show its real time.
      front.answer = () => tooSkewed(new Date(Date.now() + minutes * 60_000));
      assert.match((await storage.reachProblem()) ?? "", words);
    });

  test("an uncorrectable clock skew is reported with its size, and clears once the clock is set", async () => {
    const isAhead = () => new Date(Date.now() + 20 * 60_000);
    front.answer = () => tooSkewed(isAhead());
    const storage = await open();
    await assert.rejects(put("a5".repeat(32), storage), refusedWith(/clocks differ/, 30));
    assert.equal(
      await storage.reachProblem(),
      "The blob store refuses requests because its clock is 20 minutes ahead of this server's. Synchronize the clocks (NTP).",
    );
    front.answer = () => null;
    assert.equal(await put("a5".repeat(32), storage), 5);
    assert.equal(await storage.reachProblem(), null);
  });

  test("a large clock skew warns the operator, and a small one does not", async () => {
    const storage = await open();
    await storage.stat("a6".repeat(32));
    assert.equal(storage.clockProblem(), null);
    const date = new Date(Date.now() - 10 * 60_000).toUTCString();
    front.answer = () => ({ status: 404, code: "NoSuchKey", headers: { date } });
    assert.equal(await storage.stat("a6".repeat(32)), null);
    assert.equal(storage.clockProblem(), "The blob store's clock is 10 minutes behind this server's.");
    assert.ok(storage.directUrl);
    const read = { seconds: 60, contentType: "image/png", contentDisposition: "inline", cacheControl: "no-store" };
    const url = new URL(await storage.directUrl("a6".repeat(32), { ...read, method: "GET" }));
    const signedAt = url.searchParams.get("X-Amz-Date") ?? "";
    const expected = new Date(date).toISOString().replace(/[-:]|\.\d{3}/g, "");
    assert.equal(signedAt.slice(0, 11), expected.slice(0, 11));
    assert.ok(signedAt < new Date(Date.now() - 5 * 60_000).toISOString().replace(/[-:]|\.\d{3}/g, ""));
  });
});
