// The same payment adds credits once, in any order, with repeats, and in any process; refunds take the same share back;
// what a period leaves over ends with it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { Secret } from "../../foundation/settings.ts";
import { callInvariants, findWallet, moveFacts, withdrawFromWallet } from "../calls/shared-sql.ts";
import {
  aSeller,
  aWorkspace,
  bySystem,
  dayMs,
  monthBegins,
  type RecordedEvent,
  recorded,
  secret,
  seeded,
  shuffled,
  sign,
  studioPlan,
} from "./selling.fixture.ts";
import { sellingInvariants } from "./shared-sql.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await aSeller(database).selling.createPlan(studioPlan, bySystem);
});
after(() => database.close());

const balance = async (workspaceId: WorkspaceId) => Number((await findWallet(database, workspaceId)).available) / 1e6;

async function requireInvariants(): Promise<void> {
  for (const { name, statement } of [...callInvariants, ...sellingInvariants(moveFacts)])
    assert.deepEqual(await database.query(statement), [], name);
}

const pick = (events: readonly RecordedEvent[], ...numbers: readonly number[]) =>
  numbers.flatMap((number) => events[number - 1] ?? assert.fail());

async function spend(workspaceId: WorkspaceId, credits: number): Promise<void> {
  const amount = BigInt(credits) * 1_000_000n;
  // A withdrawal for the books, and a line of usage for what was spent.
  await withdrawFromWallet(database, { transactionId: newId(), workspaceId, amount });
  await database.execute(sql`
    insert into usage (id, workspace_id, subject, outcome, credits, is_replay, total_ms, at)
    values (${newId()}, ${workspaceId}, 'sandbox/image-1', 'succeeded', ${String(amount)}::bigint, false, 5, now() + interval '10 years')`);
}

describe("a month of a subscription", () => {
  test("in its own order: two periods, half of the second refunded, and a dispute that was won", async () => {
    const workspaceId = await aWorkspace(database);
    const { send, selling } = aSeller(database);
    const events = recorded("month", workspaceId);
    const balances: number[] = [];
    for (const event of events) {
      await send(event);
      balances.push(await balance(workspaceId));
    }
    // The workspace is known with the checkout.
    assert.deepEqual(balances.slice(0, 5), [0, 0, 0, 0, 1000]);
    assert.deepEqual(balances.slice(7, 14), [1000, 2000, 2000, 1750, 1500, 500, 1500]);
    assert.equal(balances.at(-1), 1500);
    const [stored] = await selling.events({ before: null, count: 1, state: "ignored" });
    assert.equal(stored?.type, "payment_method.attached");
    const [second, first] = await selling.payments({ workspaceId, isWaiting: false, before: null, count: 10 });
    assert.deepEqual([first?.credits, first?.takenBack, first?.refundedMinor], [1_000_000_000n, 0n, 0]);
    assert.deepEqual([second?.credits, second?.takenBack, second?.refundedMinor], [1_000_000_000n, 500_000_000n, 1140]);
    await requireInvariants();
  });

  test("any order, with repeats, over two processes: the same end", async () => {
    const runs = Number(process.env["ATELIER_TEST_PAYMENT_ORDERS"] ?? 16);
    for (let run = 1; run <= runs; run++) {
      const random = seeded(run);
      const workspaceId = await aWorkspace(database);
      const events = recorded("month", workspaceId, `r${run}`);
      const repeats = events.filter(() => random() < 0.4);
      const order = shuffled([...events, ...repeats], random);
      const processes = [aSeller(database), aSeller(database)];
      const lanes = 1 + Math.floor(random() * 4);
      await Promise.all(
        Array.from({ length: lanes }, async (_, lane) => {
          for (const [at, event] of order.entries()) if (at % lanes === lane) await processes[at % 2]?.send(event);
        }),
      );
      assert.equal(await balance(workspaceId), 1500, `order ${run}: ${order.map(({ id }) => id).join(" ")}`);
    }
    await requireInvariants();
    const [waiting] = await aSeller(database).selling.payments({
      workspaceId: null,
      isWaiting: true,
      before: null,
      count: 1,
    });
    assert.equal(waiting, undefined);
  });

  test("the same event twenty times at once is one", async () => {
    const workspaceId = await aWorkspace(database);
    const events = pick(recorded("month", workspaceId), 2, 5);
    const processes = [aSeller(database), aSeller(database)];
    const sent = await Promise.all(
      Array.from({ length: 40 }, (_, at) => processes[at % 2]?.send(events[at % events.length] ?? "")),
    );
    assert.equal(sent.filter((each) => each?.isNew).length, 2);
    assert.equal(await balance(workspaceId), 1000);
    await requireInvariants();
  });
});

describe("other shapes", () => {
  test("newer versions of the provider's API: two seats, a refund through the invoice's payment", async () => {
    const workspaceId = await aWorkspace(database);
    const { send } = aSeller(database);
    const events = recorded("newer-shapes", workspaceId);
    for (const event of pick(events, 1, 2)) await send(event);
    assert.equal(await balance(workspaceId), 2000);
    for (const event of pick(events, 4)) await send(event);
    assert.equal(await balance(workspaceId), 2000);
    for (const event of pick(events, 3)) await send(event);
    assert.equal(await balance(workspaceId), 0);
    await requireInvariants();
  });

  test("bought once: credits when it is paid, and a plan that comes later counts for it", async () => {
    const workspaceId = await aWorkspace(database);
    const { send, selling } = aSeller(database);
    const [unpaid, paid] = recorded("once", workspaceId);
    assert.ok(unpaid && paid);
    await send(unpaid);
    await send(paid);
    assert.equal(await balance(workspaceId), 0);
    const [event] = await selling.events({ before: null, count: 1, state: null });
    assert.match(event?.note ?? "", /No plan has the price price_pack/);
    await selling.createPlan({ ...studioPlan, kind: "once", name: "Pack", priceId: "price_pack" }, bySystem);
    assert.equal(await balance(workspaceId), 1000);
    await assert.rejects(selling.createPlan({ ...studioPlan, priceId: "price_pack" }, bySystem), { code: "conflict" });
    await requireInvariants();
  });
});

describe("who it is for", () => {
  test("a payment without a workspace waits, and is assigned once, with its customer's later ones", async () => {
    const workspaceId = await aWorkspace(database);
    const { send, selling } = aSeller(database);
    const events = recorded("month", workspaceId);
    for (const event of pick(events, 2)) await send(event);
    const [waiting] = await selling.payments({ workspaceId: null, isWaiting: true, before: null, count: 10 });
    assert.ok(waiting);
    assert.equal((await selling.look()).waiting, 1);
    const assigned = await selling.assign(waiting.id, workspaceId, bySystem);
    assert.deepEqual([assigned.credits, await balance(workspaceId)], [1_000_000_000n, 1000]);
    await assert.rejects(selling.assign(waiting.id, await aWorkspace(database), bySystem), { code: "conflict" });
    for (const event of pick(events, 9)) await send(event);
    assert.equal(await balance(workspaceId), 2000);
    await requireInvariants();
  });

  test("a workspace that does not exist is not believed", async () => {
    const workspaceId = await aWorkspace(database);
    const { send, selling } = aSeller(database, { hasWorkspace: async () => false });
    for (const event of pick(recorded("month", workspaceId), 2, 5)) await send(event);
    assert.equal(await balance(workspaceId), 0);
    const [waiting] = await selling.payments({ workspaceId: null, isWaiting: true, before: null, count: 1 });
    assert.ok(waiting);
    await assert.rejects(selling.assign(waiting.id, workspaceId, bySystem), { code: "not_found" });
    await aSeller(database).selling.assign(waiting.id, workspaceId, bySystem);
  });
});

describe("taking back", () => {
  test("what was spent stays owed and is taken from what comes next; never below zero", async () => {
    const workspaceId = await aWorkspace(database);
    const { send, selling } = aSeller(database);
    const events = recorded("month", workspaceId);
    for (const event of pick(events, 2, 5)) await send(event);
    await spend(workspaceId, 900);
    for (const event of pick(events, 13)) await send(event);
    const [first] = await selling.payments({ workspaceId, isWaiting: false, before: null, count: 1 });
    assert.deepEqual([first?.takenBack, first?.owed, await balance(workspaceId)], [100_000_000n, 900_000_000n, 0]);
    for (const event of pick(events, 9)) await send(event);
    assert.equal(await balance(workspaceId), 100);
    await requireInvariants();
    for (const event of pick(events, 14)) await send(event);
    assert.equal(await balance(workspaceId), 1100);
    await requireInvariants();
  });

  test("a top-up by hand pays what is owed, with the next round", async () => {
    const workspaceId = await aWorkspace(database);
    const { send, selling } = aSeller(database);
    const events = recorded("month", workspaceId);
    for (const event of pick(events, 2, 5)) await send(event);
    await spend(workspaceId, 1000);
    for (const event of pick(events, 13)) await send(event);
    await selling.round();
    const [payment] = await selling.payments({ workspaceId, isWaiting: false, before: null, count: 1 });
    assert.equal(payment?.owed, 1_000_000_000n);
  });
});

describe("a plan without roll-over", () => {
  const price = "price_monthly";
  const eventsOf = (workspaceId: WorkspaceId): RecordedEvent[] =>
    JSON.parse(JSON.stringify(recorded("month", workspaceId)).replaceAll("price_studio", price));
  before(async () => {
    await aSeller(database).selling.createPlan({ ...studioPlan, priceId: price, rollsOver: false }, bySystem);
  });

  test("what a period leaves over ends when the next one is paid, in either order", async () => {
    for (const order of [
      [2, 5, 9],
      [9, 5, 2],
    ]) {
      const workspaceId = await aWorkspace(database);
      const clock = handClock(new Date(monthBegins.getTime() + 32 * dayMs));
      const { send } = aSeller(database, { clock });
      for (const event of pick(eventsOf(workspaceId), ...order)) await send(event);
      assert.equal(await balance(workspaceId), 1000, String(order));
    }
    await requireInvariants();
  });

  test("spending counts against the plan first; the rest ends after the grace, or with the period if it was cancelled", async () => {
    const clock = handClock(new Date(monthBegins.getTime() + dayMs));
    const { send, selling } = aSeller(database, { clock });
    const [late, cancelled] = [await aWorkspace(database), await aWorkspace(database)];
    for (const workspaceId of [late, cancelled]) {
      for (const event of pick(eventsOf(workspaceId), 2, 5)) await send(event);
      await spend(workspaceId, 400);
    }
    const events = eventsOf(cancelled);
    const [deleted] = pick(events, 16);
    await clock.advance(29 * dayMs + 1000);
    await send(deleted ?? "");
    await selling.round();
    assert.deepEqual([await balance(late), await balance(cancelled)], [600, 0]);
    await clock.advance(7 * dayMs);
    await selling.round();
    assert.deepEqual([await balance(late), await balance(cancelled)], [0, 0]);
    await requireInvariants();
  });
});

describe("who may say so", () => {
  test("a wrong, old, missing or foreign signature is refused and stores nothing; a former secret is accepted", async () => {
    const workspaceId = await aWorkspace(database);
    const former = "whsec_the_former_one_of_these";
    const { send, clock, selling } = aSeller(database, { secrets: [new Secret(secret), new Secret(former)] });
    const [event] = pick(recorded("month", workspaceId), 2);
    const bytes = Buffer.from(JSON.stringify(event));
    const old = new Date(clock.now().getTime() - 301_000);
    const good = sign(bytes, clock.now());
    for (const signature of [
      ...["", "t=1", "v1=00", good.replace("v1=", "v0="), good.slice(0, -1), `${good},t=5`, sign(bytes, old)],
      ...[sign(bytes, clock.now(), "another secret"), sign(Buffer.from("{}"), clock.now())],
    ])
      await assert.rejects(send(event ?? "", { signature }), { code: "invalid_request" }, signature);
    assert.equal(
      (await selling.events({ before: null, count: 500, state: null })).some(({ eventId }) => eventId === event?.id),
      false,
    );
    await send(event ?? "", { signature: `t=1x,${good},v1=${"0".repeat(64)}` }).catch(() => undefined);
    await send(event ?? "", { signature: `${good},v1=${"0".repeat(64)}` });
    const next = Buffer.from(JSON.stringify(pick(recorded("month", workspaceId), 5)[0]));
    await send(next.toString(), { signature: sign(next, clock.now(), former) });
    assert.equal(await balance(workspaceId), 1000);
    await assert.rejects(selling.receive("other", { bytes, signature: good }), { code: "not_found" });
    await assert.rejects(send("not json"), { code: "invalid_request" });
    await assert.rejects(send({ id: "evt_x" }), { code: "invalid_request" });
  });
});

test("an event that cannot be applied stays stored, is tried again, and its body is forgotten after 90 days", async () => {
  const workspaceId = await aWorkspace(database);
  const clock = handClock(new Date(monthBegins.getTime() + 40 * dayMs));
  let isDown = true;
  const failing = aSeller(database, {
    clock,
    hasWorkspace: async () => {
      if (isDown) throw new Error("not now");
      return true;
    },
  });
  const events = pick(recorded("month", workspaceId), 2, 5);
  for (const event of events) await failing.send(event);
  const named = (all: readonly { eventId: string }[]) =>
    all.filter(({ eventId }) => events.some(({ id }) => id === eventId));
  const stored = async () => named(await failing.selling.events({ before: null, count: 500, state: "stored" }));
  assert.equal((await stored()).length, 1);
  await clock.advance(11 * 60_000);
  assert.equal((await failing.selling.look()).late, 1);
  isDown = false;
  await failing.selling.round();
  assert.equal((await stored()).length, 0);
  assert.equal(await balance(workspaceId), 1000);
  await clock.advance(91 * dayMs);
  await failing.selling.round();
  const [kept] = await database.query<{ count: number }>(sql`
    select count(*)::int as count from payment_events where body is not null and event_id = any (${events.map(({ id }) => id)}::text[])`);
  assert.equal(kept?.count, 0);
  await requireInvariants();
});
