import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { testDatabase } from "../../../test/support/test-database.ts";
import { type Database, sql } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { aReceiver, type Receiver, status } from "../../foundation/http/receiver.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { attemptDelaysSeconds } from "./retry-schedule.ts";
import { aSender, aWorkspace, enqueueChange, requireInvariants } from "./webhooks.fixture.ts";

const system = { actor: { kind: "system", id: null } } as const;
let database: Database;
let workspaceId: WorkspaceId;
let receiver: Receiver;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());
beforeEach(async () => {
  workspaceId = await aWorkspace(database);
  receiver = await aReceiver();
});
afterEach(async () => {
  receiver.close();
  await requireInvariants(database);
});

const list = async (sender: ReturnType<typeof aSender>) =>
  (await sender.deliveries.list({ workspaceId, before: null, limit: 100 })).deliveries;
const sequences = () => receiver.received.map(({ body }) => Number(JSON.parse(body.toString()).sequence));

describe("a notice", () => {
  test("is there exactly when the change is: a transaction that fails leaves none", async () => {
    const sender = aSender(database, [receiver.target]);
    await assert.rejects(
      database.transaction(async (tx) => {
        const notice = { workspaceId, subjectId: newId(), sequence: 1, url: receiver.url };
        await sender.enqueue(tx, [{ ...notice, type: "job.running", body: Buffer.from("{}") }]);
        throw new Error("the change failed");
      }),
    );
    await sender.round();
    assert.deepEqual([receiver.received.length, (await list(sender)).length], [0, 0]);
  });

  test("arrives byte for byte with its type put in, signed for the workspace's secret, and is in the log", async () => {
    const sender = aSender(database, [receiver.target]);
    const secret = await sender.secrets.rotate({ workspaceId }, system);
    const body = Buffer.from('{"status":"succeeded",  "seed":9007199254740993,"sequence":1}');
    const notice = { workspaceId, subjectId: newId(), sequence: 1, url: receiver.url, body };
    await database.transaction((tx) => sender.enqueue(tx, [{ ...notice, type: "job.succeeded" }]));
    await sender.round();
    const [got] = receiver.received;
    assert.ok(got);
    assert.equal(
      got.body.toString(),
      '{"status":"succeeded",  "seed":9007199254740993,"sequence":1,"type":"job.succeeded"}',
    );
    assert.equal(got.headers["content-type"], "application/json");
    assert.equal(got.headers["user-agent"], "Atelier/test");
    const headers = Object.fromEntries(Object.entries(got.headers).map(([name, value]) => [name, String(value)]));
    assert.doesNotThrow(() => new Webhook(secret.text).verify(got.body, headers, { jsonParse: false }));
    const [delivery] = await list(sender);
    assert.ok(delivery);
    assert.equal(delivery.id, got.headers["webhook-id"]);
    assert.deepEqual(
      [delivery.status, delivery.attempts, delivery.lastStatus, delivery.nextAttemptAt, delivery.type],
      ["delivered", 1, 200, null, "job.succeeded"],
    );
  });

  test("with a number that was used already fails the transaction", async () => {
    const sender = aSender(database, [receiver.target]);
    const subjectId = newId();
    await enqueueChange(sender, database, { workspaceId, url: receiver.url, subjectId });
    await assert.rejects(
      enqueueChange(sender, database, { workspaceId, url: receiver.url, subjectId }),
      /duplicate key/,
    );
    await sender.round();
    assert.equal(receiver.received.length, 1);
  });

  test("to an address that may not be called is never dialled, and ends dead with the text of all failures", async () => {
    const sender = aSender(database, []);
    await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    await enqueueChange(sender, database, { workspaceId, url: "https://10.0.0.1/hook" });
    for (const delay of attemptDelaysSeconds) {
      await sender.clock.advance(delay * 1000 + 61_000);
      await sender.round();
    }
    assert.equal(receiver.connections(), 0);
    for (const delivery of await list(sender)) {
      assert.deepEqual([delivery.status, delivery.attempts], ["dead", 10]);
      assert.equal(delivery.lastError, "The receiver could not be reached or did not answer in time.");
    }
  });
});

test("a URL is judged before anything is accepted", () => {
  const sender = aSender(database, [receiver.target]);
  assert.equal(sender.checkUrl("https://hooks.example.com/a?b=c"), null);
  assert.equal(sender.checkUrl(receiver.url), null);
  const refused = [
    "http://hooks.example.com",
    "https://user@hooks.example.com",
    "https://hooks.example.com:8443",
    "https://localhost",
    "https://127.1",
    "https://[::ffff:10.0.0.1]",
    "https://metadata.internal",
    "not a url",
    `https://hooks.example.com/${"a".repeat(2048)}`,
  ];
  for (const url of refused) assert.equal(typeof sender.checkUrl(url), "string", url);
});

describe("the schedule", () => {
  test("is walked to its end: ten attempts, equal bytes and id, then a dead letter that can be sent by hand", async () => {
    const sender = aSender(database, [receiver.target]);
    receiver.answer = status(500);
    await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    await sender.round();
    for (const [index, delay] of attemptDelaysSeconds.slice(1).entries()) {
      await sender.clock.advance(delay * 1000 - 1);
      // The circuit may stay open a minute longer than the schedule says.
      await sender.round();
      assert.equal(receiver.received.length, index + 1, `before attempt ${index + 2}`);
      await sender.clock.advance(60_001);
      await sender.round();
      assert.equal(receiver.received.length, index + 2);
    }
    await sender.clock.advance(200 * 3_600_000);
    await sender.round();
    const [dead] = await list(sender);
    assert.ok(dead);
    assert.deepEqual([dead.status, dead.attempts, dead.nextAttemptAt], ["dead", 10, null]);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 1);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-timestamp"])).size, 10);

    receiver.answer = status(204);
    assert.equal((await sender.deliveries.redeliver(workspaceId, dead.id)).status, "pending");
    await sender.round();
    const detail = await sender.deliveries.get(workspaceId, dead.id);
    assert.deepEqual([detail.status, detail.attempts, detail.log.at(-1)?.isManual], ["delivered", 11, true]);
    assert.equal(receiver.received.at(-1)?.headers["webhook-id"], dead.id);
  });

  test("goes on where it was after an attempt by hand that fails", async () => {
    const sender = aSender(database, [receiver.target]);
    receiver.answer = status(500);
    await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    await sender.round();
    const [first] = await list(sender);
    assert.ok(first);
    await sender.deliveries.redeliver(workspaceId, first.id);
    await sender.round();
    const [second] = await list(sender);
    assert.deepEqual([second?.status, second?.attempts, second?.nextAttemptAt], ["pending", 2, first.nextAttemptAt]);
    receiver.answer = status(200);
    await sender.clock.advance(5_000);
    await sender.round();
    assert.equal((await list(sender))[0]?.status, "delivered");
  });

  test("a redirect is not followed", async () => {
    const sender = aSender(database, [receiver.target]);
    receiver.answer = status(302, { location: "/elsewhere" });
    await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    await sender.round();
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ["/hook"],
    );
    assert.equal((await list(sender))[0]?.status, "pending");
  });

  test("410 ends it for this subject and address, later deliveries included, and for nobody else", async () => {
    const sender = aSender(database, [receiver.target]);
    const [subjectId, other] = [newId(), newId()];
    receiver.answer = (response, { body }) =>
      status(JSON.parse(body.toString()).id === subjectId ? 410 : 500)(response);
    for (const sequence of [1, 2])
      await enqueueChange(sender, database, { workspaceId, url: receiver.url, subjectId, sequence });
    await enqueueChange(sender, database, { workspaceId, url: receiver.url, subjectId: other });
    await sender.round();
    await enqueueChange(sender, database, { workspaceId, url: receiver.url, subjectId, sequence: 3 });
    await sender.clock.advance(10_000);
    await sender.round();
    const deliveries = await list(sender);
    const statusOf = (id: string) => deliveries.filter((each) => each.subjectId === id).map((each) => each.status);
    assert.deepEqual(statusOf(subjectId), ["gone", "gone", "gone"]);
    assert.deepEqual(statusOf(other), ["pending"]);
  });
});

describe("a receiver that fails", () => {
  test("five times in a row is tried once a minute, without using up what waits", async () => {
    const sender = aSender(database, [receiver.target]);
    receiver.answer = status(503);
    for (let index = 0; index < 20; index++) await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    await sender.round();
    assert.equal(receiver.received.length, 5);
    await sender.clock.advance(59_000);
    await sender.round();
    assert.equal(receiver.received.length, 5);
    await sender.clock.advance(2_000);
    await sender.round();
    assert.equal(receiver.received.length, 6);
    const attempts = (await list(sender)).map((delivery) => delivery.attempts);
    assert.equal(
      attempts.reduce((sum, count) => sum + count, 0),
      6,
    );
    receiver.answer = status(200);
    await sender.clock.advance(61_000);
    await sender.round();
    await sender.round();
    assert.ok((await list(sender)).filter((delivery) => delivery.status === "delivered").length >= 15);
  });

  test("for five days is disabled: waiting deliveries end, new ones are recorded, a manual success re-enables it", async () => {
    const sender = aSender(database, [receiver.target]);
    receiver.answer = status(500);
    for (let day = 0; day <= 5; day++) {
      for (let index = 0; index < 5; index++) await enqueueChange(sender, database, { workspaceId, url: receiver.url });
      await sender.clock.advance(86_400_000 + 60_000);
      await sender.round();
    }
    const [failing] = await sender.deliveries.failingReceivers(workspaceId);
    assert.ok(failing?.disabledAt);
    assert.deepEqual(new Set((await list(sender)).map((delivery) => delivery.status)), new Set(["dead"]));
    const before = receiver.received.length;
    await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    await sender.round();
    const [recorded] = await list(sender);
    assert.deepEqual([recorded?.status, recorded?.attempts, receiver.received.length], ["dead", 0, before]);
    assert.match(recorded?.lastError ?? "", /disabled/);
    receiver.answer = status(200);
    assert.ok(recorded);
    await sender.deliveries.redeliver(workspaceId, recorded.id);
    await sender.round();
    assert.deepEqual(await sender.deliveries.failingReceivers(workspaceId), []);
    await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    await sender.round();
    assert.equal(receiver.received.length, before + 2);
  });

  test("fails for its own workspace only", async () => {
    const sender = aSender(database, [receiver.target]);
    const other = await aWorkspace(database);
    receiver.answer = (response, { path }) => status(path === "/fine" ? 200 : 500)(response);
    for (let index = 0; index < 6; index++) await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    await sender.round();
    await enqueueChange(sender, database, { workspaceId: other, url: receiver.url.replace("/hook", "/fine") });
    await sender.round();
    assert.equal(receiver.received.at(-1)?.path, "/fine");
  });
});

describe("claims", () => {
  test("a process that dies with one loses it when the lease ends, and its late result changes nothing", async () => {
    const [first, second] = [aSender(database, [receiver.target]), aSender(database, [receiver.target])];
    const held = Promise.withResolvers<() => void>();
    receiver.answer = (response) => held.resolve(() => status(500)(response));
    await enqueueChange(first, database, { workspaceId, url: receiver.url });
    const late = first.round();
    const answerLate = await held.promise;
    assert.equal((await list(second))[0]?.status, "sending");
    await second.round();
    assert.equal(receiver.received.length, 1);
    receiver.answer = status(200);
    await second.clock.advance(61_000);
    await second.round();
    answerLate();
    await late;
    const [delivery] = await list(second);
    assert.deepEqual([delivery?.status, delivery?.attempts, delivery?.lastStatus], ["delivered", 1, 200]);
    assert.equal(receiver.received.length, 2);
  });

  test("two processes send each of 200 deliveries once", async () => {
    const [first, second] = [aSender(database, [receiver.target]), aSender(database, [receiver.target])];
    const subjects = Array.from({ length: 200 }, () => newId());
    await Promise.all(
      subjects.map((subjectId) => enqueueChange(first, database, { workspaceId, url: receiver.url, subjectId })),
    );
    for (let round = 0; round < 5; round++) await Promise.all([first.round(), second.round()]);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    assert.deepEqual([ids.length, new Set(ids).size], [200, 200]);
  });

  test("a delivery that is being sent is not sent again by hand", async () => {
    const sender = aSender(database, [receiver.target]);
    const held = Promise.withResolvers<() => void>();
    receiver.answer = (response) => held.resolve(() => status(200)(response));
    await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    const round = sender.round();
    const release = await held.promise;
    const [delivery] = await list(sender);
    assert.ok(delivery);
    await assert.rejects(sender.deliveries.redeliver(workspaceId, delivery.id), (thrown) => {
      return thrown instanceof Fault && thrown.code === "conflict";
    });
    release();
    await round;
  });
});

test("connections are shared within a workspace for ten seconds and never between workspaces", async () => {
  const sender = aSender(database, [receiver.target]);
  const other = await aWorkspace(database);
  for (let index = 0; index < 3; index++) {
    await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    await sender.round();
  }
  assert.equal(receiver.connections(), 1);
  await enqueueChange(sender, database, { workspaceId: other, url: receiver.url });
  await sender.round();
  assert.equal(receiver.connections(), 2);
  await sender.clock.advance(10_001);
  await enqueueChange(sender, database, { workspaceId, url: receiver.url });
  await sender.round();
  assert.equal(receiver.connections(), 3);
});

test("a test event is one marked attempt, and its failure does not count against the receiver", async () => {
  const sender = aSender(database, [receiver.target]);
  receiver.answer = status(500);
  const { id } = await sender.deliveries.sendTest(workspaceId, receiver.url);
  await sender.round();
  await sender.clock.advance(86_400_000);
  await sender.round();
  const failed = await sender.deliveries.get(workspaceId, id);
  assert.deepEqual([failed.status, failed.attempts, failed.type], ["dead", 1, "webhook.test"]);
  assert.deepEqual(await sender.deliveries.failingReceivers(workspaceId), []);
  receiver.answer = status(200);
  const second = await sender.deliveries.sendTest(workspaceId, receiver.url);
  await sender.round();
  assert.equal((await sender.deliveries.get(workspaceId, second.id)).status, "delivered");
  assert.deepEqual(sequences(), [1, 1]);
});

test("housekeeping forgets what is past its retention, attempts and all, and nothing younger", async () => {
  const sender = aSender(database, [receiver.target], { keepDays: 30 });
  await enqueueChange(sender, database, { workspaceId, url: receiver.url });
  await sender.round();
  await sender.clock.advance(29 * 86_400_000);
  await enqueueChange(sender, database, { workspaceId, url: receiver.url });
  await sender.round();
  await sender.housekeeping.round(AbortSignal.timeout(60_000));
  assert.equal((await list(sender)).length, 2);
  await sender.clock.advance(2 * 86_400_000);
  await sender.housekeeping.round(AbortSignal.timeout(60_000));
  const left = await list(sender);
  assert.equal(left.length, 1);
  const attempts = await database.query(
    sql`select delivery_id from webhook_attempts where workspace_id = ${workspaceId}`,
  );
  assert.deepEqual(attempts, [{ delivery_id: left[0]?.id }]);
});

test("the log is a workspace's own, in pages, by status and by subject", async () => {
  const sender = aSender(database, [receiver.target]);
  const subjectId = newId();
  for (const sequence of [1, 2, 3])
    await enqueueChange(sender, database, { workspaceId, url: receiver.url, subjectId, sequence });
  await sender.round();
  receiver.answer = status(500);
  await enqueueChange(sender, database, { workspaceId, url: receiver.url });
  await sender.round();
  const ask = { workspaceId, before: null, limit: 2 };
  const page = await sender.deliveries.list(ask);
  const rest = await sender.deliveries.list({ ...ask, before: page.next });
  assert.equal(new Set([...page.deliveries, ...rest.deliveries].map(({ id }) => id)).size, 4);
  assert.equal(rest.next, null);
  assert.equal((await sender.deliveries.list({ ...ask, subjectId, limit: 9 })).deliveries.length, 3);
  assert.equal((await sender.deliveries.list({ ...ask, status: "pending" })).deliveries.length, 1);
  assert.equal((await sender.deliveries.list({ ...ask, status: "delivered", limit: 9 })).deliveries.length, 3);
  assert.equal((await sender.deliveries.list({ ...ask, status: "dead" })).deliveries.length, 0);
  const [first] = page.deliveries;
  assert.ok(first);
  const stranger = await aWorkspace(database);
  assert.deepEqual((await sender.deliveries.list({ ...ask, workspaceId: stranger })).deliveries, []);
  for (const call of [
    () => sender.deliveries.get(stranger, first.id),
    () => sender.deliveries.redeliver(stranger, first.id),
  ])
    await assert.rejects(call, (thrown) => thrown instanceof Fault && thrown.code === "not_found");
});
