import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Fault } from "../../foundation/fault.ts";
import { blake3Stream } from "../blobs/index.ts";
import { spoolOutput } from "./spooled-output.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-spool-"));
after(() => rmSync(folder, { recursive: true, force: true }));

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  // One buffer for all chunks, like a producer that reuses its memory.
  const chunk = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(chunk, 0, at, Math.min(bytes.length, at + size));
    yield chunk.subarray(0, length);
  }
}

async function read(source: Buffer | AsyncIterable<Uint8Array>): Promise<Buffer> {
  if (Buffer.isBuffer(source)) return source;
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}

for (const size of [0, 1, 1_000_000, 3_000_000]) {
  test(`an output of ${size} bytes can be read as often as it has to be brought, and leaves nothing behind`, async () => {
    const bytes = randomBytes(size);
    const spooled = await spoolOutput(chunksOf(bytes, 65_536), folder);
    const hasher = await blake3Stream()();
    hasher.update(bytes);
    assert.equal(spooled.hash, hasher.digest());
    assert.equal(spooled.bytes, size);
    for (let attempt = 0; attempt < 2; attempt += 1) assert.ok((await read(spooled.source())).equals(bytes));
    await spooled.remove();
    assert.deepEqual(readdirSync(folder), []);
  });
}

test("a source that breaks leaves nothing behind", async () => {
  async function* broken() {
    yield randomBytes(2_000_000);
    throw new Error("broken");
  }
  await assert.rejects(spoolOutput(broken(), folder), /broken/);
  assert.deepEqual(readdirSync(folder), []);
});

test("a source that never ends is given up at the size that an asset may have, and leaves nothing behind", async () => {
  async function* endless() {
    for (;;) yield randomBytes(1_000_000);
  }
  await assert.rejects(
    spoolOutput(endless(), folder, 5_000_000),
    (error) => error instanceof Fault && error.code === "payload_too_large",
  );
  assert.deepEqual(readdirSync(folder), []);
});

test("a disk that takes nothing fails the output and not the process", async () => {
  const bytes = randomBytes(3_000_000);
  await assert.rejects(spoolOutput(chunksOf(bytes, 65_536), join(folder, "gone")), { code: "ENOENT" });
});
