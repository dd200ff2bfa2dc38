// Calls that count against budgets: what they cost in trips to the database, and that counting them in the statement that begins
// them is as exact over several processes as reserving first.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { calmHour } from "../../../../test/support/calm-hour.ts";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { seeded } from "../../../../test/torture/seeded.ts";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { type Database, type Queryable, sql } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { silentLog } from "../../../foundation/log.ts";
import { createAudit } from "../../audit/index.ts";
import type { BudgetRule } from "../budgets/budget.ts";
import { createBudgets } from "../budgets/budgets.ts";
import type { CallOpening } from "../call/call-opening.ts";
import type { OwnedCall } from "../call/open-calls.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { createKeyCaps } from "../credits/credits-caps.ts";
import { type Calls, createCalls } from "../protocol/calls.ts";
import { callsFixture, opening } from "../rounds/calls.fixture.ts";
import { beginPaidCall } from "./begin-paid-call.ts";

const by = { actor: { kind: "system", id: null } } as const;
let database: TestDatabase;
let gateways: readonly Gateway[];

type Gateway = ReturnType<typeof aGateway>;

// Counts statements, BEGIN and COMMIT among them, and calls that the statement that begins them counted itself.
function aGateway() {
  let trips = 0;
  let atOnce = 0;
  const counting = (db: Queryable): Queryable => ({
    query: (statement) => {
      trips += 1;
      return db.query(statement);
    },
    execute: (statement) => {
      trips += 1;
      return db.execute(statement);
    },
  });
  const watched: Database = {
    ...database,
    ...counting(database),
    transaction: (run) => {
      trips += 2;
      return database.transaction((tx) => run(counting(tx)));
    },
  };
  const audit = createAudit({ database: watched });
  const budgets = createBudgets({ database: watched, audit });
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  const calls = createCalls({ database: watched, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  const noted: Calls = {
    ...calls,
    async beginCounted(asked) {
      const begun = await calls.beginCounted(asked);
      if (begun !== null) atOnce += 1;
      return begun;
    },
  };
  const caps = createKeyCaps({ database: watched, audit, budgets });
  return { calls: noted, budgets, caps, trips: () => trips, atOnce: () => atOnce };
}

before(async () => {
  await calmHour();
  database = await testDatabase();
  gateways = [aGateway(), aGateway(), aGateway()];
  for (const { calls } of gateways) {
    await calls.start();
    await callsFixture(database).keepAwake(calls.ownerId);
  }
});
after(async () => {
  for (const { calls } of gateways) await calls.close();
  await database.close();
});

const aWorkspace = () => callsFixture(database).newWorkspace(1_000_000n);

const daily = (amount: bigint, more: Partial<BudgetRule> = {}): BudgetRule => ({
  ...{ scope: "workspace", subject: "", period: "day", amount, atLimit: "stop", webhookUrl: null, emails: [] },
  ...more,
});

const put = ({ budgets }: Gateway, workspaceId: WorkspaceId, name: string, rule: BudgetRule) =>
  budgets.put({ workspaceId, name }, rule, by);

// Throws what the caller would hear, as its code.
async function pay(
  gateway: Gateway,
  workspaceId: WorkspaceId,
  changes: Partial<CallOpening> = {},
): Promise<OwnedCall | "replayed" | "joined"> {
  const { isValid: _, ...unjudged } = opening(workspaceId, changes);
  const paid = await beginPaidCall<"replayed" | "joined", null>(
    { ...gateway, clock: systemClock },
    {
      opening: unjudged,
      context: () => null,
      refusal: null,
      replayed: () => "replayed",
      joined: async () => "joined",
      words: {
        what: "call",
        mismatch: () => new Fault("conflict", "mismatch"),
        answerGone: () => new Fault("conflict", "gone"),
        noSlot: () => new Fault("concurrency_limit_exceeded", "no slot"),
      },
    },
  );
  return paid.kind === "begun" ? paid.call : paid.known;
}

async function end({ calls }: Gateway, call: OwnedCall, charge: bigint): Promise<void> {
  const usage = { requestId: null, apiKeyId: null, subject: "model:a/b", status: 200, totalMs: 1, providerMs: 1 };
  const answer = { status: 200, headers: {}, body: Buffer.from("1") };
  await calls.finish({ call, state: "finished", outcome: "succeeded", charge, answer, usage });
}

function begunCall(paid: Awaited<ReturnType<typeof pay>>): OwnedCall {
  assert.ok(typeof paid === "object");
  return paid;
}

const first = (): Gateway => gateways[0] ?? assert.fail("there is none");

test("a call with three budgets begins in one trip and ends in one, as one without; many at once share them", async () => {
  const gateway = first();
  const workspaceId = await aWorkspace();
  const tripsOf = async (act: () => Promise<unknown>) => {
    const before = gateway.trips();
    await act();
    return gateway.trips() - before;
  };
  // Rules are remembered for five seconds.
  const remember = async () => end(gateway, begunCall(await pay(gateway, workspaceId)), 1n);
  const one = async (labels: Partial<CallOpening> = {}) => {
    let call: OwnedCall | undefined;
    const begins = await tripsOf(async () => {
      call = begunCall(await pay(gateway, workspaceId, labels));
    });
    return [begins, await tripsOf(async () => call && end(gateway, call, 4n))];
  };
  await remember();
  assert.deepEqual(await one(), [1, 1]);

  const labels = { tags: { project: "spring" }, endUser: "ann" };
  await put(gateway, workspaceId, "all", daily(100_000n));
  await put(gateway, workspaceId, "ann", daily(100_000n, { scope: "end_user", subject: "ann", period: "month" }));
  await put(gateway, workspaceId, "spring", daily(1n, { scope: "tag", subject: "project=spring", atLimit: "warn" }));
  await remember();
  assert.deepEqual(await one({ labels }), [1, 1]);

  const many = await tripsOf(() =>
    Promise.all(Array.from({ length: 128 }, () => pay(gateway, workspaceId, { labels }))),
  );
  assert.ok(many <= 3, `${many} trips for 128 calls`);
  const { held, spent } = await gateway.budgets.get({ workspaceId, name: "ann" });
  assert.deepEqual([held, spent], [1_280n, 4n]);
});

test("a call that needs to be weighed is: near a threshold, at the end of the budget, and in a new period", async () => {
  const gateway = first();
  const workspaceId = await aWorkspace();
  await put(gateway, workspaceId, "all", daily(100n));
  const alerts = async () =>
    (await gateway.budgets.get({ workspaceId, name: "all" })).alerts.map(({ threshold }) => threshold).reverse();
  const counted = async (hold: bigint) => {
    const before = gateway.atOnce();
    const call = begunCall(await pay(gateway, workspaceId, { hold }));
    return { call, wasCounted: gateway.atOnce() > before };
  };
  assert.equal((await counted(49n)).wasCounted, true);
  assert.equal((await counted(1n)).wasCounted, false, "50 % is told in the transaction that reserves");
  assert.deepEqual(await alerts(), [50]);
  assert.equal((await counted(29n)).wasCounted, true);
  assert.equal((await counted(21n)).wasCounted, false);
  assert.deepEqual(await alerts(), [50, 80, 100]);
  await assert.rejects(pay(gateway, workspaceId, { hold: 1n }), { code: "insufficient_credits" });

  await database.execute(sql`
    update budgets set period_start = period_start - 1 where workspace_id = ${workspaceId}`);
  await database.execute(sql`
    update budget_calls set hold = 0 where budget_id in (select id from budgets where workspace_id = ${workspaceId})`);
  assert.equal((await counted(10n)).wasCounted, false, "the first of a day begins it");
  assert.equal((await counted(10n)).wasCounted, true);
});

test("a known key is replayed or joined without counting again; slots, credits and a taken key are refused as ever", async () => {
  const gateway = first();
  const workspaceId = await aWorkspace();
  await put(gateway, workspaceId, "all", daily(100_000n));
  const held = async () => (await gateway.budgets.get({ workspaceId, name: "all" })).held;
  const keyed = { idempotencyKey: "one" };
  const call = begunCall(await pay(gateway, workspaceId, keyed));
  assert.equal(await pay(gateway, workspaceId, keyed), "joined");
  await end(gateway, call, 10n);
  assert.equal(await pay(gateway, workspaceId, keyed), "replayed");
  await assert.rejects(pay(gateway, workspaceId, { ...keyed, fingerprint: Buffer.alloc(32, 2) }), { code: "conflict" });
  const together = await Promise.all([...Array(6)].map(() => pay(gateway, workspaceId, { idempotencyKey: "two" })));
  assert.equal(together.filter((paid) => typeof paid === "object").length, 1);
  assert.equal(await held(), 10n);
  await assert.rejects(pay(gateway, workspaceId, { slotsMax: 1 }), { code: "concurrency_limit_exceeded" });
  const { budgets } = gateway;
  await budgets.remove({ workspaceId, name: "all" }, by);
  await put(gateway, workspaceId, "all", daily(10_000_000n));
  await assert.rejects(pay(gateway, workspaceId, { hold: 2_000_000n }), { code: "insufficient_credits" });
  assert.equal(await held(), 10n);
});

test("three processes and eight budgets, each call against several of them: none is exceeded, and all end where usage is", async (t) => {
  const workspaceId = await aWorkspace();
  const elsewhere = await aWorkspace();
  const random = seeded(Date.now() % 1_000_000).stream("budgets");
  const people = ["ann", "bob", "cyd"] as const;
  const isPerson = (name: string) => people.some((person) => person === name);
  const amounts = new Map<string, bigint>();
  for (const [index, person] of people.entries()) amounts.set(person, BigInt(300 + 400 * index));
  for (const project of ["spring", "autumn", "winter"])
    amounts.set(project, BigInt(Math.floor(random.between(200, 900))));
  for (const [name, amount] of amounts)
    await put(
      first(),
      workspaceId,
      name,
      isPerson(name)
        ? daily(amount, { scope: "end_user", subject: name })
        : daily(amount, { scope: "tag", subject: `project=${name}`, period: "week" }),
    );
  await put(first(), workspaceId, "all", daily(2_000n, { period: "month" }));
  await put(first(), elsewhere, "all", daily(100_000n));
  const refused: string[] = [];
  const run = async (index: number) => {
    const gateway = gateways[index % 3] ?? first();
    const labels = {
      endUser: random.pick(people),
      tags: { project: random.pick(["spring", "autumn", "winter", "summer"] as const) },
    };
    const hold = BigInt(Math.floor(random.between(1, 9)));
    const own = index % 5 === 0 ? elsewhere : workspaceId;
    const paid = await pay(gateway, own, { hold, labels }).catch((error: unknown) => {
      if (!(error instanceof Fault) || error.code !== "insufficient_credits") throw error;
      return refused.push(error.code);
    });
    if (typeof paid === "object") await end(gateway, paid, random.chance(0.5) ? hold : 0n);
  };
  const indexes = Array.from({ length: 1_500 }, (_, index) => index).values();
  await Promise.all(
    Array.from({ length: 48 }, async () => {
      for (const index of indexes) await run(index);
    }),
  );
  const atOnce = gateways.reduce((sum, gateway) => sum + gateway.atOnce(), 0);
  t.diagnostic(`${atOnce} counted by the statement that began them, ${refused.length} refused`);
  assert.ok(atOnce > 100 && refused.length > 0);
  for (const { statement, name } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
  const budgets = await first().budgets.list(workspaceId);
  for (const { name, spent, held, amount, scope, subject } of budgets) {
    assert.ok(spent <= amount, `${name} spent ${spent} of ${amount}`);
    assert.equal(held, 0n, name);
    const [row] = await database.query<{ credits: string }>(sql`
      select coalesce(sum(credits), 0) as credits from usage
      where workspace_id = ${workspaceId} and (${scope} = 'workspace' or end_user = ${subject}
        or tags->>'project' = split_part(${subject}, '=', 2))`);
    assert.equal(spent, BigInt(row?.credits ?? 0), name);
  }
});
