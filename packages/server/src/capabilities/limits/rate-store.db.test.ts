import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Spending } from "./rate-buckets.ts";
import { addSpendings, forgetDrainedBuckets, listSpentBuckets } from "./rate-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

// Hours of bucket time, so that the milliseconds a test takes do not matter.
const hourMs = 3_600_000;
const spending = (workspaceId: WorkspaceId, hours: number, sinceHours = 0): Spending => ({
  workspaceId,
  family: "router_and_partner",
  spentMs: hours * hourMs,
  sinceMs: sinceHours * hourMs,
});
const hoursOf = (aheadMs: number | undefined) => Math.round((aheadMs ?? Number.NaN) / hourMs);

test("spending from several processes adds up in one bucket, even when written concurrently", async () => {
  const [one, two] = [newId<"workspace">(), newId<"workspace">()];
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      addSpendings(
        database,
        index % 2 === 0 ? [spending(one, 1), spending(two, 2)] : [spending(two, 2), spending(one, 1)],
      ),
    ),
  );
  const buckets = await addSpendings(database, [spending(one, 1), spending(two, 2)]);
  const hours = new Map(buckets.map(({ workspaceId, aheadMs }) => [workspaceId, hoursOf(aheadMs)]));
  assert.deepEqual([hours.get(one), hours.get(two)], [21, 42]);
});

test("a drained bucket starts counting from its first admitted request", async () => {
  const workspaceId = newId<"workspace">();
  const [fresh] = await addSpendings(database, [spending(workspaceId, 5, 2)]);
  assert.equal(hoursOf(fresh?.aheadMs), 3);
  await database.execute(sql`
    update rate_buckets set spent_until = now() - interval '9 hours' where workspace_id = ${workspaceId}`);
  const [again] = await addSpendings(database, [spending(workspaceId, 5, 2)]);
  assert.equal(hoursOf(again?.aheadMs), 3);
});

test("families are kept apart", async () => {
  const workspaceId = newId<"workspace">();
  const both = await addSpendings(database, [
    spending(workspaceId, 1),
    { ...spending(workspaceId, 4), family: "workflow_and_registry" },
  ]);
  assert.deepEqual(both.map(({ aheadMs }) => hoursOf(aheadMs)).sort(), [1, 4]);
});

test("every process learns of the most spent buckets, and drained ones are forgotten", async () => {
  const [spent, drained] = [newId<"workspace">(), newId<"workspace">()];
  await addSpendings(database, [spending(spent, 1_000), spending(drained, 1, 5)]);
  const [furthest] = await listSpentBuckets(database, { aheadSeconds: 5, count: 1 });
  assert.equal(furthest?.workspaceId, spent);
  assert.equal(hoursOf(furthest?.aheadMs), 1_000);
  const all = await listSpentBuckets(database, { aheadSeconds: 5, count: 100 });
  assert.ok(all.every(({ workspaceId }) => workspaceId !== drained));
  assert.equal(await forgetDrainedBuckets(database), 1);
});
