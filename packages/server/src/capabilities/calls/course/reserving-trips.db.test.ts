// How many trips to the database a call makes before it begins, by what it counts against. Trips are what a caller waits for, so a
// further one needs a reason here.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { type KeyId, newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { createAudit } from "../../audit/index.ts";
import { createBudgets } from "../budgets/budgets.ts";
import { createKeyCaps } from "../credits/credits-caps.ts";
import { createCallLimits } from "../limiting/call-limits.ts";
import { callsFixture } from "../rounds/calls.fixture.ts";

const by = { actor: { kind: "system", id: null } } as const;
const models = ["sandbox/image-1"];
let database: TestDatabase;
let workspaceId: WorkspaceId;
before(async () => {
  database = await testDatabase();
  workspaceId = await callsFixture(database).newWorkspace(1_000_000n);
});
after(() => database.close());

function counted() {
  let trips = 0;
  const watched: Database = {
    ...database,
    query: (statement) => {
      trips += 1;
      return database.query(statement);
    },
    execute: (statement) => {
      trips += 1;
      return database.execute(statement);
    },
    transaction: (run) => {
      // BEGIN and COMMIT.
      trips += 2;
      return database.transaction((tx) =>
        run({
          query: (statement) => {
            trips += 1;
            return tx.query(statement);
          },
          execute: (statement) => {
            trips += 1;
            return tx.execute(statement);
          },
        }),
      );
    },
  };
  const audit = createAudit({ database });
  const budgets = createBudgets({ database: watched, audit });
  const limits = createCallLimits({ database: watched, audit });
  const caps = createKeyCaps({ database: watched, audit, budgets, limits });
  const ask = async (apiKeyId: KeyId, calls = 1) => {
    const asked = () => caps.requireWithinCap({ workspaceId, apiKeyId, callId: newId<"call">(), hold: 10n, models });
    // The first fills what is remembered of rules, for five seconds.
    await asked();
    const start = trips;
    await Promise.all(Array.from({ length: calls }, asked));
    return trips - start;
  };
  return { budgets, limits, ask };
}

const budget = {
  scope: "workspace",
  subject: "",
  period: "day",
  atLimit: "stop",
  webhookUrl: null,
  emails: [],
} as const;

test("nothing without rules; 5 with a budget, 4 or 5 with a limit, and hardly more for 128 calls at once", async (t) => {
  const plain = newId<"key">();
  const { budgets, limits, ask } = counted();
  assert.equal(await ask(plain), 0);

  await budgets.put({ workspaceId, name: "all" }, { ...budget, amount: 1_000_000n }, by);
  assert.equal(await ask(plain), 5, "BEGIN, lock, add up, insert, COMMIT");
  await budgets.remove({ workspaceId, name: "all" }, by);

  const model = models[0] ?? "";
  await limits.setOfModel(model, { perMinute: 1_000, concurrency: null }, by);
  assert.equal(await ask(plain), 4, "BEGIN, lock, write, COMMIT");
  await limits.setOfModel(model, { perMinute: 1_000, concurrency: 500 }, by);
  assert.equal(await ask(plain), 5, "and the calls in flight");

  await budgets.put({ workspaceId, name: "all" }, { ...budget, amount: 1_000_000n }, by);
  assert.equal(await ask(plain), 8, "a budget and a limit share BEGIN and COMMIT");
  const startMs = performance.now();
  const many = await ask(plain, 128);
  assert.ok(many <= 2 * 8, `${many} for 128 calls`);
  t.diagnostic(`128 calls at once: ${many} trips, ${((performance.now() - startMs) / 129).toFixed(2)} ms a call`);
});
