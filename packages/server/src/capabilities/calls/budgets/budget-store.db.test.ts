// Budgets against the real database, with two "processes" (each with its own cache) that hear of changes over one bus.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { calmHour } from "../../../../test/support/calm-hour.ts";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { sql } from "../../../foundation/database/sql.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import { silentLog } from "../../../foundation/log.ts";
import { createAudit } from "../../audit/index.ts";
import type { CallId } from "../call/call-opening.ts";
import type { OwnedCall } from "../call/open-calls.ts";
import { beginPaidCall } from "../course/begin-paid-call.ts";
import { createKeyCaps, type KeyCaps } from "../credits/credits-caps.ts";
import { endReservations, reserveCredits } from "../ledger/reservation-store.ts";
import { type Calls, createCalls } from "../protocol/calls.ts";
import { callsFixture, opening } from "../rounds/calls.fixture.ts";
import type { BudgetRule, WaitingAlert } from "./budget.ts";
import { type Budgets, createBudgets } from "./budgets.ts";

const by = { actor: { kind: "system", id: null } } as const;
let database: TestDatabase;
let calls: Calls;
let others: Calls;
let workspaceId: WorkspaceId;
let processes: readonly Process[];
let budgets: Budgets;

interface Process {
  readonly calls: Calls;
  readonly budgets: Budgets;
  readonly caps: KeyCaps;
}

function aProcess(its: Calls): Process {
  const audit = createAudit({ database });
  const own = createBudgets({ database, audit });
  return { calls: its, budgets: own, caps: createKeyCaps({ database, audit, budgets: own }) };
}

before(async () => {
  database = await testDatabase();
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  const deps = { database, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs };
  [calls, others] = [createCalls(deps), createCalls(deps)];
  for (const each of [calls, others]) {
    await each.start();
    await callsFixture(database).keepAwake(each.ownerId);
  }
});
after(async () => {
  await calls.close();
  await others.close();
  await database.close();
});
beforeEach(async () => {
  await calmHour();
  const first = aProcess(calls);
  processes = [first, aProcess(others)];
  budgets = first.budgets;
  workspaceId = await callsFixture(database).newWorkspace(1_000_000_000n);
});

const daily = (amount: bigint, more: Partial<BudgetRule> = {}): BudgetRule => ({
  ...{
    scope: "workspace",
    subject: "",
    period: "day",
    amount,
    atLimit: "stop",
    webhookUrl: "https://a.example/",
    emails: [],
  },
  ...more,
});
const put = (name: string, rule: BudgetRule) => budgets.put({ workspaceId, name }, rule, by);
const look = async (name: string) => {
  const { spent, held, alerts } = await budgets.get({ workspaceId, name });
  return { spent, held, alerts: alerts.map(({ threshold }) => threshold).reverse() };
};

interface Made {
  readonly id: CallId;
  end(charge: bigint): Promise<void>;
}

// Null if a budget refused it.
async function begin(hold: bigint, labels?: Labels, process = processes[0]): Promise<Made | null> {
  assert.ok(process);
  const fails = () => assert.fail("has no key");
  const { isValid: _, ...unjudged } = opening(workspaceId, { hold, ...(labels ? { labels } : {}) });
  try {
    const paid = await beginPaidCall(
      { ...process, clock: systemClock },
      {
        opening: unjudged,
        context: () => null,
        refusal: null,
        replayed: fails,
        joined: fails,
        words: { what: "call", mismatch: fails, answerGone: fails, noSlot: fails },
      },
    );
    assert.ok(paid.kind === "begun");
    return made(paid.call);
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === "insufficient_credits", String(error));
    return null;
  }
}

function made(call: OwnedCall): Made {
  return {
    id: call.id,
    async end(charge) {
      const usage = { requestId: null, apiKeyId: null, subject: "model:a/b", status: 200, totalMs: 1, providerMs: 1 };
      const answer = { status: 200, headers: {}, body: Buffer.from("1") };
      await calls.finish({ call, state: "finished", outcome: "succeeded", charge, answer, usage });
    },
  };
}

test("a workspace without budgets reserves nothing", async () => {
  const made = await begin(10n);
  assert.ok(made);
  const rows = await database.query(sql`select from budget_calls where call_id = ${made.id}`);
  assert.equal(rows.length, 0);
  await made.end(10n);
});

test("a budget that stops is never exceeded by calls that arrive together in two processes, and frees what was not charged", async () => {
  await put("daily", daily(100n));
  const made = await Promise.all([...Array(40)].map((_, n) => begin(10n, undefined, processes[n % 2])));
  const begun = made.filter((call) => call !== null);
  assert.equal(begun.length, 10);
  assert.deepEqual(await look("daily"), { spent: 0n, held: 100n, alerts: [50, 80, 100] });
  for (const call of begun) await call.end(4n);
  assert.deepEqual(await look("daily"), { spent: 40n, held: 0n, alerts: [50, 80, 100] });
  for (const size of [50n, 11n]) await (await begin(size))?.end(size);
  assert.equal((await look("daily")).spent, 90n, "50 fitted, and then 11 did not");
});

test("a call counts against the budgets of its tags and its end user, and against no others", async () => {
  await put("spring", daily(20n, { scope: "tag", subject: "project=spring" }));
  await put("ann", daily(30n, { scope: "end_user", subject: "ann" }));
  const spring = { tags: { project: "spring" }, endUser: "ann" };
  const first = await begin(15n, spring);
  await first?.end(15n);
  assert.equal(await begin(15n, spring), null, "5 of the tag's 20 are left");
  await (await begin(15n, { tags: null, endUser: "ann" }))?.end(15n);
  assert.equal(await begin(1n, { tags: { project: "autumn" }, endUser: "ann" }), null);
  await (await begin(500n, { tags: { project: "autumn" }, endUser: "bob" }))?.end(500n);
  assert.deepEqual(await look("spring"), { spent: 15n, held: 0n, alerts: [50, 80, 100] });
  assert.deepEqual(await look("ann"), { spent: 30n, held: 0n, alerts: [50, 80, 100] });
});

test("a new budget counts what the period has spent and the calls that are open", async () => {
  await (await begin(30n))?.end(30n);
  const open = await begin(40n);
  await put("late", daily(80n));
  assert.deepEqual(await look("late"), { spent: 30n, held: 40n, alerts: [50, 80] });
  assert.equal(await begin(11n), null);
  await open?.end(20n);
  assert.equal((await look("late")).spent, 50n);
});

test("a budget that warns refuses nothing and tells each threshold once, by what is spent", async () => {
  await put("watch", daily(10n, { atLimit: "warn" }));
  for (const expected of [[], [50], [50, 80, 100]]) {
    const call = await begin(8n);
    assert.deepEqual((await look("watch")).alerts, expected);
    await call?.end(5n);
  }
  assert.deepEqual((await look("watch")).alerts, [50, 80, 100]);
});

test("a new day, week or month begins at zero, tells its thresholds again, and counts what ends in it", async () => {
  for (const period of ["day", "week", "month"] as const) {
    await put(period, daily(100n, { period }));
  }
  await (await begin(60n))?.end(60n);
  const open = await begin(20n);
  await database.execute(sql`update budgets set period_start = period_start - 40 where workspace_id = ${workspaceId}`);
  await open?.end(10n);
  for (const period of ["day", "week", "month"]) {
    const { spent, alerts } = await look(period);
    // What had ended before was added up when the second call began.
    assert.deepEqual([spent, alerts], [10n, [50, 80]], period);
  }
  await (await begin(60n))?.end(60n);
  assert.deepEqual((await look("month")).alerts, [50, 80, 50]);
});

test("alerts are handed on exactly once, by whichever process gets them, and survive a round that fails", async () => {
  await put("told", daily(10n));
  await (await begin(10n))?.end(10n);
  const enqueued: WaitingAlert[] = [];
  const notices = {
    enqueue: async (_: unknown, alerts: readonly WaitingAlert[]) => {
      enqueued.push(...alerts.filter(({ budget }) => budget.workspaceId === workspaceId));
      return [];
    },
    wake: () => undefined,
  };
  const killed = { ...notices, enqueue: async () => Promise.reject(new Error("killed")) };
  await assert.rejects(budgets.round(killed), /killed/);
  await Promise.all(processes.map((each) => each.budgets.round(notices)));
  await budgets.round(notices);
  assert.deepEqual(
    enqueued.map(({ threshold, sequence }) => [threshold, sequence]),
    [
      [50, 1],
      [80, 2],
      [100, 3],
    ],
  );
});

test("a call that did not begin gives its reservation back, and one that vanished stops counting after five minutes", async () => {
  await put("daily", daily(10n));
  const caps = processes[0]?.caps;
  const asked = { workspaceId, apiKeyId: null, hold: 10n };
  const callId = newId<"call">();
  await caps?.requireWithinCap({ ...asked, callId });
  assert.equal(await begin(1n), null);
  await caps?.giveBack({ ...asked, callId });
  const vanished = newId<"call">();
  await caps?.requireWithinCap({ ...asked, callId: vanished });
  await database.execute(
    sql`update budget_calls set reserved_at = reserved_at - interval '6 minutes' where call_id = ${vanished}`,
  );
  await (await begin(10n))?.end(10n);
  assert.equal((await look("daily")).spent, 10n);
});

test("the same rule keeps what it counted, another subject counts anew, and a deleted one stops nothing", async () => {
  await put("one", daily(10n));
  await (await begin(10n))?.end(10n);
  assert.equal((await put("one", daily(15n))).isNew, false);
  assert.equal((await look("one")).spent, 10n);
  assert.equal(await begin(6n), null);
  assert.equal((await put("one", daily(15n, { scope: "end_user", subject: "ann" }))).budget.spent, 0n);
  await budgets.remove({ workspaceId, name: "one" }, by);
  await assert.rejects(budgets.get({ workspaceId, name: "one" }), { code: "not_found" });
  await (await begin(600n))?.end(600n);
});

test("a job counts with its running time until it has ended, and must fit as a whole", async () => {
  await put("jobs", daily(100n));
  const caps = processes[0]?.caps;
  const job = newId<"call">();
  const asked = { workspaceId, apiKeyId: null, callId: job, runningTime: 30n };
  await assert.rejects(Promise.resolve(caps?.requireJobWithinBudgets({ ...asked, hold: 101n })), {
    code: "insufficient_credits",
  });
  assert.equal(await caps?.requireJobWithinBudgets({ ...asked, hold: 90n }), true);
  const parts = [{ part: "run", amount: 30n }];
  await database.transaction((tx) => reserveCredits(tx, [{ holderId: job, workspaceId, parts }]));
  assert.equal((await look("jobs")).held, 30n);
  await database.transaction((tx) =>
    endReservations(tx, [{ holderId: job, workspaceId, part: null, charge: 12n, usage: null }]),
  );
  const { spent, held } = await look("jobs");
  assert.deepEqual([spent, held], [12n, 0n]);
});
