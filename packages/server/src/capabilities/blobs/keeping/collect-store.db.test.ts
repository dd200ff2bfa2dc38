import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sql } from "../../../foundation/database/index.ts";
import { newId } from "../../../foundation/ids.ts";
import { insertReference, keepPinned, lockKept, pinBlobs, removePin } from "../blob-store.ts";
import {
  adoptStrays,
  forgetDeleted,
  isDeletingBy,
  listUnwanted,
  listWithoutRow,
  markDeleting,
} from "./collect-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const newHash = () => randomBytes(32).toString("hex");
const pin = (hash: string, id = `${newId()}`, pinSeconds = 60) =>
  pinBlobs(database, [{ id, hash, size: 5 }], pinSeconds).then(([made]) => made);
const mark = (hash: string, collectorId = `${newId()}`) =>
  database.transaction((tx) => markDeleting(tx, { hashes: [hash], collectorId, graceSeconds: 0 }));

async function kept(): Promise<string> {
  const [hash, id] = [newHash(), newId()];
  await pin(hash, id);
  assert.ok((await database.transaction((tx) => keepPinned(tx, [{ pinId: id, isSuspect: false }]))).has(id));
  return hash;
}

test("a page ends at its bound, and the next one begins there", async () => {
  const hashes = new Set<string>();
  for (let count = 0; count < 7; count++) hashes.add(await kept());
  const held = [...hashes][0] ?? "";
  await insertReference(database, held, { kind: "test", id: "x" });
  const found: string[] = [];
  let after: string | null = null;
  let pages = 0;
  do {
    const page: Awaited<ReturnType<typeof listUnwanted>> = await listUnwanted(database, {
      after,
      rows: 3,
      graceSeconds: 0,
    });
    found.push(...page.blobs.map(({ hash }) => hash));
    after = page.next;
    pages++;
  } while (after !== null);
  hashes.delete(held);
  assert.deepEqual(found, [...hashes].sort());
  assert.equal(pages, 3);
});

test("a pin, a reference and a transaction that has yet to refer to it each keep a collector away", async () => {
  const hash = await kept();
  const id = newId();
  await pin(hash, id);
  assert.deepEqual(await mark(hash), []);
  await removePin(database, id);
  await database.transaction(async (tx) => {
    await insertReference(tx, hash, { kind: "test", id: "y" });
    // Not committed and not visible, but it counts, because the row is locked.
    assert.deepEqual(await mark(hash), []);
  });
  assert.deepEqual(await mark(hash), []);
  await database.execute(sql`delete from blob_references where hash = ${Buffer.from(hash, "hex")}`);
  await database.transaction(async (tx) => {
    assert.equal(await lockKept(tx, hash), 5);
    assert.deepEqual(await mark(hash), []);
  });
  assert.equal((await mark(hash)).length, 1);
});

test("a blob that is being deleted can be neither pinned, held nor reused until it is forgotten by its own collector", async () => {
  const hash = await kept();
  const collectorId = newId();
  assert.equal((await mark(hash, collectorId)).length, 1);
  assert.equal(await pin(hash), null);
  assert.equal(await insertReference(database, hash, { kind: "test", id: "z" }), false);
  assert.equal(await lockKept(database, hash), null);
  assert.equal(await isDeletingBy(database, hash, newId()), false);
  assert.equal(await isDeletingBy(database, hash, collectorId), true);
  assert.equal(await forgetDeleted(database, [hash], newId()), 0);
  assert.equal(await forgetDeleted(database, [hash], collectorId), 1);
  assert.equal((await pin(hash))?.isNew, true);
  assert.equal((await pin(hash))?.isNew, false);
});

test("a pin that ran out is not turned into a kept blob", async () => {
  const [hash, id] = [newHash(), newId()];
  await pin(hash, id, -1);
  assert.equal((await database.transaction((tx) => keepPinned(tx, [{ pinId: id, isSuspect: false }]))).size, 0);
  assert.equal(await lockKept(database, hash), null);
});

test("stored bytes without a row are adopted unless a row came first", async () => {
  const [stray, pinned, known] = [newHash(), newHash(), await kept()];
  assert.deepEqual(new Set(await listWithoutRow(database, [stray, pinned, known])), new Set([stray, pinned]));
  await pin(pinned);
  const strays = [stray, pinned].map((hash) => ({ hash, size: 5 }));
  assert.deepEqual(await adoptStrays(database, strays, newId()), [{ hash: stray, size: 5 }]);
  assert.equal(await pin(stray), null);
});
