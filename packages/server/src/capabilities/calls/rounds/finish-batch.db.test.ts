import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sql } from "../../../foundation/database/index.ts";
import { newId } from "../../../foundation/ids.ts";
import type { CallEnding } from "../call/call-opening.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { findWallet } from "../ledger/ledger-store.ts";
import { beginBatch } from "./begin-batch.ts";
import { callsFixture, opening } from "./calls.fixture.ts";
import { finishCalls, finishEvery } from "./finish-store.ts";

let database: TestDatabase;
const ownerId = newId<"call-owner">();

before(async () => {
  database = await testDatabase();
  await database.execute(
    sql`insert into call_owners (id, heartbeat_at) values (${ownerId}, now() + interval '1 hour')`,
  );
});
after(() => database.close());

const end = fc.record({
  hold: fc.bigInt(0n, 20n),
  charge: fc.bigInt(0n, 25n),
  hasKey: fc.boolean(),
  takesSlot: fc.boolean(),
  isCostly: fc.boolean(),
  isUnknown: fc.boolean(),
  keepsKey: fc.boolean(),
  isKept: fc.boolean(),
  blob: fc.boolean(),
  // A fence other than the call's changes nothing.
  fence: fc.constantFrom(1, 1, 1, 2),
  providerMs: fc.option(fc.nat(99)),
});
type End = typeof end extends fc.Arbitrary<infer Value> ? Value : never;
type Way = (endings: readonly CallEnding[]) => Promise<readonly boolean[]>;

const oneByOne =
  (finish: typeof finishCalls): Way =>
  async (endings) => {
    const done: boolean[] = [];
    for (const ending of endings) done.push((await finish(database, [ending])).has(0));
    return done;
  };
const together: Way = async (endings) => {
  const done = await finishCalls(database, endings);
  return endings.map((_, index) => done.has(index));
};

// What each way leaves behind, without ids and times, which differ between runs.
async function live(way: Way, ends: readonly End[]): Promise<unknown> {
  const workspaceId = await callsFixture(database).newWorkspace(10_000n);
  const openings = ends.map(({ hold, hasKey, takesSlot, isCostly }, index) => ({
    ...opening(workspaceId, { hold, takesSlot, isCostly, idempotencyKey: hasKey ? `k-${index}` : null }),
    id: newId<"call">(),
  }));
  if (openings.length > 0) await beginBatch(database, openings, ownerId);
  const endings = openings.map(({ id, subject }, index): CallEnding => {
    const { charge, isUnknown, keepsKey, isKept, blob, fence, providerMs } = ends[index] ?? assert.fail();
    const body = Buffer.from(blob ? "" : `"${index}"`);
    const answer = {
      status: 200,
      headers: { "content-type": "a/b" },
      body,
      ...(blob ? { blob: { hash: "h", bytes: 9 } } : {}),
    };
    return {
      call: { id, workspaceId, fence },
      state: isUnknown ? "unknown" : "finished",
      outcome: "succeeded",
      charge: isUnknown ? 0n : charge,
      answer: keepsKey ? answer : null,
      sent: answer,
      isKept,
      usage: { requestId: null, apiKeyId: null, subject, status: 200, totalMs: 7.4, providerMs },
    };
  });
  const done = await way(endings);
  const again = await way(endings);
  const rows = await database.query(sql`
    select c.state, c.outcome, c.settled, c.owner_id is null as is_ownerless, c.finished_at is null as is_open,
           k.call_id is not null as has_key, a.status, a.headers, a.body, a.blob_hash, a.body_bytes,
           a.answered_at = c.finished_at as is_of_its_moment, u.outcome as told, u.status as usage_status, u.credits, u.total_ms,
           u.provider_ms, u.at = c.finished_at as is_used_then,
           (select array_agg(array[kind, debit, credit, amount::text] order by kind) from journal j where j.transaction_id = c.id) as lines
    from calls c left join call_keys k on k.call_id = c.id left join call_answers a on a.call_id = c.id
      left join usage u on u.call_id = c.id
    where c.workspace_id = ${workspaceId} order by c.id`);
  return { done, again, rows, wallet: await findWallet(database, workspaceId) };
}

test("an ending written alone has the same effect as in a batch or by the exact statement", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(end, { maxLength: 8 }), async (ends) => {
      const exact = await live(oneByOne(finishEvery), ends);
      assert.deepEqual(await live(oneByOne(finishCalls), ends), exact);
      assert.deepEqual(await live(together, ends), exact);
    }),
    { numRuns: 40 },
  );
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
});
