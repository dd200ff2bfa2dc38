import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crc32 as nodeCrc32 } from "node:zlib";
import { crc32, type ZipEntry, zipOf } from "./zip.ts";

async function* pieces(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function* entries(list: readonly ZipEntry[]): AsyncGenerator<ZipEntry> {
  yield* list;
}

test("the checksum is the format's own, also in pieces", () => {
  const bytes = Buffer.from("the quick brown fox");
  assert.equal(crc32(bytes), nodeCrc32(bytes));
  assert.equal(crc32(bytes.subarray(5), crc32(bytes.subarray(0, 5))), nodeCrc32(bytes));
});

const skip = spawnSync("unzip", ["-v"]).status === 0 ? false : "there is no unzip";

test("what is packed comes out with its name, byte for byte", { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-zip-"));
  const noise = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 251));
  const modified = new Date(2026, 0, 31, 12, 30, 10);
  const list = [
    { name: "grün ✓.txt", modified, bytes: pieces(Buffer.from("hello")) },
    { name: "empty", modified, bytes: pieces() },
    { name: "noise.bin", modified, bytes: pieces(noise.subarray(0, 33_333), noise.subarray(33_333)) },
  ];
  const parts: Uint8Array[] = [];
  for await (const part of zipOf(entries(list))) parts.push(part);
  const file = join(folder, "packed.zip");
  writeFileSync(file, Buffer.concat(parts));
  execFileSync("unzip", ["-tq", file]);
  const read = (name: string) => execFileSync("unzip", ["-p", file, name]);
  assert.deepEqual(read("noise.bin"), noise);
  assert.equal(read("gr*").toString(), "hello");
  assert.equal(read("empty").length, 0);
  rmSync(folder, { recursive: true });
});
