import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { checksumAlgorithms, readChecksum } from "./upload-checksum.ts";

const bytes = [Buffer.from("hello "), Buffer.from("world")];

describe("the checksum of a request", () => {
  test("holds for the bytes it was made of, in every algorithm that is offered", () => {
    for (const algorithm of checksumAlgorithms) {
      const digest = createHash(algorithm).update("hello world").digest("base64");
      const right = readChecksum(`${algorithm} ${digest}`);
      for (const chunk of bytes) right.update(chunk);
      right.require();
      right.require();
      const wrong = readChecksum(`${algorithm} ${digest}`);
      wrong.update(Buffer.from("hello_world"));
      assert.throws(() => wrong.require(), { code: "hash_mismatch" }, algorithm);
    }
  });

  test("of an empty body is the hash of nothing", () => {
    const digest = createHash("sha1").digest("base64");
    readChecksum(`sha1 ${digest}`).require();
    assert.throws(() => readChecksum(`sha256 ${digest}`).require(), { code: "hash_mismatch" });
  });

  test("in an unknown algorithm, or in no base64, is refused before a byte is read", () => {
    for (const header of ["crc32 AAAA", "sha1", "sha1 ", "sha1 ***", "SHA1 AAAA", "toString AAAA", ""])
      assert.throws(() => readChecksum(header), { code: "invalid_request" }, header);
  });
});
