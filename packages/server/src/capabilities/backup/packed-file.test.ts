import assert from "node:assert/strict";
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { packBlobList, unpackBlobList } from "./blob-list.ts";
import { packFile, unpackFile } from "./packed-file.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-packed-"));
after(() => rmSync(folder, { recursive: true, force: true }));

async function* oneOf<T>(...values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

test("a file that is gone is the error of whoever reads it, and does not end the process", async () => {
  const fact = await packFile(folder, "gone", oneOf(Buffer.from("text")));
  rmSync(join(folder, "gone"));
  const unread = unpackFile(folder, fact);
  await setImmediate();
  await assert.rejects(unread.next(), { code: "ENOENT" });
});

test("a list of blobs is read back, and a cut one is refused", async () => {
  const blobs = Array.from({ length: 5_000 }, (_, size) => ({ hash: size.toString(16).padStart(64, "0"), size }));
  const entry = await packBlobList(folder, oneOf(...blobs));
  assert.deepEqual(await Array.fromAsync(unpackBlobList(folder, entry)), blobs);
  truncateSync(join(folder, entry.file), entry.file_bytes - 10);
  await assert.rejects(Array.fromAsync(unpackBlobList(folder, entry)), /unexpected end/);
});
