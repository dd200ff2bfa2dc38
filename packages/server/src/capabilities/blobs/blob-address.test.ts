import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { parseBlobAddress } from "./blob-address.ts";

test("a folder is named with or without the slashes of a URL", () => {
  for (const [text, directory] of [
    ["file:/srv/blobs", "/srv/blobs"],
    ["file:///srv/blobs", "/srv/blobs"],
    ["file:.atelier/blobs", resolve(".atelier/blobs")],
    ["file:/srv/with space", "/srv/with space"],
  ] as const) {
    assert.deepEqual(parseBlobAddress(text), { address: { kind: "file", directory } });
  }
});

test("a bucket is named with prefix, endpoint, region and style", () => {
  assert.deepEqual(parseBlobAddress("s3://pictures/a/b/?endpoint=http://127.0.0.1:7480&region=eu-1&path-style=1"), {
    address: {
      kind: "s3",
      s3: {
        bucket: "pictures",
        prefix: "a/b/",
        endpoint: "http://127.0.0.1:7480",
        publicEndpoint: null,
        region: "eu-1",
        pathStyle: true,
      },
    },
  });
  const none = { endpoint: null, publicEndpoint: null, region: null };
  assert.deepEqual(parseBlobAddress("s3://pictures"), {
    address: { kind: "s3", s3: { bucket: "pictures", prefix: "", ...none, pathStyle: false } },
  });
  const elsewhere = parseBlobAddress("s3://pictures?public-endpoint=https://files.example:8443");
  assert.ok("address" in elsewhere && elsewhere.address.kind === "s3");
  assert.equal(elsewhere.address.s3.publicEndpoint, "https://files.example:8443");
});

test("an unusable address is refused with a sentence", () => {
  for (const [text, problem] of [
    ["", /must be file/],
    ["/srv/blobs", /must be file/],
    ["file:", /does not name a folder/],
    ["file://host/share", /does not name a folder/],
    ["s3://", /does not name a bucket/],
    ["s3://A_B/x", /does not name a bucket/],
    ["s3://key:secret@bucket/x", /credentials/],
    ["s3://bucket/x?endpoint=ftp://x", /endpoint/],
    ["s3://bucket/x?endpoint=nonsense", /endpoint/],
    ["s3://bucket/x?public-endpoint=files.example", /public-endpoint/],
    ["s3://bucket/x?public-endpoint=https://files.example/path", /public-endpoint/],
    ["s3://bucket/x?path-style=yes", /path-style/],
    ["s3://bucket/x?secret=1", /unknown option secret/],
    ["s3://bucket/a%20b", /prefix/],
  ] as const) {
    const parsed = parseBlobAddress(text);
    assert.ok("problem" in parsed, text);
    assert.match(parsed.problem, problem);
  }
});
