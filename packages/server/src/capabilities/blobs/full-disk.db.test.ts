// A disk that is really full: a small separate file system, which only an administrator of the machine can make.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Fault } from "../../foundation/fault.ts";
import {
  blobsFixture,
  brokenInvariants,
  countRows,
  type HeldBlob,
  keepHeld,
  never,
  readWhole,
  reserve,
} from "./blobs.fixture.ts";
import { fileBlobStorage } from "./files/blob-storage.filesystem.ts";

const MB = 1_000_000;

test("200 uploads into 16 MB: each is whole or refused as storage_full, and what was there stays readable", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "atelier-full-"));
  const isMounted =
    spawnSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", folder], { stdio: "ignore" }).status === 0;
  if (!isMounted) {
    await rm(folder, { recursive: true });
    return t.skip("a file system of a fixed size can be made by the administrator only");
  }
  const fixture = await blobsFixture();
  try {
    const storage = fileBlobStorage({ directory: join(folder, "blobs"), reserve });
    const blobs = fixture.blobs({ storage, graceSeconds: 0 });
    const kept = new Map<string, { blob: HeldBlob; bytes: Buffer }>();
    let refused = 0;
    const upload = async (size: number) => {
      const bytes = randomBytes(size);
      try {
        const blob = await keepHeld(blobs, bytes);
        kept.set(blob.hash, { blob, bytes });
      } catch (thrown) {
        assert.ok(thrown instanceof Fault && thrown.code === "storage_full", String(thrown));
        refused++;
      }
    };
    for (let round = 0; round < 40; round++) {
      await Promise.all([0.1, 0.3, 0.7, 1.1, 2].map((size) => upload(Math.floor(size * MB))));
    }
    assert.ok(refused > 100 && kept.size > 5, `${refused} refused, ${kept.size} kept`);
    for (const [hash, { bytes }] of kept) assert.ok((await readWhole(blobs, hash))?.equals(bytes));
    assert.deepEqual(await countRows(fixture.database), { blobs: kept.size, pins: 0, references: kept.size });
    assert.deepEqual(await brokenInvariants(fixture.database), []);
    assert.deepEqual(
      await storage.sweepStaging({ before: new Date(Date.now() + 1000), dryRun: true, isWanted: async () => true }),
      {
        removed: 0,
        restored: 0,
      },
    );
    // Released space can be used again.
    for (const { blob } of kept.values()) {
      await fixture.database.transaction((tx) => blobs.release(tx, blob.hash, blob.holder));
    }
    assert.equal((await blobs.collect({ dryRun: false, signal: never })).blobs, kept.size);
    await keepHeld(blobs, randomBytes(10 * MB));
  } finally {
    spawnSync("umount", [folder], { stdio: "ignore" });
    await rm(folder, { recursive: true, force: true });
    await fixture.close();
  }
});
