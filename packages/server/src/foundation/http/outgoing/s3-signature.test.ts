import assert from "node:assert/strict";
import { test } from "node:test";
import { algorithm, signingScope, signS3 } from "./s3-signature.ts";

test("the presigned address of Amazon's own documentation has Amazon's own signature", () => {
  const at = signingScope(new Date("2013-05-24T00:00:00Z"), "us-east-1");
  const url = new URL("https://examplebucket.s3.amazonaws.com/test.txt");
  const query = [
    `X-Amz-Algorithm=${algorithm}`,
    "X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request",
    "X-Amz-Date=20130524T000000Z",
    "X-Amz-Expires=86400",
    "X-Amz-SignedHeaders=host",
  ].join("&");
  const secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  assert.deepEqual(signS3({ method: "GET", url, query, headers: {} }, at, secret), {
    signature: "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
    signedHeaders: "host",
  });
});
