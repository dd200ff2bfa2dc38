// Uploads, re-uses, releases and collectors without grace, all at once on the same few hashes; a seed decides their order
// and the pauses inside every step. Afterwards every reference leads to its bytes, and nothing else is left. We planted
// linking before pinning, a collector that overlooks pins or takes no locks, and re-use of uncommitted blobs; each was
// found here.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type TestS3, testS3 } from "../../../test/support/test-s3.ts";
import { sql } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { parseBlobAddress } from "./blob-address.ts";
import type { BlobStorage } from "./blob-storage.ts";
import {
  type BlobsFixture,
  blobsFixture,
  brokenInvariants,
  countRows,
  type HeldBlob,
  inChunks,
  keepHeld,
  never,
  newHolder,
  readWhole,
} from "./blobs.fixture.ts";
import { s3BlobStorage } from "./s3/blob-storage.s3.ts";

const contents = [1, 2].map((seed) => Buffer.alloc(1000 * seed, seed));
const act = fc.record({
  kind: fc.constantFrom("keep", "keep", "keep", "refuse", "reuse", "release", "release", "release"),
  content: fc.nat({ max: contents.length - 1 }),
  pauseMs: fc.nat({ max: 4 }),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

type Pause = () => Promise<unknown>;

// Widens the gaps between steps, in which the others do theirs.
function hesitating(storage: BlobStorage, pause: Pause): BlobStorage {
  return {
    ...storage,
    async stage() {
      const staging = await storage.stage();
      return {
        ...staging,
        async publish(hash, options) {
          await pause();
          await staging.publish(hash, options);
          await pause();
        },
      };
    },
    async remove(hash, confirm) {
      await pause();
      return storage.remove(hash, async () => {
        await pause();
        return confirm();
      });
    },
  };
}

async function race(
  fixture: BlobsFixture,
  storage: BlobStorage,
  callers: readonly (readonly Act[])[],
  pausesMs: readonly number[],
): Promise<void> {
  let pauses = 0;
  const pause = () => new Promise((resolve) => setTimeout(resolve, pausesMs[pauses++ % pausesMs.length]));
  const blobs = fixture.blobs({ storage: hesitating(storage, pause), graceSeconds: 0 });
  const { database } = fixture;
  let held: HeldBlob[] = [];
  const hashes = new Set<string>();

  async function step({ kind, content }: Act): Promise<void> {
    const bytes = contents[content] ?? Buffer.alloc(0);
    if (kind === "keep") {
      const kept = await keepHeld(blobs, bytes);
      // While no other process can release it.
      assert.ok((await readWhole(blobs, kept.hash))?.equals(bytes));
      hashes.add(kept.hash);
      held.push(kept);
    } else if (kind === "refuse") {
      const commit = () => Promise.reject(new Fault("quota_exceeded", "no"));
      await assert.rejects(blobs.keep(inChunks(bytes), { bytesMax: 1e6, commit }), { message: "no" });
    } else if (kind === "reuse") {
      const hash = [...hashes][content];
      if (hash === undefined) return;
      const holder = newHolder();
      const reused = await blobs.reuse(hash, async (tx, blob) => {
        await blobs.hold(tx, hash, holder);
        return { ...blob, holder };
      });
      if (!reused) return;
      assert.equal((await readWhole(blobs, hash))?.length, reused.size);
      held.push(reused);
    } else if (kind === "release") {
      // All of them, so that again and again the bytes have no holder.
      const all = held.filter(({ size }) => size === bytes.length);
      held = held.filter(({ size }) => size !== bytes.length);
      await database.transaction(async (tx) => {
        for (const { hash, holder } of all) await blobs.release(tx, hash, holder);
      });
    }
  }

  const over = new AbortController();
  async function collector(): Promise<void> {
    while (!over.signal.aborted) await blobs.collect({ dryRun: false, signal: over.signal });
  }

  const collectors = [collector(), collector()];
  await Promise.all(
    callers.map(async (acts) => {
      for (const one of acts) {
        await new Promise((resolve) => setTimeout(resolve, one.pauseMs));
        await step(one);
      }
    }),
  ).finally(() => over.abort());
  await Promise.all(collectors);

  assert.deepEqual(await brokenInvariants(database), []);
  for (const { hash, size } of held) assert.equal((await readWhole(blobs, hash))?.length, size);
  await blobs.collect({ dryRun: false, signal: never });
  const wanted = [...new Set(held.map(({ hash }) => hash))].sort();
  const stored: string[] = [];
  for await (const { hash } of storage.list()) stored.push(hash);
  assert.deepEqual(stored, wanted);
  assert.deepEqual(await countRows(database), { blobs: wanted.length, pins: 0, references: held.length });

  await database.execute(sql`delete from blob_references`);
  assert.equal((await blobs.collect({ dryRun: false, signal: never })).blobs, wanted.length);
}

const pauses = fc.array(fc.nat({ max: 8 }), { minLength: 5, maxLength: 17 });
const callers = (count: number) =>
  fc.array(fc.array(act, { minLength: 10, maxLength: 30 }), { minLength: count, maxLength: count });

test("on files, uploads and collectors of the same bytes never lose one", async () => {
  const fixture = await blobsFixture();
  try {
    await fc.assert(
      fc.asyncProperty(callers(6), pauses, (acts, pausesMs) => race(fixture, fixture.storage, acts, pausesMs)),
      { numRuns: 8, endOnFailure: true },
    );
  } finally {
    await fixture.close();
  }
});

test("on S3, uploads and collectors of the same bytes never lose one", async () => {
  const fixture = await blobsFixture();
  let s3: TestS3 | undefined;
  try {
    s3 = await testS3();
    const parsed = parseBlobAddress(s3.address);
    assert.ok("address" in parsed && parsed.address.kind === "s3");
    const storage = await s3BlobStorage({ address: parsed.address.s3, credentials: s3.credentials });
    await fc.assert(
      fc.asyncProperty(callers(4), pauses, (acts, pausesMs) => race(fixture, storage, acts, pausesMs)),
      { numRuns: 3, endOnFailure: true },
    );
  } finally {
    await s3?.close();
    await fixture.close();
  }
});
