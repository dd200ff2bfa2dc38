// What compose runs once before the gateways: creates the bucket that the settings name, here in a real store.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { testS3 } from "../support/test-s3.ts";

const program = join(import.meta.dirname, "../../../../deploy/compose/make-bucket.mjs");

test("a missing bucket is created, and an existing one stays", async () => {
  const store = await testS3();
  const folder = mkdtempSync(join(tmpdir(), "atelier-bucket-"));
  try {
    const address = new URL(store.address);
    const settings = {
      blobs: `s3://made-by-compose/${address.search}`,
      blobsKeyId: store.credentials.accessKeyId,
      blobsSecret: store.credentials.secretAccessKey,
    };
    const file = join(folder, "atelier.config.json");
    writeFileSync(file, JSON.stringify(settings));
    const run = async () => (await promisify(execFile)(process.execPath, [program, file], { timeout: 120_000 })).stdout;
    assert.equal(await run(), "made the bucket made-by-compose\n");
    assert.equal(await run(), "the bucket made-by-compose is there\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await store.close();
  }
});
