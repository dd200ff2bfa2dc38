import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageProblem } from "../../foundation/settings.ts";
import { storeOrigin } from "./content-redirect.ts";

const none = { contentUrl: null, baseUrl: null, platformUrl: null, cloudUrl: null };
const on = { ...none, contentRedirect: true };

test("callers are redirected to the store's public origin, with or without the bucket in its name", () => {
  assert.equal(storeOrigin({ ...none, contentRedirect: false, blobs: null }), null);
  for (const [blobs, origin] of [
    ["s3://pics?endpoint=http://10.0.0.5:9000&path-style=1", "http://10.0.0.5:9000"],
    [
      "s3://pics?endpoint=http://10.0.0.5:9000&path-style=1&public-endpoint=https://files.example",
      "https://files.example",
    ],
    ["s3://pics?endpoint=https://store.example", "https://pics.store.example"],
    ["s3://pics?region=eu-central-1", "https://pics.s3.eu-central-1.amazonaws.com"],
  ] as const)
    assert.equal(storeOrigin({ ...on, blobs }), origin);
});

test("a store unfit for redirects is refused with what would be right", () => {
  const inner = "s3://pics?endpoint=http://store.example:9000&path-style=1";
  for (const [config, words] of [
    [{ blobs: null }, /needs ATELIER_BLOBS on S3/],
    [{ blobs: "file:/srv/blobs" }, /needs ATELIER_BLOBS on S3/],
    [{ blobs: "s3://pics" }, /region=… or endpoint=…/],
    [{ blobs: "s3://pics?nonsense=1" }, /unknown option nonsense/],
    [{ blobs: inner, contentUrl: "https://content.example" }, /from https to http: .* public-endpoint=https/],
    [{ blobs: inner, baseUrl: "https://store.example" }, /store\.example, which is the API's own host/],
    [{ blobs: inner, platformUrl: "https://store.example:8443" }, /the API's own host/],
  ] as const)
    assert.throws(
      () => storeOrigin({ ...on, ...config }),
      (thrown) => thrown instanceof UsageProblem && words.test(thrown.message),
    );
});
