// Each invariant of calls can fail: we break what it guards by hand, and it reports that.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { type Queryable, type Statement, sql } from "../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { callInvariants } from "./call-invariants-store.ts";
import { beginBatch } from "./rounds/begin-batch.ts";
import { callsFixture, opening } from "./rounds/calls.fixture.ts";
import { finishCalls } from "./rounds/finish-store.ts";

let database: TestDatabase;
let workspaceId: WorkspaceId;
const [open, ended] = [newId<"call">(), newId<"call">()];
const ownerId = newId<"call-owner">();

before(async () => {
  database = await testDatabase();
  await database.execute(
    sql`insert into call_owners (id, heartbeat_at) values (${ownerId}, now() + interval '1 hour')`,
  );
  workspaceId = await callsFixture(database).newWorkspace(100n);
  const openings = [open, ended].map((id) => ({ ...opening(workspaceId, { idempotencyKey: id }), id }));
  await beginBatch(database, openings, ownerId);
  const usage = { requestId: null, apiKeyId: null, subject: "s", status: 200, totalMs: 1, providerMs: 1 };
  const answer = { status: 200, headers: {}, body: Buffer.from("{}") };
  const call = { id: ended, workspaceId, fence: 1 };
  await finishCalls(database, [{ call, state: "finished", outcome: "succeeded", charge: 4n, answer, usage }]);
});
after(() => database.close());

async function broken(db: Queryable): Promise<string[]> {
  const names: string[] = [];
  for (const { name, statement } of callInvariants) if ((await db.query(statement)).length > 0) names.push(name);
  return names.map((name) => name.match(/^I\d+/)?.[0] ?? name);
}

class Undone extends Error {}

async function brokenBy(damage: Statement): Promise<string[]> {
  let names: string[] = [];
  const undone = database.transaction(async (tx) => {
    await tx.execute(damage);
    names = await broken(tx);
    throw new Undone();
  });
  await assert.rejects(undone, Undone);
  return names;
}

const line = (id: string, kind: string, debit: string, credit: string) => sql`
  insert into journal (transaction_id, kind, workspace_id, debit, credit, amount)
  values (${id}, ${kind}, ${workspaceId}, ${debit}, ${credit}, 3)`;

const aKind = "every line of the journal is of a kind that there is, between the accounts of that kind";

const damages: readonly [string, () => Statement, readonly string[]][] = [
  ["credits out of nothing", () => sql`update wallets set available = available + 1`, ["I1"]],
  ["a hold without a call", () => sql`update wallets set available = available - 1, held = held + 1`, ["I1", "I2"]],
  ["a hold that its call does not know", () => sql`update calls set hold = hold + 1 where id = ${open}`, ["I1", "I2"]],
  ["a line of a call that leaves something held", () => line(open, "hold", "available", "held"), ["I1", "I3"]],
  ["a charge of an open call", () => line(open, "settle", "available", "revenue"), ["I1", "I4", "I11"]],
  [
    "a charge that the journal has otherwise",
    () => sql`update calls set settled = 5 where id = ${ended}`,
    ["I4", "I11", "I12"],
  ],
  ["an unknown end without suspense", () => sql`update calls set state = 'unknown' where id = ${ended}`, ["I4"]],
  ["a charge without an answer", () => sql`delete from call_answers where call_id = ${ended}`, ["I5"]],
  ["an open call whose key is gone", () => sql`delete from call_keys where call_id = ${open}`, ["I10"]],
  [
    "a key that names a call of another",
    () => sql`update call_keys set call_id = ${open} where call_id = ${ended}`,
    ["I10"],
  ],
  ["a key that names nothing", () => sql`update call_keys set call_id = ${newId()} where call_id = ${ended}`, ["I10"]],
  ["a kind of line that there is not", () => line(newId(), "gift", "funding", "available"), ["I1", aKind]],
  [
    "a sum of usage that no row explains",
    () => sql`
      insert into usage_sums (workspace_id, is_day, detail, slot, subject, outcome, is_replay, calls, credits, first_at, last_at)
      values (${workspaceId}, false, 2, date_bin('1 hour', now(), '2000-01-01Z'), 's', 'succeeded', false, 1, 0, now(), now())`,
    ["the sums of usage are its rows"],
  ],
  [
    "a call that its budget's row does not hold",
    () => sql`
      with made as (
        insert into budgets (id, workspace_id, name, scope, subject, period, amount, at_limit, created_at, period_start, spent, held)
        values (${newId()}, ${workspaceId}, 'b', 'workspace', '', 'day', 100, 'stop', now(), now(), 0, 2) returning id
      )
      insert into budget_calls (call_id, budget_id, hold) select ${open}, id, 3 from made`,
    ["a budget's row holds at least what the calls that count against it hold"],
  ],
  ["a line between the wrong accounts", () => line(newId(), "fund", "funding", "revenue"), ["I11", aKind]],
];

test("are consistent without planted faults", async () => assert.deepEqual(await broken(database), []));

for (const [what, damage, names] of damages)
  test(`${what} is seen`, async () => assert.deepEqual(await brokenBy(damage()), names));
