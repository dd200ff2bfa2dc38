// The suite that every blob storage must pass. It gets a way to make an empty storage and knows nothing else about it.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { systemClock } from "../../foundation/clock.ts";
import type { BlobStorage, Staging } from "./blob-storage.ts";

export interface StorageUnderTest {
  readonly storage: BlobStorage;
  // More than the storage buffers in memory before it writes.
  readonly largeBytes: number;
  // False for a test store that cannot list unfinished uploads and treats the range 0-0 as the whole.
  readonly isThorough: boolean;
  close(): Promise<void>;
}

// The storage does not compute hashes; any 64 digits that belong to the bytes will do.
const nameOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const yes = async () => true;
const later = () => new Date(systemClock.now().getTime() + 60_000);

export function describeBlobStorage(name: string, make: () => Promise<StorageUnderTest>): void {
  describe(name, () => {
    let given: StorageUnderTest;
    before(async () => {
      given = await make();
    });
    after(() => given.close());

    comingIn(() => given);
    lying(() => given);
    goingOut(() => given);
  });
}

async function staged(
  storage: BlobStorage,
  bytes: Uint8Array,
  { hash = nameOf(bytes), chunkBytes = 512 * 1024 }: { hash?: string; chunkBytes?: number } = {},
): Promise<Staging> {
  const staging = await storage.stage();
  // One buffer for all chunks: the storage must not use it any more once write resolves.
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const part = bytes.subarray(at, at + chunkBytes);
    chunk.set(part);
    await staging.write(chunk.subarray(0, part.length));
  }
  await staging.seal(hash);
  return staging;
}

async function put(storage: BlobStorage, hash: string, bytes: Uint8Array, replace = false): Promise<void> {
  const staging = await staged(storage, bytes, { hash });
  await staging.publish(hash, { size: bytes.length, replace, isLikelyThere: true });
  await staging.discard();
}

async function read(storage: BlobStorage, hash: string, range?: { start: number; end: number }) {
  const found = await storage.open(hash, range);
  return found && { size: found.size, bytes: await buffer(found.stream) };
}

async function listed(storage: BlobStorage): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { hash } of storage.list()) hashes.push(hash);
  return hashes;
}

function comingIn(given: () => StorageUnderTest): void {
  test("bytes that were not published are not there, and discarding leaves nothing of them", async () => {
    const { storage, largeBytes } = given();
    const bytes = randomBytes(largeBytes);
    const staging = await staged(storage, bytes);
    assert.equal(await storage.open(nameOf(bytes)), null);
    assert.equal(await storage.stat(nameOf(bytes)), null);
    await staging.discard();
    await staging.discard();
    assert.deepEqual(await storage.sweepStaging({ before: later(), dryRun: true, isWanted: yes }), {
      removed: 0,
      restored: 0,
    });
  });

  test("an upload that is given up in the middle leaves nothing", async () => {
    const { storage, largeBytes } = given();
    const staging = await storage.stage();
    for (let at = 0; at < largeBytes; at += 1024 ** 2) await staging.write(randomBytes(1024 ** 2));
    await staging.discard();
    const swept = await storage.sweepStaging({ before: later(), dryRun: true, isWanted: yes });
    assert.equal(swept.removed, 0);
  });

  test("published bytes come back as they went in, whatever their size and chunks", async () => {
    const { storage } = given();
    const sizes = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 700_000 }));
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 300_000 }), async (size, chunkBytes) => {
        const bytes = randomBytes(size);
        const hash = nameOf(bytes);
        const staging = await staged(storage, bytes, { hash, chunkBytes: Math.max(chunkBytes, Math.ceil(size / 50)) });
        await staging.publish(hash, { size, replace: false, isLikelyThere: false });
        await staging.discard();
        const found = await read(storage, hash);
        assert.equal(found?.size, size);
        assert.ok(found.bytes.equals(bytes));
      }),
      { numRuns: 25 },
    );
  });

  test("large bytes come back as they went in", async () => {
    const { storage, largeBytes } = given();
    const bytes = randomBytes(largeBytes + 12_345);
    await put(storage, nameOf(bytes), bytes);
    const found = await read(storage, nameOf(bytes));
    assert.equal(found?.size, bytes.length);
    assert.ok(found.bytes.equals(bytes));
    assert.deepEqual(await read(storage, nameOf(bytes), { start: largeBytes - 5, end: largeBytes + 4 }), {
      size: bytes.length,
      bytes: bytes.subarray(largeBytes - 5, largeBytes + 5),
    });
  });

  test("publishing may be repeated, and by several at once", async () => {
    const { storage } = given();
    const bytes = randomBytes(70_000);
    const hash = nameOf(bytes);
    const stagings = await Promise.all(Array.from({ length: 8 }, () => staged(storage, bytes, { hash })));
    const publish = (staging: Staging, index: number) =>
      staging.publish(hash, { size: bytes.length, replace: false, isLikelyThere: index % 2 === 0 });
    await Promise.all([...stagings, ...stagings].map(publish));
    await Promise.all(stagings.map((staging) => staging.discard()));
    assert.ok((await read(storage, hash))?.bytes.equals(bytes));
    assert.equal((await listed(storage)).filter((other) => other === hash).length, 1);
  });
}

function lying(given: () => StorageUnderTest): void {
  test("a damaged blob is replaced on request, large or small", async () => {
    const { storage, largeBytes } = given();
    for (const size of [5_000, largeBytes + 1]) {
      const bytes = randomBytes(size);
      await put(storage, nameOf(bytes), randomBytes(size));
      await put(storage, nameOf(bytes), bytes, true);
      assert.ok((await read(storage, nameOf(bytes)))?.bytes.equals(bytes));
    }
  });

  test("a blob of the wrong size is never trusted", async () => {
    const { storage, largeBytes } = given();
    for (const size of [5_000, largeBytes + 1]) {
      const bytes = randomBytes(size);
      await put(storage, nameOf(bytes), randomBytes(size - 1));
      await put(storage, nameOf(bytes), bytes);
      assert.ok((await read(storage, nameOf(bytes)))?.bytes.equals(bytes));
    }
  });

  test("a range gives its bytes and the size of the whole", async () => {
    const { storage, isThorough } = given();
    const bytes = randomBytes(10_000);
    await put(storage, nameOf(bytes), bytes);
    for (const [start, end] of [
      [0, isThorough ? 0 : 1],
      [0, 9_999],
      [9_999, 9_999],
      [123, 4_567],
    ] as const) {
      const found = await read(storage, nameOf(bytes), { start, end });
      assert.deepEqual(found, { size: 10_000, bytes: bytes.subarray(start, end + 1) });
    }
  });

  test("a missing blob is null, and an invalid hash is refused", async () => {
    const { storage } = given();
    const hash = nameOf(randomBytes(8));
    assert.equal(await storage.open(hash), null);
    assert.equal(await storage.stat(hash), null);
    for (const name of ["../../../etc/passwd", "", `${hash}0`, hash.toUpperCase(), `${hash.slice(0, 63)}/`]) {
      await assert.rejects(async () => storage.open(name), /64 hexadecimal digits/);
      await assert.rejects(async () => storage.remove(name, yes), /64 hexadecimal digits/);
    }
  });

  test("the list names every blob once, in the order of the hashes, with size and time", async () => {
    const { storage } = given();
    const blobs = Array.from({ length: 5 }, () => randomBytes(1_000));
    for (const bytes of blobs) await put(storage, nameOf(bytes), bytes);
    const all = await listed(storage);
    assert.deepEqual(all, [...new Set(all)].sort());
    for (const bytes of blobs) assert.ok(all.includes(nameOf(bytes)));
    const found = await storage.stat(nameOf(blobs[0] ?? Buffer.alloc(0)));
    assert.equal(found?.size, 1_000);
    assert.ok(Math.abs(systemClock.now().getTime() - found.modifiedAt.getTime()) < 60_000);
  });
}

function goingOut(given: () => StorageUnderTest): void {
  test("a stream that nobody reads can be let go", async () => {
    const { storage } = given();
    const bytes = randomBytes(2_000_000);
    await put(storage, nameOf(bytes), bytes);
    for (let round = 0; round < 20; round++) {
      const found = await storage.open(nameOf(bytes));
      const closed = new Promise((resolve) => found?.stream.once("close", resolve));
      found?.stream.destroy();
      await closed;
    }
  });

  test("bytes are removed only once confirmed, and removing twice is no error", async () => {
    const { storage } = given();
    const bytes = randomBytes(3_000);
    const hash = nameOf(bytes);
    await put(storage, hash, bytes);
    assert.equal(await storage.remove(hash, async () => false), false);
    assert.ok((await read(storage, hash))?.bytes.equals(bytes));
    await assert.rejects(
      storage.remove(hash, async () => {
        throw new Error("no answer");
      }),
      /no answer/,
    );
    assert.ok((await read(storage, hash))?.bytes.equals(bytes));
    assert.equal(await storage.remove(hash, yes), true);
    assert.equal(await storage.stat(hash), null);
    assert.equal(await storage.remove(hash, yes), true);
  });

  test("uploads that never ended are swept when they are old, and a dry run only counts them", async () => {
    const { storage, largeBytes, isThorough } = given();
    const sealed = await staged(storage, randomBytes(largeBytes + 1));
    const unfinished = await storage.stage();
    if (isThorough) {
      for (let at = 0; at <= largeBytes; at += 1024 ** 2) await unfinished.write(randomBytes(1024 ** 2));
    }
    const isWanted = yes;
    const count = isThorough ? 2 : 1;
    const old = new Date(systemClock.now().getTime() - 60_000);
    assert.equal((await storage.sweepStaging({ before: old, dryRun: false, isWanted })).removed, 0);
    assert.equal((await storage.sweepStaging({ before: later(), dryRun: true, isWanted })).removed, count);
    assert.equal((await storage.sweepStaging({ before: later(), dryRun: false, isWanted })).removed, count);
    assert.equal((await storage.sweepStaging({ before: later(), dryRun: true, isWanted })).removed, 0);
    await Promise.all([sealed.discard(), unfinished.discard()]);
  });

  test("a working storage reports no problem", async () => {
    const { storage } = given();
    assert.equal(await storage.spaceProblem(), null);
    assert.equal(await storage.reachProblem(), null);
  });
}
