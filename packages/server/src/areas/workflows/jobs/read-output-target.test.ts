import assert from "node:assert/strict";
import { test } from "node:test";
import { readOutputTarget } from "./read-output-target.ts";

const egress = { allowHttp: false, developmentTargets: ["127.0.0.1:9000"] };
const read = (given: unknown) => readOutputTarget(given, egress);
const s3 = {
  kind: "s3",
  endpoint: "https://s3.example.com",
  bucket: "pictures",
  access_key_id: "AKIA",
  secret_access_key: "very-secret",
};

test("an address with {name} and a bucket with its key are taken", () => {
  assert.ok(read({ kind: "https", url: "https://files.example.com/in/{job_id}/{name}?part=1" }).ok);
  assert.ok(read({ kind: "https", url: "http://127.0.0.1:9000/{name}" }).ok, "a development target");
  const reading = read({ ...s3, prefix: "out/" });
  assert.ok(reading.ok);
  assert.deepEqual(reading.target, {
    kind: "s3",
    endpoint: "https://s3.example.com",
    bucket: "pictures",
    prefix: "out/",
    region: "us-east-1",
    accessKeyId: "AKIA",
    secretAccessKey: "very-secret",
  });
});

test("an invalid or foreign target is refused with its field, without echoing it", () => {
  const wrong: readonly [string, unknown][] = [
    ["output_target", null],
    ["output_target", "https://files.example.com/{name}"],
    ["output_target", []],
    ["output_target.kind", {}],
    ["output_target.kind", { kind: "ftp" }],
    ["output_target.url", { kind: "https" }],
    ["output_target.url", { kind: "https", url: "https://files.example.com/in" }],
    ["output_target.url", { kind: "https", url: "https://{name}.example.com/" }],
    ["output_target.url", { kind: "https", url: "https://{name}/x" }],
    ["output_target.url", { kind: "https", url: "https://files.example.com:{name}/" }],
    ["output_target.url", { kind: "https", url: "http://files.example.com/{name}" }],
    ["output_target.url", { kind: "https", url: "https://10.0.0.1/{name}" }],
    ["output_target.url", { kind: "https", url: "https://169.254.169.254/{name}" }],
    ["output_target.url", { kind: "https", url: "https://very-secret:x@files.example.com/{name}" }],
    ["output_target.url", { kind: "https", url: "https://files.example.com:8443/{name}" }],
    ["output_target.url", { kind: "https", url: `https://files.example.com/${"x".repeat(2100)}{name}` }],
    ["output_target", { kind: "https", url: "https://files.example.com/{name}", secret: "very-secret" }],
    ["output_target", { ...s3, session: "very-secret" }],
    ["output_target.endpoint", { ...s3, endpoint: "https://localhost" }],
    ["output_target.endpoint", { ...s3, endpoint: "https://s3.example.com/path" }],
    ["output_target.endpoint", { ...s3, endpoint: "http://s3.example.com" }],
    ["output_target.bucket", { ...s3, bucket: "../x" }],
    ["output_target.bucket", { ...s3, bucket: undefined }],
    ["output_target.prefix", { ...s3, prefix: "a\nb" }],
    ["output_target.region", { ...s3, region: "a/b" }],
    ["output_target.access_key_id", { ...s3, access_key_id: "a b" }],
    ["output_target.secret_access_key", { ...s3, secret_access_key: "very-secret\r\nx: y" }],
    ["output_target.secret_access_key", { ...s3, secret_access_key: 7 }],
  ];
  for (const [field, given] of wrong) {
    const reading = read(given);
    assert.ok(!reading.ok, JSON.stringify(given));
    assert.equal(reading.field, field, JSON.stringify(given));
    assert.ok(!JSON.stringify(reading).includes("very-secret"));
  }
});
