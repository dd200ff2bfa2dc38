import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import type { FileOwner } from "./editor-file.ts";
import { createEditorFiles } from "./editor-files.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const someone = (): FileOwner => ({ workspaceId: newId<"workspace">(), ownerId: newId<"person">() });
const any = { kind: "any" } as const;
const isFault = (code: string) => (thrown: unknown) => thrown instanceof Fault && thrown.code === code;

test("a file comes back byte for byte, to its owner in its workspace alone", async () => {
  const files = createEditorFiles({ database, clock: handClock() });
  const [owner, stranger] = [someone(), someone()];
  const bytes = Buffer.from([0, 255, 10, 13, 0]);
  const written = await files.write(owner, { path: "a/b.bin", bytes, expected: any });
  assert.deepEqual([written.revision, written.sizeBytes], [1, 5]);
  assert.deepEqual((await files.read(owner, "a/b.bin"))?.bytes, bytes);
  for (const other of [
    stranger,
    { ...owner, ownerId: stranger.ownerId },
    { ...owner, workspaceId: stranger.workspaceId },
  ]) {
    assert.equal(await files.read(other, "a/b.bin"), null);
    assert.deepEqual(await files.list(other), []);
    assert.equal(await files.remove(other, "a/b.bin", any), false);
  }
  assert.equal(await files.remove(owner, "a/b.bin", any), true);
  assert.deepEqual(await files.list(owner), []);
});

test("of writers that expect the same revision one wins, and edits that run together all count", async () => {
  const files = createEditorFiles({ database, clock: handClock() });
  const owner = someone();
  const write = (text: string, revision: number) =>
    files.write(owner, {
      path: "x",
      bytes: Buffer.from(text),
      expected: revision === 0 ? { kind: "absent" } : { kind: "version", versions: [revision] },
    });
  for (const revision of [0, 1]) {
    const ends = await Promise.allSettled(["a", "b", "c"].map((text) => write(text, revision)));
    assert.equal(ends.filter(({ status }) => status === "fulfilled").length, 1);
    for (const end of ends) if (end.status === "rejected") assert.ok(isFault("precondition_failed")(end.reason));
  }
  const one = (bytes: Buffer | null) => Buffer.from(String(Number(bytes ?? 0) + 1));
  await Promise.all(Array.from({ length: 8 }, () => files.edit(owner, "count", one)));
  assert.equal((await files.read(owner, "count"))?.bytes.toString(), "8");
});

test("an owner has a limited number of files and bytes, and can always make one smaller", async () => {
  const bounds = { files: 3, bytes: 100, fileBytes: 60 };
  const files = createEditorFiles({ database, clock: handClock(), bounds });
  const owner = someone();
  const write = (path: string, size: number) => files.write(owner, { path, bytes: Buffer.alloc(size), expected: any });
  for (const path of ["a", "b", "c"]) await write(path, 30);
  await assert.rejects(write("one more", 1), isFault("quota_exceeded"));
  await assert.rejects(write("a", 61), isFault("payload_too_large"));
  await assert.rejects(write("a", 41), isFault("quota_exceeded"));
  assert.equal((await write("a", 40)).sizeBytes, 40);
  assert.equal((await write("b", 10)).sizeBytes, 10);
  assert.deepEqual(
    (await files.list(owner)).map(({ path, revision }) => [path, revision]),
    [
      ["a", 2],
      ["b", 2],
      ["c", 1],
    ],
  );
});
