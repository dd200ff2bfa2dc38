import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { sql } from "../../../foundation/database/index.ts";
import { newId } from "../../../foundation/ids.ts";
import {
  type BlobsFixture,
  blobsFixture,
  brokenInvariants,
  countRows,
  type HeldBlob,
  keepHeld,
  never,
  readWhole,
} from "../blobs.fixture.ts";
import type { Blobs } from "../blobs.ts";
import { markDeleting } from "./collect-store.ts";

let fixture: BlobsFixture;
let blobs: Blobs;
beforeEach(async () => {
  fixture = await blobsFixture();
  blobs = fixture.blobs();
});
afterEach(async () => {
  assert.deepEqual(await brokenInvariants(fixture.database), []);
  await fixture.close();
});

const release = ({ hash, holder }: HeldBlob) => fixture.database.transaction((tx) => blobs.release(tx, hash, holder));
const collect = (dryRun = false, collector = blobs) => collector.collect({ dryRun, signal: never });
const nothing = {
  dryRun: false,
  blobs: 0,
  bytes: 0,
  takenOver: 0,
  strays: 0,
  pins: 0,
  staging: 0,
  restored: 0,
  failed: 0,
  isInterrupted: false,
};

test("a held blob stays, whatever its age", async () => {
  const bytes = randomBytes(1000);
  const { hash } = await keepHeld(blobs, bytes);
  await fixture.age("40 days");
  assert.deepEqual(await collect(), nothing);
  assert.ok((await readWhole(blobs, hash))?.equals(bytes));
});

test("an unheld blob stays for its grace period after the last release, and then goes", async () => {
  const kept = await keepHeld(blobs, randomBytes(1000));
  await fixture.age("40 days");
  await release(kept);
  assert.deepEqual(await collect(), nothing);
  await fixture.age("23 hours");
  assert.deepEqual(await collect(), nothing);
  await fixture.age("61 minutes");
  assert.deepEqual(await collect(true), { ...nothing, dryRun: true, blobs: 1, bytes: 1000 });
  assert.equal((await fixture.filesIn("blobs")).length, 1);
  assert.deepEqual(await collect(), { ...nothing, blobs: 1, bytes: 1000 });
  assert.deepEqual(await fixture.filesIn("blobs"), []);
  assert.deepEqual(await fixture.filesIn("tmp"), []);
  assert.deepEqual(await countRows(fixture.database), { blobs: 0, pins: 0, references: 0 });
  assert.equal(await blobs.open(kept.hash), null);
});

test("many blobs go in several groups, and only those that nobody holds", async () => {
  const quick = fixture.blobs({ graceSeconds: 0 });
  const all = await Promise.all(Array.from({ length: 130 }, () => keepHeld(quick, randomBytes(20))));
  for (const kept of all.slice(0, 120)) await release(kept);
  const report = await collect(false, quick);
  assert.equal(report.blobs, 120);
  assert.deepEqual(
    (await fixture.filesIn("blobs")).sort(),
    all
      .slice(120)
      .map(({ hash }) => hash)
      .sort(),
  );
});

test("another collector finishes a dead one's work after ten minutes and not before", async () => {
  const kept = await keepHeld(blobs, randomBytes(1000));
  await release(kept);
  await fixture.age("25 hours");
  const mark = { hashes: [kept.hash], collectorId: newId(), graceSeconds: 0 };
  assert.equal((await fixture.database.transaction((tx) => markDeleting(tx, mark))).length, 1);
  assert.equal(await blobs.open(kept.hash), null);
  assert.deepEqual(await collect(), nothing);
  await fixture.age("9 minutes");
  assert.deepEqual(await collect(), nothing);
  await fixture.age("2 minutes");
  assert.deepEqual(await collect(true), { ...nothing, dryRun: true, takenOver: 1 });
  assert.deepEqual(await collect(), { ...nothing, takenOver: 1 });
  assert.deepEqual(await fixture.filesIn("blobs"), []);
  assert.equal((await countRows(fixture.database))?.blobs, 0);
});

test("an upload of bytes that are just being deleted waits for the end of it, and none of it is lost", async () => {
  const bytes = randomBytes(1000);
  const kept = await keepHeld(blobs, bytes);
  await release(kept);
  const holding = Promise.withResolvers<void>();
  const marked = Promise.withResolvers<void>();
  const slow = fixture.blobs({
    graceSeconds: 0,
    storage: {
      ...fixture.storage,
      remove: (hash, confirm) =>
        fixture.storage.remove(hash, async () => {
          marked.resolve();
          await holding.promise;
          return confirm();
        }),
    },
  });
  const collecting = collect(false, slow);
  await marked.promise;
  let isKept = false;
  const keeping = keepHeld(blobs, bytes).then(() => {
    isKept = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(isKept, false);
  holding.resolve();
  assert.equal((await collecting).blobs, 1);
  await keeping;
  assert.ok((await readWhole(blobs, kept.hash))?.equals(bytes));
});

test("a collector that wakes after the bytes were uploaded again destroys nothing", async () => {
  const bytes = randomBytes(1000);
  const kept = await keepHeld(blobs, bytes);
  await release(kept);
  const awake = Promise.withResolvers<void>();
  const asleep = Promise.withResolvers<void>();
  const sleeping = fixture.blobs({
    graceSeconds: 0,
    storage: {
      ...fixture.storage,
      async remove(hash, confirm) {
        asleep.resolve();
        await awake.promise;
        return fixture.storage.remove(hash, confirm);
      },
    },
  });
  const late = collect(false, sleeping);
  await asleep.promise;
  await fixture.age("1 hour");
  assert.equal((await collect()).takenOver, 1);
  await keepHeld(blobs, bytes);
  awake.resolve();
  assert.equal((await late).blobs, 0);
  assert.ok((await readWhole(blobs, kept.hash))?.equals(bytes));
  assert.deepEqual(await fixture.filesIn("tmp"), []);
});

test("a pin that ran out no longer protects, a living one does", async () => {
  const pinned = (hash: string, seconds: number) =>
    fixture.database.execute(sql`
      insert into blob_pins (id, hash, expires_at)
      values (${newId()}, ${Buffer.from(hash, "hex")}, now() + ${seconds} * interval '1 second')`);
  const [dead, alive] = [await keepHeld(blobs, randomBytes(10)), await keepHeld(blobs, randomBytes(10))];
  await release(dead);
  await release(alive);
  await fixture.age("2 days");
  await pinned(dead.hash, -1);
  await pinned(alive.hash, 60);
  const report = await collect();
  assert.equal(report.pins, 1);
  assert.equal(report.blobs, 1);
  assert.deepEqual(await fixture.filesIn("blobs"), [alive.hash]);
});

test("files without a row and uploads that never ended go when they are a day old", async () => {
  await keepHeld(blobs, randomBytes(10));
  const stray = "ab".repeat(32);
  const staging = await fixture.storage.stage();
  const other = await fixture.storage.stage();
  await other.seal(stray);
  await other.publish(stray, { size: 0, replace: false, isLikelyThere: false });
  await other.discard();
  await writeFile(join(fixture.directory, "tmp", newId()), "left over");
  assert.deepEqual(await collect(), nothing);
  const old = new Date(Date.now() - 25 * 3600 * 1000);
  for (const name of await fixture.filesIn("tmp")) await utimes(join(fixture.directory, "tmp", name), old, old);
  await utimes(fixture.pathOf(stray), old, old);
  assert.deepEqual(await collect(true), { ...nothing, dryRun: true, strays: 1, staging: 2 });
  assert.deepEqual(await collect(), { ...nothing, strays: 1, staging: 2 });
  assert.equal((await fixture.filesIn("blobs")).length, 1);
  assert.deepEqual(await fixture.filesIn("tmp"), []);
  assert.equal((await countRows(fixture.database))?.blobs, 1);
  await staging.discard();
});

test("a blob that cannot be removed is reported, keeps its row and does not stop the others", async () => {
  const quick = { graceSeconds: 0 };
  const [bad, good] = [await keepHeld(blobs, randomBytes(10)), await keepHeld(blobs, randomBytes(10))];
  await release(bad);
  await release(good);
  const broken = {
    ...fixture.storage,
    remove: (hash: string, confirm: () => Promise<boolean>) =>
      hash === bad.hash ? Promise.reject(new Error("EIO")) : fixture.storage.remove(hash, confirm),
  };
  const report = await collect(false, fixture.blobs({ ...quick, storage: broken }));
  assert.deepEqual({ blobs: report.blobs, failed: report.failed }, { blobs: 1, failed: 1 });
  const again = await collect(false, fixture.blobs({ ...quick, takeoverSeconds: 0 }));
  assert.equal(again.takenOver, 1);
  assert.deepEqual(await fixture.filesIn("blobs"), []);
});

test("a signal ends the collector between two groups", async () => {
  const kept = await keepHeld(blobs, randomBytes(10));
  await release(kept);
  const report = await fixture.blobs({ graceSeconds: 0 }).collect({ dryRun: false, signal: AbortSignal.abort() });
  assert.equal(report.isInterrupted, true);
  assert.equal((await fixture.filesIn("blobs")).length, 1);
});
