// The slim way to begin, compared with the exact one: same batches, same verdicts, same wallet.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { CallOpening, OwnerId } from "../call/call-opening.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { findWallet } from "../ledger/ledger-store.ts";
import { beginBatch } from "./begin-batch.ts";
import { beginCalls } from "./begin-store.ts";
import type { BeginVerdict } from "./begin-verdict.ts";
import { callsFixture } from "./calls.fixture.ts";
import { finishCalls } from "./finish-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const ownerId: OwnerId = newId<"call-owner">();

interface Opened {
  readonly key: string | null;
  readonly mark: number;
  readonly isValid: boolean;
  readonly hold: number;
  readonly takesSlot: boolean;
  readonly isCostly: boolean;
}

const opening = (workspaceId: WorkspaceId, request: Opened): CallOpening => ({
  id: newId<"call">(),
  workspaceId,
  subject: 'model:sandbox/"odd\\one,{}"',
  idempotencyKey: request.key,
  fingerprint: Buffer.alloc(32, request.mark),
  isValid: request.isValid,
  hold: BigInt(request.hold),
  priceRecordId: null,
  pricedInput: { n: request.hold },
  takesSlot: request.takesSlot,
  isCostly: request.isCostly,
  slotsMax: 12,
  costlySlotsMax: 4,
  recovery: "ask",
  longestRunSeconds: 600,
  context: request.isCostly ? { of: "this test" } : null,
});

const request: fc.Arbitrary<Opened> = fc.record({
  key: fc.option(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"), { nil: null }),
  mark: fc.constantFrom(1, 1, 1, 2),
  isValid: fc.constantFrom(true, true, true, false),
  hold: fc.constantFrom(0, 1, 7, 30),
  takesSlot: fc.constantFrom(true, true, false),
  isCostly: fc.boolean(),
});

type Begin = typeof beginBatch;

// One batch after another. Every second call that begins is ended before the next batch, and now and then the keys are
// aged.
async function live(begin: Begin, batches: readonly (readonly Opened[])[]) {
  const fixture = callsFixture(database);
  const workspaceId = await fixture.newWorkspace(100n);
  const seen: unknown[] = [];
  for (const [round, requests] of batches.entries()) {
    const openings = requests.map((one) => opening(workspaceId, one));
    const verdicts = await begin(database, openings, ownerId);
    seen.push(verdicts.map(plainly), await findWallet(database, workspaceId));
    const begun = openings.filter((_, index) => verdicts[index]?.kind === "begun" && index % 2 === 0);
    await finishCalls(
      database,
      begun.map((call) => ({
        call: { id: call.id, workspaceId, fence: 1 },
        state: "finished",
        outcome: "succeeded",
        charge: call.hold / 2n,
        answer: { status: 200, headers: {}, body: Buffer.from("{}") },
        usage: { requestId: null, apiKeyId: null, subject: call.subject, status: 200, totalMs: 1, providerMs: 1 },
      })),
    );
    if (round % 3 === 2) await fixture.ageKeys(workspaceId, "25 hours");
    seen.push(await findWallet(database, workspaceId));
  }
  return seen;
}

// Ids and times differ between runs.
function plainly(verdict: BeginVerdict): unknown {
  if (verdict.kind === "replay" || verdict.kind === "join") return verdict.kind;
  return verdict;
}

test("a batch begins as it would under the exact statement", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(request, { minLength: 1, maxLength: 6 }), { maxLength: 6 }), async (batches) => {
      assert.deepEqual(await live(beginBatch, batches), await live(beginCalls, batches));
    }),
    { numRuns: 25 },
  );
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
});

// As calls.ts does: an opening that gets `again` goes into another batch.
async function insist(openings: readonly CallOpening[]): Promise<string[]> {
  const verdicts = await beginBatch(database, openings, ownerId);
  return Promise.all(
    verdicts.map(async ({ kind }, index) => {
      const again = openings[index];
      return kind === "again" && again ? ((await insist([again]))[0] ?? "") : kind;
    }),
  );
}

test("a key that others take while a batch waits for the wallet begins once, and the rest of the batch begins", async () => {
  const workspaceId = await callsFixture(database).newWorkspace(1_000n);
  const requested: Omit<Opened, "key"> = { mark: 1, isValid: true, hold: 10, takesSlot: false, isCostly: false };
  for (let round = 0; round < 20; round++) {
    const batch = () => [
      opening(workspaceId, { ...requested, key: `shared-${round}` }),
      opening(workspaceId, { ...requested, key: null, hold: 1 }),
    ];
    const verdicts = await Promise.all(Array.from({ length: 4 }, () => insist(batch())));
    assert.deepEqual(verdicts.map(([shared]) => shared).sort(), ["begun", "join", "join", "join"]);
    assert.deepEqual(
      verdicts.map(([, other]) => other),
      ["begun", "begun", "begun", "begun"],
    );
  }
  assert.equal((await findWallet(database, workspaceId)).held, 20n * 14n);
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
});
