// The signature of an output's PUT, checked by a store that is not ours: with `npm run test:long -- s3` Ceph's gateway verifies it;
// in other runs a small server only shows that the request has the right form.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { type TestS3, testS3 } from "../../../test/support/test-s3.ts";
import { systemClock } from "../../foundation/clock.ts";
import { createGuardedClient } from "../../foundation/http/outgoing/guarded-client.ts";
import { newId } from "../../foundation/ids.ts";
import { addressOf, type S3Target } from "./outputs/output-target.ts";
import { signS3Put } from "./outputs/s3-signature.ts";

describe("an output goes into an S3 bucket", () => {
  let s3: TestS3;
  let target: S3Target;
  before(async () => {
    s3 = await testS3();
    const address = new URL(s3.address);
    target = {
      kind: "s3",
      endpoint: address.searchParams.get("endpoint") ?? "",
      bucket: address.hostname,
      prefix: `${address.pathname.slice(1)}/`,
      region: "us-east-1",
      ...s3.credentials,
    };
  });
  after(() => s3.close());

  async function put(to: S3Target, name: string, bytes: Buffer): Promise<number> {
    const client = createGuardedClient({
      policy: { allowHttp: false, developmentTargets: [new URL(to.endpoint).host] },
      clock: systemClock,
    });
    const url = new URL(addressOf(to, { jobId: newId<"job">(), name }));
    const plain = { "content-type": "image/png", "content-length": String(bytes.length), "user-agent": "Atelier/test" };
    const headers = signS3Put({ ...to, url, headers: plain, at: new Date() });
    const body = Readable.from([bytes]);
    const outcome = await client.request({ url: url.href, method: "PUT", headers, body, totalMs: 30_000 });
    assert.equal(outcome.kind, "answered");
    return outcome.kind === "answered" ? outcome.status : 0;
  }

  test("S3 accepts it under any name, with its bytes and its type", async () => {
    const { credentials } = s3;
    const reader = new S3Client({ endpoint: target.endpoint, region: "us-east-1", forcePathStyle: true, credentials });
    try {
      for (const name of ["one.png", "a b+c (1)'!*.png", "ordner/größe~&=?#.png"]) {
        const bytes = Buffer.from(`bytes of ${name}`);
        assert.equal(await put(target, name, bytes), 200, name);
        const got = await reader.send(new GetObjectCommand({ Bucket: target.bucket, Key: `${target.prefix}${name}` }));
        assert.deepEqual([await got.Body?.transformToString(), got.ContentType], [bytes.toString(), "image/png"], name);
      }
    } finally {
      reader.destroy();
    }
  });

  test("S3 refuses it under another secret", async (context) => {
    if (!s3.isThorough) return context.skip("the small server does not look at secrets");
    assert.equal(await put({ ...target, secretAccessKey: "another" }, "x.png", Buffer.from("x")), 403);
  });
});
