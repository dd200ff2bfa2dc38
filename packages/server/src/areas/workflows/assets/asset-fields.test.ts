import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import { collectAssetFields, readHashText, requireTag } from "./asset-fields.ts";
import { readFromHash } from "./read-from-hash.ts";
import { readUploadMetadata } from "./upload-metadata.ts";

const isFault = (code: string) => (thrown: unknown) => thrown instanceof Fault && thrown.code === code;
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("a wrong field is refused as it arrives, by name", () => {
  const wrong: [string, string][] = [
    ["content_type", "picture"],
    ["content_type", "image/png\r\nset-cookie: a=b"],
    ["file_path", "../x"],
    ["expected_hash", "sha256:00"],
    ["expires_in", "1e3"],
    ["expires_in", "604801"],
    ["tags", ""],
    ["tags", "x".repeat(129)],
    ["tags", "a\0b"],
  ];
  for (const [name, value] of wrong) {
    assert.throws(
      () => collectAssetFields().take(name, value),
      (thrown) => thrown instanceof Fault && thrown.code === "validation_failed" && thrown.message.startsWith(name),
      `${name}: ${value}`,
    );
  }
});

test("a field named like a built-in member is an unknown field", () => {
  const fields = collectAssetFields();
  for (const name of ["__proto__", "constructor", "toString"]) fields.take(name, "x");
  assert.throws(() => fields.finish(), isFault("validation_failed"));
});

test("a hash has one spelling", () => {
  const digits = "0123456789abcdef".repeat(4);
  assert.equal(readHashText(`blake3:${digits}`), digits);
  for (const other of [digits, `BLAKE3:${digits}`, `blake3:${digits.toUpperCase()}`, `blake3:${digits} `, "blake3:"]) {
    assert.equal(readHashText(other), null);
  }
});

test("tags may be in any script", () => {
  for (const tag of ["кот", "猫", "with space", "🐈"]) assert.equal(requireTag(tag), tag);
});

test("the body of from-hash is read member by member, and unknown members are ignored", () => {
  const hash = `blake3:${"a".repeat(64)}`;
  assert.deepEqual(readFromHash({ hash, more: 1 }), {
    hash: "a".repeat(64),
    filePath: null,
    tags: [],
    keepSeconds: null,
  });
  const wrong = [[], null, "x", {}, { hash: 1 }, { hash, file_path: 1 }, { hash, tags: "x" }, { hash, tags: [1] }];
  for (const body of [...wrong, { hash, expires_in: "60" }, { hash, expires_in: 60.5 }, { hash, expires_in: 1 }]) {
    assert.throws(() => readFromHash(body), isFault("validation_failed"), JSON.stringify(body));
  }
});

test("tus metadata is understood in our words and in those of other clients, ours first", () => {
  const said = readUploadMetadata(
    `filename ${base64("ü.png")},filetype ${base64("image/png")},tags ${base64("a, b")},is_confidential`,
  );
  assert.deepEqual([said.filePath, said.contentType, said.tags], ["ü.png", "image/png", ["a", "b"]]);
  const ours = readUploadMetadata(
    `filename ${base64("x")},file_path ${base64("models/x.safetensors")},content_type ${base64("a/b")}`,
  );
  assert.equal(ours.filePath, "models/x.safetensors");
});

test("tus metadata without a type has that of the name", () => {
  const typeOf = (header: string) => readUploadMetadata(header).contentType;
  assert.equal(typeOf(`filename ${base64("a/Cat.PNG")}`), "image/png");
  assert.equal(typeOf(`filename ${base64("weights")}`), "application/octet-stream");
  assert.equal(typeOf(`filename ${base64("a.png")},filetype`), "image/png");
});

test("tus metadata that cannot be read is refused", () => {
  for (const header of [
    "filename !!",
    `a ${base64("x")},a ${base64("y")}`,
    `filename ${Buffer.from([255]).toString("base64")}`,
  ]) {
    assert.throws(() => readUploadMetadata(header), isFault("invalid_request"), header);
  }
  for (const header of [undefined, "", `filename ${base64("../../x")},filetype ${base64("a/b")}`]) {
    assert.throws(() => readUploadMetadata(header), isFault("validation_failed"), header);
  }
});
