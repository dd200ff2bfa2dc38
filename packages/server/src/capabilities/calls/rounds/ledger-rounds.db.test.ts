// Ends and begins in one round, compared with the same calls one after the other by the exact statements.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { type Database, sql } from "../../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { CallEnding, CallOpening, OwnerId } from "../call/call-opening.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { findWallet } from "../ledger/ledger-store.ts";
import { beginCalls } from "./begin-store.ts";
import type { BeginVerdict } from "./begin-verdict.ts";
import { callsFixture, opening as plainOpening } from "./calls.fixture.ts";
import { finishEvery } from "./finish-store.ts";
import { createLedgerRounds } from "./ledger-rounds.ts";

let database: TestDatabase;
const ownerId: OwnerId = newId<"call-owner">();

before(async () => {
  database = await testDatabase();
  await database.execute(
    sql`insert into call_owners (id, heartbeat_at) values (${ownerId}, now() + interval '1 hour')`,
  );
});
after(() => database.close());

const request = fc.record({
  // Keys end in the round after the one they began in; by then nothing uses them.
  key: fc.option(fc.constantFrom<string[]>("a", "b", "c", "d"), { nil: null }),
  isValid: fc.constantFrom(true, true, true, false),
  hold: fc.constantFrom<bigint[]>(0n, 1n, 7n, 30n),
  takesSlot: fc.constantFrom(true, true, false),
  isCostly: fc.boolean(),
  // How it ends: charged half, freed, unknown, or by a process that no longer owns it.
  end: fc.constantFrom("charged", "charged", "freed", "unknown", "fenced"),
});
// Two calls under one key are never begun in one statement, so calls ending alongside could end before or after.
const batch = fc.uniqueArray(request, {
  minLength: 1,
  maxLength: 6,
  comparator: (a, b) => a.key !== null && a.key === b.key,
});
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

const openingOf = (workspaceId: WorkspaceId, round: number, { key, end: _, ...rest }: Request): CallOpening => ({
  ...plainOpening(workspaceId, rest),
  id: newId<"call">(),
  idempotencyKey: key && `${key}-${round}`,
  slotsMax: 12,
  costlySlotsMax: 4,
});

const endingOf = (call: CallOpening, end: Request["end"]): CallEnding => ({
  call: { id: call.id, workspaceId: call.workspaceId, fence: end === "fenced" ? 2 : 1 },
  state: end === "unknown" ? "unknown" : "finished",
  outcome: end,
  charge: end === "charged" ? call.hold / 2n : 0n,
  answer: end === "freed" ? null : { status: 200, headers: {}, body: Buffer.from(`"${end}"`) },
  usage: { requestId: null, apiKeyId: null, subject: call.subject, status: 200, totalMs: 1, providerMs: 1 },
});

type Way = (
  endings: readonly CallEnding[],
  openings: readonly CallOpening[],
) => Promise<{ ended: readonly boolean[]; verdicts: readonly BeginVerdict[] }>;

const oneAfterTheOther: Way = async (endings, openings) => {
  const done = endings.length > 0 ? await finishEvery(database, endings) : new Set<number>();
  return {
    ended: endings.map((_, index) => done.has(index)),
    verdicts: openings.length > 0 ? await beginCalls(database, openings, ownerId) : [],
  };
};

// All arrive in one turn of the event loop, so they share one round.
const inRounds =
  (given: Database): Way =>
  async (endings, openings) => {
    const rounds = createLedgerRounds({ database: given, ownerId });
    const [ended, verdicts] = await Promise.all([
      Promise.all(endings.map((ending) => rounds.finish(ending))),
      Promise.all(openings.map((opening) => rounds.begin(opening))),
    ]);
    await rounds.close();
    return { ended, verdicts };
  };

async function live(way: Way, batches: readonly (readonly Request[])[]): Promise<unknown> {
  const workspaceId = await callsFixture(database).newWorkspace(100n);
  const seen: unknown[] = [];
  let toEnd: CallEnding[] = [];
  for (const [round, requests] of batches.entries()) {
    const openings = requests.map((one) => openingOf(workspaceId, round, one));
    const { ended, verdicts } = await way(toEnd, openings);
    seen.push(ended, verdicts.map(plainly), await findWallet(database, workspaceId));
    toEnd = openings.flatMap((call, index) =>
      verdicts[index]?.kind === "begun" ? [endingOf(call, requests[index]?.end ?? "charged")] : [],
    );
  }
  const rows = await database.query(sql`
    select c.state, c.outcome, c.settled, c.hold, c.idempotency_key, c.owner_id is null as is_ownerless,
           k.call_id is not null as has_key, convert_from(a.body, 'UTF8') as body, u.credits,
           (select array_agg(array[kind, debit, credit, amount::text] order by kind) from journal j where j.transaction_id = c.id) as lines
    from calls c left join call_keys k on k.call_id = c.id left join call_answers a on a.call_id = c.id
      left join usage u on u.call_id = c.id
    where c.workspace_id = ${workspaceId} order by c.id`);
  return { seen, rows };
}

// Ids differ between runs.
function plainly(verdict: BeginVerdict): unknown {
  return verdict.kind === "replay" || verdict.kind === "join" ? verdict.kind : verdict;
}

async function requireInvariants(): Promise<void> {
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
}

test("a round has the same effect as its endings and then its beginnings one by one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 6 }), async (batches) => {
      assert.deepEqual(await live(inRounds(database), batches), await live(oneAfterTheOther, batches));
    }),
    { numRuns: 30 },
  );
  await requireInvariants();
});

const one = (key: string | null): Request => ({
  key,
  isValid: true,
  hold: 10n,
  takesSlot: true,
  isCostly: false,
  end: "charged",
});

// Counts the statements sent, so a test cannot pass by taking another path.
function counting(): { database: Database; sent: string[] } {
  const sent: string[] = [];
  const query: Database["query"] = (statement) => {
    sent.push(
      statement.text.includes("update calls")
        ? statement.text.includes("into call_keys")
          ? "round"
          : "finish"
        : "begin",
    );
    return database.query(statement);
  };
  return { database: { ...database, query }, sent };
}

test("endings and beginnings share a statement; a single one has its own", async () => {
  const workspaceId = await callsFixture(database).newWorkspace(1_000n);
  const { database: counted, sent } = counting();
  const rounds = createLedgerRounds({ database: counted, ownerId });
  const [first, second, third] = [0, 1, 2].map((round) => openingOf(workspaceId, round, one("k")));
  assert.ok(first && second && third);
  assert.equal((await rounds.begin(first)).kind, "begun");
  const [isEnded, begun] = await Promise.all([rounds.finish(endingOf(first, "charged")), rounds.begin(second)]);
  assert.deepEqual([isEnded, begun], [true, { kind: "begun", inFlight: 1 }]);
  assert.equal(await rounds.finish(endingOf(second, "charged")), true);
  assert.deepEqual(sent, ["begin", "round", "finish"]);
  await rounds.close();
  await assert.rejects(rounds.begin(third), /closed/);
  await requireInvariants();
});

test("a beginning that cannot be stored leaves the endings of its round done, and its neighbours begun", async () => {
  const workspaceId = await callsFixture(database).newWorkspace(1_000n);
  const rounds = createLedgerRounds({ database, ownerId });
  const [first, second] = [0, 1].map((round) => openingOf(workspaceId, round, one("n")));
  assert.ok(first && second);
  await rounds.begin(first);
  // No column can hold this value, so the statement of the whole round is refused.
  const broken = { ...openingOf(workspaceId, 2, one("x")), longestRunSeconds: 2 ** 40 };
  const results = await Promise.allSettled([
    rounds.finish(endingOf(first, "charged")),
    rounds.begin(broken),
    rounds.begin(second),
  ]);
  assert.deepEqual(
    results.map((result) => (result.status === "fulfilled" ? result.value : "refused")),
    [true, "refused", { kind: "begun", inFlight: 1 }],
  );
  assert.equal(await rounds.finish(endingOf(second, "charged")), true);
  await rounds.close();
  await requireInvariants();
});

test("a key that ends in the round in which it is asked for is joined, and one that others took meanwhile begins once", async () => {
  const workspaceId = await callsFixture(database).newWorkspace(1_000n);
  const rounds = createLedgerRounds({ database, ownerId });
  const first = openingOf(workspaceId, 0, one("same"));
  await rounds.begin(first);
  const again = { ...first, id: newId<"call">() };
  const [isEnded, verdict] = await Promise.all([rounds.finish(endingOf(first, "charged")), rounds.begin(again)]);
  assert.equal(isEnded, true);
  assert.deepEqual(verdict, { kind: "join", callId: first.id });
  assert.equal((await rounds.begin({ ...again, id: newId<"call">() })).kind, "replay");

  const others = createLedgerRounds({ database, ownerId });
  for (let round = 1; round <= 20; round++) {
    const mine = openingOf(workspaceId, round, one(null));
    await rounds.begin(mine);
    const raced = [rounds, others, others].map((line) =>
      line.begin(openingOf(workspaceId, round, { ...one("raced"), takesSlot: false })),
    );
    const ended = rounds.finish(endingOf(mine, "charged"));
    const kinds = await Promise.all(raced.map(async (begun) => (await begun).kind));
    assert.equal(await ended, true);
    assert.equal(kinds.filter((kind) => kind === "begun").length, 1, kinds.join());
  }
  await Promise.all([rounds.close(), others.close()]);
  await requireInvariants();
});
