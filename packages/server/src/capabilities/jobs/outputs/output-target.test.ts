import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newId } from "../../../foundation/ids.ts";
import { addressOf } from "./output-target.ts";
import { signS3Put } from "./s3-signature.ts";

const jobId = newId<"job">();
const https = { kind: "https", url: "https://files.example.com/in/{job_id}/{name}" } as const;
const s3 = {
  kind: "s3",
  endpoint: "https://s3.example.com",
  bucket: "pictures",
  prefix: "out/",
  region: "us-east-1",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
} as const;

test("a name in an address has every special character encoded", () => {
  assert.equal(addressOf(https, { jobId, name: "a b#?.png" }), `https://files.example.com/in/${jobId}/a%20b%23%3F.png`);
  assert.equal(
    addressOf(s3, { jobId, name: "sub/ü(1).png" }),
    "https://s3.example.com/pictures/out/sub/%C3%BC%281%29.png",
  );
});

test("no name leaves the folder or the host of its target", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom("..", "../../x", "a/../../b", "{job_id}", "//x", "$&")),
      (name) => {
        fc.pre(name.isWellFormed());
        for (const [target, folder] of [
          [https, `/in/${jobId}/`],
          [s3, "/pictures/out/"],
        ] as const) {
          const url = new URL(addressOf(target, { jobId, name }));
          assert.ok(url.pathname.startsWith(folder), url.href);
          assert.equal(url.host, target.kind === "s3" ? "s3.example.com" : "files.example.com");
          assert.equal(url.search + url.hash, "");
        }
      },
    ),
  );
});

// The expected text was computed for the same request with the signer of the SDK that the blob store uses.
test("a PUT is signed as other signers sign it", () => {
  const at = new Date("2026-11-16T10:00:00.000Z");
  const url = new URL(addressOf(s3, { jobId, name: "sub/ü (1).png" }));
  const headers = { "content-type": "image/png", "content-length": "12" };
  assert.equal(
    signS3Put({ ...s3, url, headers, at })["authorization"],
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261116/us-east-1/s3/aws4_request, SignedHeaders=content-length;content-type;host;x-amz-content-sha256;x-amz-date, Signature=8b75d5586228f52987da3d58d03462f9cb65ef4e16e823e011d33673ba12c007",
  );
});
