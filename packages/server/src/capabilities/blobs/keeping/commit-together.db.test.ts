import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { type Database, sql } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import {
  type BlobsFixture,
  blobsFixture,
  brokenInvariants,
  countRows,
  inChunks,
  newHolder,
  readWhole,
} from "../blobs.fixture.ts";
import type { Blobs } from "../blobs.ts";

let fixture: BlobsFixture;
before(async () => {
  fixture = await blobsFixture();
});
after(async () => {
  assert.deepEqual(await brokenInvariants(fixture.database), []);
  assert.deepEqual(await fixture.filesIn("tmp"), []);
  await fixture.close();
});

function keepInGroup(blobs: Blobs, bytes: Uint8Array, refuse: () => boolean = () => false): Promise<string> {
  const holder = newHolder();
  return blobs.keep(inChunks(bytes), {
    bytesMax: 1e6,
    group: "one",
    async commit(tx, blob) {
      await blobs.hold(tx, blob.hash, holder);
      if (refuse()) throw new Fault("quota_exceeded", "Full.");
      return blob.hash;
    },
  });
}

// Counts transactions, and holds them all back until released.
function counted(database: Database) {
  const gate = Promise.withResolvers<void>();
  let transactions = 0;
  const counting: Database = {
    ...database,
    transaction: async (run) => {
      transactions++;
      await gate.promise;
      return database.transaction(run);
    },
  };
  return { database: counting, open: gate.resolve, transactions: () => transactions };
}

async function untilPinned(count: number): Promise<void> {
  while (((await countRows(fixture.database))?.pins ?? 0) < count)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

test("uploads of a group that are ready together are committed together, each with its own answer", async () => {
  const { database, open, transactions } = counted(fixture.database);
  const blobs = fixture.blobs({ database });
  const files = Array.from({ length: 20 }, () => randomBytes(2_000));
  const keeping = files.map((bytes) => keepInGroup(blobs, bytes));
  await untilPinned(20);
  open();
  const hashes = await Promise.all(keeping);
  assert.ok(transactions() < 20, `${transactions()} transactions`);
  assert.equal(new Set(hashes).size, 20);
  for (const [index, hash] of hashes.entries())
    assert.ok((await readWhole(blobs, hash))?.equals(files[index] ?? Buffer.alloc(0)));
});

test("one that is refused is refused alone, and leaves nothing", async () => {
  const before = await countRows(fixture.database);
  const { database, open } = counted(fixture.database);
  const blobs = fixture.blobs({ database });
  const keeping = Array.from({ length: 8 }, (_, index) => keepInGroup(blobs, randomBytes(2_000), () => index === 5));
  await untilPinned(8);
  open();
  const outcomes = await Promise.allSettled(keeping);
  const refused = outcomes.flatMap((outcome, index) =>
    outcome.status === "rejected" ? [[index, outcome.reason]] : [],
  );
  assert.equal(refused.length, 1);
  const [index, reason] = refused[0] ?? [];
  assert.ok(index === 5 && reason instanceof Fault && reason.code === "quota_exceeded");
  const after = await countRows(fixture.database);
  assert.equal(after?.blobs, (before?.blobs ?? 0) + 7);
  assert.deepEqual({ pins: after?.pins, references: after?.references }, { pins: 0, references: after?.blobs });
  assert.equal((await fixture.filesIn("blobs")).length, after?.blobs);
});

test("the same bytes many times at once in one group are one blob with a reference each", async () => {
  const before = await countRows(fixture.database);
  const blobs = fixture.blobs();
  const bytes = randomBytes(3_000);
  const hashes = await Promise.all(Array.from({ length: 12 }, () => keepInGroup(blobs, bytes)));
  assert.equal(new Set(hashes).size, 1);
  const after = await countRows(fixture.database);
  assert.equal(after?.blobs, (before?.blobs ?? 0) + 1);
  assert.equal(after?.references, (before?.references ?? 0) + 12);
});

test("one whose pin ran out begins again, and the others do not wait for it", async () => {
  const { database, open } = counted(fixture.database);
  const blobs = fixture.blobs({ database });
  const commits = [0, 0, 0];
  const files = commits.map(() => randomBytes(2_000));
  const keeping = files.map((bytes, index) =>
    keepInGroup(blobs, bytes, () => {
      commits[index] = (commits[index] ?? 0) + 1;
      return false;
    }),
  );
  await untilPinned(3);
  await fixture.database.execute(sql`
    delete from blob_pins where id = (select id from blob_pins limit 1)`);
  open();
  const hashes = await Promise.all(keeping);
  assert.deepEqual(commits, [1, 1, 1]);
  for (const [index, hash] of hashes.entries())
    assert.ok((await readWhole(blobs, hash))?.equals(files[index] ?? Buffer.alloc(0)));
  assert.equal((await countRows(fixture.database))?.pins, 0);
});
