// Stored notes: each change once, even if several processes look.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import type { Offered } from "./release-note.ts";
import { createReleaseNotes } from "./release-notes.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const model = (subject: string, deprecatedAt: Date | null = null): Offered => ({
  ...{ subject, fingerprint: "", deprecatedAt, sunsetAt: null },
});

test("two processes that see the same change note it once; what one of them does not know stays", async () => {
  const clock = handClock();
  let offered: readonly Offered[] = [model("a/one"), model("a/two")];
  const open = (offers: () => readonly Offered[]) =>
    createReleaseNotes({
      database,
      clock,
      offers: { model: offers, partner_tool: () => [], badge: () => null },
      nodeVersions: async () => [],
    });
  const newer = open(() => offered);
  const older = open(() => offered.slice(0, 1));
  await Promise.all([newer.look(), older.look()]);
  const listed = async () => (await newer.list(20)).map(({ change, subject }) => `${change} ${subject}`).sort();
  assert.deepEqual(await listed(), ["added a/one", "added a/two"]);
  offered = [model("a/one", clock.now()), model("a/two")];
  await newer.look();
  await newer.look();
  assert.deepEqual(await listed(), ["added a/one", "added a/two", "deprecated a/one"]);
  offered = [model("a/one", clock.now())];
  await newer.look();
  assert.equal((await listed()).length, 3, "it may be known to another process");
  await clock.advance(10 * 60_000);
  await newer.look();
  assert.deepEqual((await listed()).at(-1), "removed a/two");
});
