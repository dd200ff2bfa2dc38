import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readFromPath } from "./read-from-path.ts";

test("a name is enough; the rest is read like that of every other asset", () => {
  assert.deepEqual(readFromPath({ file_path: "output/a.png", other: 1 }), {
    filePath: "output/a.png",
    contentType: null,
    expectedHash: null,
    tags: [],
    keepSeconds: null,
  });
  const hash = "0".repeat(64);
  assert.deepEqual(
    readFromPath({
      file_path: "input/a.bin",
      content_type: "text/plain",
      expected_hash: `blake3:${hash}`,
      tags: ["a"],
      expires_in: 60,
    }),
    { filePath: "input/a.bin", contentType: "text/plain", expectedHash: hash, tags: ["a"], keepSeconds: 60 },
  );
});

test("a wrong field is named, and nothing else is ever thrown", () => {
  const wrong: readonly unknown[] = [
    null,
    [],
    "output/a.png",
    {},
    { file_path: 7 },
    { file_path: "../a" },
    { file_path: "a", content_type: "no type" },
    { file_path: "a", expected_hash: "blake3:1" },
    { file_path: "a", tags: "a" },
    { file_path: "a", expires_in: "60" },
  ];
  for (const body of wrong)
    assert.throws(() => readFromPath(body), { code: "validation_failed" }, JSON.stringify(body));
  fc.assert(
    fc.property(fc.anything(), (body) => {
      try {
        readFromPath(body);
      } catch (thrown) {
        assert.equal(thrown instanceof Error && "code" in thrown ? thrown.code : thrown, "validation_failed");
      }
    }),
  );
});
