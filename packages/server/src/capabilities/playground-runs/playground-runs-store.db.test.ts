import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { createPlaygroundRuns, playgroundRunBounds } from "./playground-runs.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const owned = () => ({ workspaceId: newId<"workspace">(), ownerId: newId<"person">() as string });
const aRun = (owner: { readonly workspaceId: WorkspaceId; readonly ownerId: string }, model = "sandbox/image-1") => ({
  ...owner,
  model,
  input: '{"seed":18446744073709551615}',
  requestId: null,
  credits: 1_500_000n,
  assetIds: [newId<"asset">()],
});
const all = { model: null, before: null, count: 1_000 };

test("a run comes back unchanged, newest first, and only to its owner in its workspace", async () => {
  const clock = handClock();
  const runs = createPlaygroundRuns({ database, clock });
  const owner = owned();
  const first = await runs.keep(aRun(owner));
  await clock.advance(1);
  const second = await runs.keep(aRun(owner, "sandbox/video-1"));
  assert.deepEqual(await runs.list(owner, all), [second, first]);
  assert.equal(first.input, '{"seed":18446744073709551615}');
  assert.deepEqual(await runs.list(owner, { ...all, model: "sandbox/image-1" }), [first]);
  assert.deepEqual(await runs.list(owner, { ...all, before: second.id }), [first]);
  assert.deepEqual(await runs.list({ ...owner, ownerId: newId<"person">() }, all), []);
  assert.deepEqual(await runs.list({ ...owner, workspaceId: newId() }, all), []);
  assert.equal(await runs.remove({ ...owner, ownerId: newId<"person">() }, first.id), false);
  assert.equal(await runs.remove(owner, first.id), true);
  await runs.clear({ ...owner, workspaceId: newId() });
  assert.deepEqual(await runs.list(owner, all), [second]);
  await runs.clear(owner);
  assert.deepEqual(await runs.list(owner, all), []);
});

test("each person keeps the newest up to a limit, and none older than 90 days", async () => {
  const clock = handClock();
  const runs = createPlaygroundRuns({ database, clock });
  const [owner, other] = [owned(), owned()];
  await runs.keep(aRun(other));
  await database.execute(sql`
    insert into playground_runs (workspace_id, owner_id, id, model, input, asset_ids)
    select ${owner.workspaceId}, ${owner.ownerId}, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'a/b', '{}', '{}'
    from generate_series(1, ${playgroundRunBounds.ownerRows}) n`);
  const newest = await runs.keep(aRun(owner));
  const kept = await runs.list(owner, all);
  assert.equal(kept.length, playgroundRunBounds.ownerRows);
  assert.equal(kept[0]?.id, newest.id);
  assert.ok(
    kept.every(({ id }) => !id.endsWith("000000000001")),
    "the oldest is gone",
  );
  await database.execute(sql`
    update playground_runs set at = now() - interval '91 days' where workspace_id = ${owner.workspaceId}`);
  await runs.forget();
  assert.deepEqual([(await runs.list(owner, all)).length, (await runs.list(other, all)).length], [0, 1]);
});
