import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rm, stat, utimes, writeFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { CommitUnknown, type Database, sql } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { blake3Stream } from "./blake3-stream.ts";
import type { BlobStorage } from "./blob-storage.ts";
import {
  type BlobsFixture,
  blobsFixture,
  brokenInvariants,
  countRows,
  inChunks,
  keepHeld,
  never,
  newHolder,
  readWhole,
} from "./blobs.fixture.ts";
import type { Blobs } from "./blobs.ts";
import { openedBytes } from "./opened-bytes.ts";

let fixture: BlobsFixture;
let blobs: Blobs;
before(async () => {
  fixture = await blobsFixture();
  blobs = fixture.blobs();
});
after(async () => {
  assert.deepEqual(await brokenInvariants(fixture.database), []);
  assert.deepEqual(await fixture.filesIn("tmp"), []);
  await fixture.close();
});

const isFault = (code: string) => (thrown: unknown) => thrown instanceof Fault && thrown.code === code;

async function hashOf(bytes: Uint8Array): Promise<string> {
  const blake3 = await blake3Stream()();
  blake3.update(bytes);
  return blake3.digest();
}

async function markedSuspect(hash: string): Promise<boolean> {
  const rows = await fixture.database.query(sql`
    select 1 from blobs where hash = ${Buffer.from(hash, "hex")} and suspect_at is not null`);
  return rows.length > 0;
}

// Changes a byte in the middle; the size stays.
async function damage(hash: string, bytes: Uint8Array): Promise<void> {
  const changed = Buffer.from(bytes);
  const middle = changed.length >> 1;
  changed[middle] = (changed[middle] ?? 0) ^ 1;
  await writeFile(fixture.pathOf(hash), changed);
}

describe("keeping", () => {
  test("the answer is what was committed, under the BLAKE3 hash of the bytes", async () => {
    for (const size of [0, 1, 1000, 65_536, 1_500_000]) {
      const bytes = randomBytes(size);
      const kept = await keepHeld(blobs, bytes, { expectedHash: await hashOf(bytes) });
      assert.equal(kept.hash, await hashOf(bytes));
      assert.equal(kept.size, size);
      assert.ok((await readWhole(blobs, kept.hash))?.equals(bytes));
    }
    assert.equal((await countRows(fixture.database))?.pins, 0);
  });

  test("the same bytes again are stored once", async () => {
    const bytes = randomBytes(5000);
    const first = await keepHeld(blobs, bytes);
    const rows = await countRows(fixture.database);
    const again = await keepHeld(blobs, bytes);
    assert.equal(again.hash, first.hash);
    assert.equal((await countRows(fixture.database))?.blobs, rows?.blobs);
    assert.equal((await fixture.filesIn("blobs")).filter((name) => name === first.hash).length, 1);
  });

  // Each must leave rows and files as they were.
  const refusals: [string, string, (bytes: Buffer) => Promise<unknown>][] = [
    [
      "another hash than announced",
      "hash_mismatch",
      (bytes) => keepHeld(blobs, bytes, { expectedHash: "0".repeat(64) }),
    ],
    [
      "more bytes than allowed",
      "payload_too_large",
      (bytes) => blobs.keep(inChunks(bytes), { bytesMax: bytes.length - 1, commit: async () => {} }),
    ],
    [
      "a commit that refuses",
      "quota_exceeded",
      (bytes) =>
        blobs.keep(inChunks(bytes), {
          bytesMax: 1e9,
          async commit(tx, blob) {
            await blobs.hold(tx, blob.hash, newHolder());
            throw new Fault("quota_exceeded", "no more");
          },
        }),
    ],
    [
      "a client that leaves in the middle",
      "client_disconnected",
      (bytes) => {
        const left = new AbortController();
        async function* cut() {
          yield bytes.subarray(0, 1000);
          left.abort(new Fault("client_disconnected", "left"));
          await new Promise(() => {});
        }
        return blobs.keep(cut(), { bytesMax: 1e9, signal: left.signal, commit: async () => {} });
      },
    ],
    [
      "a source that breaks",
      "request_timeout",
      (bytes) => {
        async function* broken() {
          yield bytes.subarray(0, 100_000);
          throw new Fault("request_timeout", "too slow");
        }
        return blobs.keep(broken(), { bytesMax: 1e9, commit: async () => {} });
      },
    ],
  ];
  for (const [name, code, attempt] of refusals) {
    test(`${name} leaves nothing: no row, no file, no pin`, async () => {
      const bytes = randomBytes(200_000);
      const hash = await hashOf(bytes);
      const rows = await countRows(fixture.database);
      await assert.rejects(attempt(bytes), isFault(code));
      assert.deepEqual(await countRows(fixture.database), rows);
      assert.deepEqual(await fixture.filesIn("tmp"), []);
      assert.ok(!(await fixture.filesIn("blobs")).includes(hash));
      assert.equal(await blobs.open(hash), null);
    });
  }

  test("a commit that refuses does not touch bytes that others hold", async () => {
    const bytes = randomBytes(3000);
    const kept = await keepHeld(blobs, bytes);
    const refusing = blobs.keep(inChunks(bytes), { bytesMax: 1e9, commit: () => Promise.reject(new Error("no")) });
    await assert.rejects(refusing, { message: "no" });
    assert.ok((await readWhole(blobs, kept.hash))?.equals(bytes));
  });

  test("a store that went away in the middle keeps nobody from storing the same bytes once it is back", async () => {
    const bytes = randomBytes(3_000);
    const away = () => Promise.reject(new Fault("service_unavailable", "The store does not answer."));
    for (const at of ["seal", "publish"] as const) {
      const broken: BlobStorage = {
        ...fixture.storage,
        async stage() {
          const staging = await fixture.storage.stage();
          const { write, seal, publish, discard } = staging;
          const sound = { write, seal, publish, discard };
          const bound = Object.fromEntries(Object.entries(sound).map(([name, act]) => [name, act.bind(staging)]));
          return { ...(bound as typeof sound), [at]: away };
        },
        remove: away,
      };
      await assert.rejects(keepHeld(fixture.blobs({ storage: broken }), bytes), isFault("service_unavailable"));
    }
    const { hash } = await keepHeld(blobs, bytes);
    assert.ok((await readWhole(blobs, hash))?.equals(bytes));
  });

  test("if the commit's outcome is unknown, nothing is rolled back", async () => {
    const bytes = randomBytes(2000);
    const database: Database = {
      ...fixture.database,
      async transaction(run) {
        await fixture.database.transaction(run);
        throw new CommitUnknown(new Error("connection lost"));
      },
    };
    await assert.rejects(keepHeld(fixture.blobs({ database }), bytes), CommitUnknown);
    assert.ok((await readWhole(blobs, await hashOf(bytes)))?.equals(bytes));
    assert.deepEqual(await fixture.filesIn("tmp"), []);
  });

  test("a pin that ran out before the commit is taken again, and the commit is still done once", async () => {
    let commits = 0;
    const storage = { ...fixture.storage };
    let published = 0;
    storage.stage = async () => {
      const staging = await fixture.storage.stage();
      return {
        ...staging,
        async publish(hash, options) {
          await staging.publish(hash, options);
          // A long pause: the pin expires, and a collector takes what seems unwanted.
          if (published++ > 0) return;
          await fixture.age("2 days");
          const report = await fixture.blobs().collect({ dryRun: false, signal: never });
          assert.ok(report.pins >= 1 && report.blobs >= 1);
        },
      };
    };
    const bytes = randomBytes(1000);
    const slow = fixture.blobs({ storage });
    const kept = await slow.keep(inChunks(bytes), {
      bytesMax: 1e9,
      async commit(tx, blob) {
        commits++;
        await slow.hold(tx, blob.hash, newHolder());
        return blob;
      },
    });
    assert.equal(commits, 1);
    assert.equal(published, 2);
    assert.ok((await readWhole(blobs, kept.hash))?.equals(bytes));
  });
});

describe("references", () => {
  test("reuse adds a reference to what is here, and is null for what is not", async () => {
    const kept = await keepHeld(blobs, randomBytes(100));
    const holder = newHolder();
    const reused = await blobs.reuse(kept.hash, async (tx, blob) => {
      await blobs.hold(tx, blob.hash, holder);
      return blob;
    });
    assert.deepEqual(reused, { hash: kept.hash, size: 100 });
    for (const hash of [await hashOf(randomBytes(9)), "nonsense", "../x", ""]) {
      assert.equal(await blobs.reuse(hash, () => Promise.reject(new Error("not to be called"))), null);
    }
  });

  test("an upload that is not committed yet can be neither reused, held nor opened", async () => {
    const bytes = randomBytes(500);
    const hash = await hashOf(bytes);
    await blobs.keep(inChunks(bytes), {
      bytesMax: 1e9,
      async commit(tx, blob) {
        assert.equal(await blobs.reuse(hash, async () => "reused"), null);
        assert.equal(await blobs.open(hash), null);
        await assert.rejects(
          fixture.database.transaction((other) => blobs.hold(other, hash, newHolder())),
          isFault("blob_not_found"),
        );
        await blobs.hold(tx, blob.hash, newHolder());
      },
    });
    assert.equal(await blobs.reuse(hash, async () => "reused"), "reused");
  });

  test("holding twice is one reference, releasing twice is no error", async () => {
    const kept = await keepHeld(blobs, randomBytes(100));
    const count = (await countRows(fixture.database))?.references ?? 0;
    await fixture.database.transaction((tx) => blobs.hold(tx, kept.hash, kept.holder));
    assert.equal((await countRows(fixture.database))?.references, count);
    for (let time = 0; time < 2; time++) {
      await fixture.database.transaction((tx) => blobs.release(tx, kept.hash, kept.holder));
      assert.equal((await countRows(fixture.database))?.references, count - 1);
    }
  });

  test("a missing blob cannot be held", async () => {
    for (const hash of ["f".repeat(64), "nonsense"]) {
      await assert.rejects(
        fixture.database.transaction((tx) => blobs.hold(tx, hash, newHolder())),
        isFault("blob_not_found"),
      );
    }
  });
});

describe("opening", () => {
  test("a range gives exactly its bytes", async () => {
    const bytes = randomBytes(300_000);
    const { hash } = await keepHeld(blobs, bytes);
    for (const [start, end] of [
      [0, 0],
      [299_999, 299_999],
      [70_000, 270_000],
    ] as const) {
      const found = await blobs.open(hash, { start, end });
      assert.equal(found?.size, 300_000);
      assert.deepEqual(Buffer.concat((await found?.stream.toArray()) ?? []), bytes.subarray(start, end + 1));
    }
    await assert.rejects(blobs.open(hash, { start: 0, end: 300_000 }), /within its blob/);
  });

  for (const size of [10, 700_000]) {
    test(`damaged bytes never end like whole ones (${size} bytes)`, async () => {
      const bytes = randomBytes(size);
      const { hash } = await keepHeld(blobs, bytes);
      await damage(hash, bytes);
      const found = await blobs.open(hash);
      assert.ok(found);
      let received = 0;
      const reading = (async () => {
        for await (const chunk of found.stream) received += chunk.length;
      })();
      await assert.rejects(reading, isFault("internal_error"));
      assert.ok(received < size);
      assert.ok(await markedSuspect(hash));
      // From now on not even the first byte is sent.
      await assert.rejects(blobs.open(hash), isFault("internal_error"));
      assert.equal(await blobs.reuse(hash, async () => "reused"), null);
      // Uploading the same bytes again repairs it.
      await keepHeld(blobs, bytes);
      assert.ok(!(await markedSuspect(hash)));
      assert.ok((await readWhole(blobs, hash))?.equals(bytes));
    });
  }

  test("a verified file is hashed again when it changed, whatever its timestamps say, and after an hour", async () => {
    const clock = handClock();
    const patient = fixture.blobs({ clock });
    const bytes = randomBytes(1_500_000);
    const { hash } = await keepHeld(patient, bytes);
    for (let read = 0; read < 2; read++) assert.ok((await readWhole(patient, hash))?.equals(bytes));
    const { atime, mtime } = await stat(fixture.pathOf(hash));
    await damage(hash, bytes);
    await utimes(fixture.pathOf(hash), atime, mtime);
    await assert.rejects(readWhole(patient, hash), isFault("internal_error"));
    assert.ok(await markedSuspect(hash));

    // A disk that forgets does not say so: the storage believes these are still the same bytes.
    await keepHeld(patient, bytes);
    const storage: BlobStorage = {
      ...fixture.storage,
      async open(name, range) {
        const found = await fixture.storage.open(name, range);
        return found && openedBytes(found.size, found.source, { mark: "as ever" });
      },
    };
    const believing = fixture.blobs({ clock, storage });
    assert.ok((await readWhole(believing, hash))?.equals(bytes));
    await damage(hash, bytes);
    assert.ok(!(await readWhole(believing, hash))?.equals(bytes));
    await clock.advance(3_600_001);
    await assert.rejects(readWhole(believing, hash), isFault("internal_error"));
  });

  test("another size and a missing file are refused before the first byte, and a mended one is trusted again", async () => {
    const bytes = randomBytes(1000);
    const { hash } = await keepHeld(blobs, bytes);
    await writeFile(fixture.pathOf(hash), bytes.subarray(1));
    await assert.rejects(blobs.open(hash), isFault("internal_error"));
    await rm(fixture.pathOf(hash));
    await assert.rejects(blobs.open(hash), isFault("internal_error"));
    await writeFile(fixture.pathOf(hash), bytes);
    assert.ok((await readWhole(blobs, hash))?.equals(bytes));
    assert.ok(!(await markedSuspect(hash)));
  });

  test("a stream that is let go unread frees its file", async () => {
    const { hash } = await keepHeld(blobs, randomBytes(1_000_000));
    for (let round = 0; round < 10; round++) {
      const found = await blobs.open(hash);
      const closed = new Promise((resolve) => found?.stream.once("close", resolve));
      found?.stream.destroy();
      await closed;
    }
  });

  test("an invalid or unknown hash is null", async () => {
    for (const hash of ["", "../../etc/passwd", "e".repeat(64)]) assert.equal(await blobs.open(hash), null);
  });
});

describe("space", () => {
  test("below the reserve uploads are refused and reads go on", async () => {
    const bytes = randomBytes(1000);
    const { hash } = await keepHeld(blobs, bytes);
    const storage = { ...fixture.storage, spaceProblem: async () => "The disk is almost full." };
    const full = fixture.blobs({ storage });
    await assert.rejects(keepHeld(full, bytes), isFault("storage_full"));
    assert.equal(await full.freeSpaceProblem(), "The disk is almost full.");
    assert.ok((await readWhole(full, hash))?.equals(bytes));
    assert.equal(await blobs.freeSpaceProblem(), null);
    assert.ok((await stat(fixture.directory)).isDirectory());
  });
});
