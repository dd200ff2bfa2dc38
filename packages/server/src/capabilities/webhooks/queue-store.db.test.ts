import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { testDatabase } from "../../../test/support/test-database.ts";
import { type Database, sql } from "../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { ClaimedDelivery, Lane } from "./delivery.ts";
import { findDelivery, forgetDeliveries, listDeliveries, queueByHand } from "./delivery-store.ts";
import { insertNotices } from "./outbox-store.ts";
import { findQueueFigures } from "./queue-figures-store.ts";
import {
  claimDeliveries,
  endLanes,
  findLanes,
  recordSettlements,
  releaseDeliveries,
  stopSubjects,
} from "./queue-store.ts";
import type { Settlement } from "./settle-attempt.ts";
import { requireInvariants } from "./webhooks.fixture.ts";

const now = new Date();
const later = (ms: number) => new Date(now.getTime() + ms);
const rules = { failuresUntilRest: 5, restSeconds: 60, disableAfterSeconds: 5 * 86_400 };
let database: Database;
let workspaceId: WorkspaceId;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());
beforeEach(async () => {
  workspaceId = newId();
  await database.execute(sql`truncate webhook_deliveries, webhook_queue, webhook_receivers, webhook_attempts`);
});

const lane = (host: string, of = workspaceId): Lane => ({ workspaceId: of, receiver: `https://${host}` });

async function queue(host: string, count = 1, of = workspaceId, at = now): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    id: newId<"webhook-delivery">(),
    workspaceId: of,
    subjectId: newId(),
    sequence: 1,
    type: "job.running",
    url: `https://${host}/hook`,
    receiver: `https://${host}`,
    endpointId: null,
    body: Buffer.from("{}"),
    isManual: false,
  }));
  await insertNotices(database, rows, at);
}

function claim(host: string, count: number, at = now): Promise<ClaimedDelivery[]> {
  const lanes = [{ ...lane(host), count }];
  return claimDeliveries(database, { claimId: randomUUID(), lanes, now: at, leaseSeconds: 60, restSeconds: 60 });
}

function settled(delivery: ClaimedDelivery, changes: Partial<Settlement> = {}): Settlement {
  return {
    delivery,
    state: "pending",
    step: 1,
    dueAt: later(5_000),
    at: now,
    durationMs: 3,
    status: 500,
    error: "The receiver answered 500.",
    receiver: "fails",
    ...changes,
  };
}
const taken: Partial<Settlement> = {
  state: "delivered",
  dueAt: null,
  status: 204,
  error: null,
  receiver: "works",
};

test("lanes are found with their first due time, however much waits in each", async () => {
  const other: WorkspaceId = newId();
  await queue("b.example", 300);
  await queue("a.example", 2, workspaceId, later(9_000));
  await queue("a.example", 1, other);
  const found = await findLanes(database);
  assert.deepEqual(
    found.map(({ receiver, workspaceId: of, dueAt, failures }) => [receiver, of === other, dueAt, failures]).sort(),
    [
      ["https://a.example", false, later(9_000), 0],
      ["https://a.example", true, now, 0],
      ["https://b.example", false, now, 0],
    ],
  );
});

test("a claim takes due deliveries from its lanes, the longest due first, up to each lane's count", async () => {
  await queue("a.example", 1, workspaceId, later(-1_000));
  await queue("a.example", 5);
  await queue("b.example", 5);
  await queue("a.example", 5, workspaceId, later(1_000));
  const first = await claim("a.example", 2);
  assert.equal(first.length, 2);
  assert.ok(first.some(({ queuedAt }) => queuedAt.getTime() === later(-1_000).getTime()));
  assert.equal((await claim("a.example", 50)).length, 4);
  assert.equal((await claim("a.example", 50)).length, 0);
});

test("claims at the same time share nothing", async () => {
  await queue("a.example", 50);
  const claims = (await Promise.all(Array.from({ length: 8 }, () => claim("a.example", 10)))).flat();
  assert.equal(claims.length, 50);
  assert.equal(new Set(claims.map(({ id }) => id)).size, 50);
});

test("when a lease has ended the next claim gets it, and the result of the first is not taken", async () => {
  await queue("a.example");
  const [first] = await claim("a.example", 1);
  assert.equal((await claim("a.example", 1, later(59_999))).length, 0);
  const [second] = await claim("a.example", 1, later(60_000));
  assert.ok(first && second);
  assert.deepEqual(await recordSettlements(database, [settled(first, taken)], now, rules), []);
  await releaseDeliveries(database, [first], now);
  const recorded = await recordSettlements(database, [settled(second, taken)], now, rules);
  assert.equal(recorded.length, 1);
  const found = await findDelivery(database, { workspaceId, id: second.id, now });
  assert.deepEqual([found?.status, found?.attempts], ["delivered", 1]);
  assert.deepEqual(await database.query(sql`select * from webhook_queue`), []);
  await requireInvariants(database);
});

test("failures of one receiver add up, rest it at five, disable it after five days, and a success forgets them", async () => {
  await queue("a.example", 20);
  const [one, two, ...many] = await claim("a.example", 7);
  assert.ok(one && two);
  const [once] = await recordSettlements(database, [settled(one), settled(two)], now, rules);
  assert.deepEqual([once?.isResting, once?.isDisabled], [false, false]);
  const five = await recordSettlements(
    database,
    many.map((each) => settled(each)),
    now,
    rules,
  );
  assert.ok(five.every(({ isResting, isDisabled }) => isResting && !isDisabled));
  const [found] = await findLanes(database);
  assert.deepEqual([found?.failures, found?.restingUntil], [7, later(60_000)]);
  // The first claim gets the one attempt of this minute.
  const days = 5 * 86_400_000;
  const [probe] = await claim("a.example", 1, later(days));
  assert.ok(probe);
  assert.deepEqual((await findLanes(database))[0]?.restingUntil, later(days + 60_000));
  const [last] = await recordSettlements(database, [settled(probe)], later(days), rules);
  assert.equal(last?.isDisabled, true);
  const ended = { lanes: [lane("a.example")], queuedBefore: later(days), now: later(days), error: "disabled" };
  assert.equal(await endLanes(database, ended), 20);
  assert.equal((await findQueueFigures(database, now)).disabled, 1);

  await queue("a.example");
  assert.deepEqual(await findLanes(database), []);
  const [dead] = await listDeliveries(database, { workspaceId, filter: {}, before: null, count: 1, now });
  assert.ok(dead);
  assert.equal((await database.transaction((tx) => queueByHand(tx, { workspaceId, id: dead.id, now }))).kind, "queued");
  const [byHand] = await claim("a.example", 1);
  assert.ok(byHand?.isManual);
  await recordSettlements(database, [settled(byHand, taken)], now, rules);
  assert.equal((await findQueueFigures(database, now)).disabled, 0);
  await requireInvariants(database);
});

test("a success beside failures in one batch leaves no failure behind", async () => {
  await queue("a.example", 6);
  const claims = await claim("a.example", 6);
  const settlements = claims.map((each, index) => settled(each, index === 3 ? taken : {}));
  await recordSettlements(database, settlements, now, rules);
  assert.deepEqual(await database.query(sql`select * from webhook_receivers`), []);
});

test("the rest of a subject is stopped without touching what others wait for", async () => {
  await queue("a.example", 2);
  const [one, two] = await claim("a.example", 2);
  assert.ok(one && two);
  await releaseDeliveries(database, [one, two], now);
  await stopSubjects(database, [one], "gone");
  assert.equal((await findDelivery(database, { workspaceId, id: one.id, now }))?.status, "gone");
  assert.equal((await findDelivery(database, { workspaceId, id: two.id, now }))?.status, "pending");
  await requireInvariants(database);
});

test("the figures show how many wait and how long the oldest has been due", async () => {
  await queue("a.example", 3, workspaceId, later(-30_000));
  await queue("b.example", 2, workspaceId, later(30_000));
  const figures = await findQueueFigures(database, now);
  assert.deepEqual([figures.waiting, Math.round(figures.oldestDueSeconds)], [5, 30]);
});

test("forgetting goes in portions and leaves what is younger", async () => {
  await queue("a.example", 5, workspaceId, later(-1_000));
  await queue("a.example", 2);
  const forget = () => forgetDeliveries(database, { before: now, count: 3 });
  assert.deepEqual([await forget(), await forget(), await forget()], [3, 2, 0]);
  assert.equal((await findQueueFigures(database, now)).waiting, 2);
});
