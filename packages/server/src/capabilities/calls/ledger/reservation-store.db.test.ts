// Credits held inside another capability's transaction, with a real database.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { callsFixture } from "../rounds/calls.fixture.ts";
import { findWallet } from "./ledger-store.ts";
import { endReservations, reserveCredits } from "./reservation-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const walletOf = async (workspaceId: WorkspaceId) => {
  const { available, held } = await findWallet(database, workspaceId);
  return [available, held];
};
const broken = async () => {
  const names: string[] = [];
  for (const { name, statement } of callInvariants) if ((await database.query(statement)).length > 0) names.push(name);
  return names;
};
const reserve = (workspaceId: WorkspaceId, holderId: string, amounts: Record<string, bigint>) => {
  const parts = Object.entries(amounts).map(([part, amount]) => ({ part, amount }));
  return database.transaction((tx) => reserveCredits(tx, [{ holderId, workspaceId, parts }]));
};

test("a hundred racing reservations on credits for ten: exactly ten win", async () => {
  const workspaceId = await callsFixture(database).newWorkspace(1_000n);
  const verdicts = await Promise.all(Array.from({ length: 100 }, () => reserve(workspaceId, newId(), { run: 100n })));
  assert.equal(verdicts.filter(([verdict]) => verdict === null).length, 10);
  assert.deepEqual(await walletOf(workspaceId), [0n, 1_000n]);
  assert.deepEqual(await broken(), []);
});

test("within a batch first come is first served, and one that does not fit blocks nobody", async () => {
  const workspaceId = await callsFixture(database).newWorkspace(100n);
  const requests = [60n, 50n, 40n].map((amount) => ({
    holderId: newId(),
    workspaceId,
    parts: [{ part: "run", amount }],
  }));
  const stranger = { holderId: newId(), workspaceId: newId<"workspace">(), parts: [{ part: "run", amount: 1n }] };
  const verdicts = await database.transaction((tx) => reserveCredits(tx, [...requests, stranger]));
  assert.deepEqual(verdicts, [null, 40n, null, 0n]);
  assert.deepEqual(await walletOf(workspaceId), [0n, 100n]);
});

test("a reservation whose transaction fails leaves nothing", async () => {
  const workspaceId = await callsFixture(database).newWorkspace(100n);
  const parts = [{ part: "run", amount: 10n }];
  const failing = database.transaction(async (tx) => {
    await reserveCredits(tx, [{ holderId: newId(), workspaceId, parts }]);
    throw new Error("something else failed");
  });
  await assert.rejects(failing, /something else/);
  assert.deepEqual(await walletOf(workspaceId), [100n, 0n]);
});

test("reservations, partial releases and endings add up in any order, repeated or not", async () => {
  const amounts = fc.record({ run: fc.bigInt(0n, 50n), a: fc.bigInt(0n, 50n), b: fc.bigInt(0n, 50n) });
  const ends = fc.array(fc.constantFrom("a", "b", "run", "everything"), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(amounts, ends, fc.bigInt(0n, 80n), async (parts, order, charge) => {
      const workspaceId = await callsFixture(database).newWorkspace(1_000n);
      const holderId = newId();
      assert.deepEqual(await reserve(workspaceId, holderId, parts), [null]);
      const open = new Map(Object.entries(parts));
      let charged = 0n;
      for (const word of [...order, "everything"]) {
        const part = word === "everything" ? null : word;
        const usage = { apiKeyId: null, subject: "job", outcome: "succeeded", totalMs: 1 };
        const end = { holderId, workspaceId, part, charge, usage };
        await database.transaction((tx) => endReservations(tx, [end]));
        if (open.has("run") && (part === null || part === "run")) {
          const run = open.get("run") ?? 0n;
          charged += charge < run ? charge : run;
        }
        for (const name of part === null ? [...open.keys()] : [part]) open.delete(name);
        const held = [...open.values()].reduce((sum, amount) => sum + amount, 0n);
        assert.deepEqual(await walletOf(workspaceId), [1_000n - charged - held, held]);
      }
      const [used] = await database.query<{ credits: string }>(
        sql`select coalesce(sum(credits), 0) as credits from usage where workspace_id = ${workspaceId}`,
      );
      assert.equal(BigInt(used?.credits ?? 0), charged);
    }),
    { numRuns: 30 },
  );
  assert.deepEqual(await broken(), []);
});
