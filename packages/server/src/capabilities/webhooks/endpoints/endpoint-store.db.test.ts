// Endpoints at the database, on both versions of PostgreSQL, and at a real receiver: who gets an event, how often, and what pausing, moving and deleting do.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { type WebhookEventType, webhookEventTypes } from "@atelier/contract";
import { Webhook } from "standardwebhooks";
import { testDatabase } from "../../../../test/support/test-database.ts";
import { type Database, sql } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { aReceiver, type Receiver, status } from "../../../foundation/http/receiver.fixture.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Notice, NoticeFacts } from "../notice.ts";
import { aSender, aWorkspace, requireInvariants, type Sender } from "../webhooks.fixture.ts";
import { type EndpointFilter, type EndpointRule, statusDetailOf, statusOf } from "./endpoint.ts";

const system = { actor: { kind: "system", id: null } } as const;
const everything: EndpointFilter = { tag: null, model: null, deployment: null };
let database: Database;
let workspaceId: WorkspaceId;
let receiver: Receiver;
let sender: Sender;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());
beforeEach(async () => {
  workspaceId = await aWorkspace(database);
  receiver = await aReceiver();
  sender = aSender(database, [receiver.target]);
});
afterEach(async () => {
  receiver.close();
  await requireInvariants(database);
});

const ruleOf = (path: string, changes: Partial<EndpointRule> = {}): EndpointRule => ({
  url: `http://${receiver.target}/${path}`,
  description: "",
  types: ["job.succeeded"],
  filter: everything,
  ...changes,
});
const made = async (path: string, changes: Partial<EndpointRule> = {}, of = workspaceId) => {
  const { endpoint, text } = await sender.endpoints.create(of, ruleOf(path, changes), system);
  return { id: endpoint.id, workspaceId: of, text };
};
const event = (type: WebhookEventType = "job.succeeded", facts: NoticeFacts = {}, of = workspaceId): Notice => {
  const subjectId = newId();
  const body = Buffer.from(JSON.stringify({ id: subjectId, sequence: 1 }));
  return { workspaceId: of, subjectId, sequence: 1, url: null, type, facts, body };
};
const enqueue = (...notices: readonly Notice[]) => database.transaction((tx) => sender.enqueue(tx, notices));
const logOf = async (of: WorkspaceId = workspaceId) =>
  (await sender.deliveries.list({ workspaceId: of, before: null, limit: 1000 })).deliveries;
const verifies = (text: string, at: number) => {
  const got = receiver.received[at];
  assert.ok(got);
  const headers = Object.fromEntries(Object.entries(got.headers).map(([name, value]) => [name, String(value)]));
  try {
    new Webhook(text).verify(got.body, headers);
    return true;
  } catch {
    return false;
  }
};
const conflict = (error: unknown) => error instanceof Fault && error.code === "conflict";
const absent = (error: unknown) => error instanceof Fault && error.code === "not_found";

describe("an event", () => {
  test("becomes exactly one delivery for each endpoint that asks for it, in committed transactions only", {
    timeout: 900_000,
  }, async () => {
    const others = await aWorkspace(database);
    const [tags, models, deployments] = [
      [{ project: "spring" }, { project: "autumn" }, { project: "spring", team: "a" }, null],
      ["sandbox/image-1", "sandbox/image-10", "sand/image-1", null],
      [newId(), newId(), null],
    ];
    let seed = 20261118;
    const random = (most: number) => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return (seed >> 8) % most;
    };
    const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
    const rules = new Map<string, { owner: WorkspaceId; rule: EndpointRule }>();
    for (const owner of [workspaceId, others])
      for (let n = 0; n < 12; n += 1) {
        const types = webhookEventTypes.filter(() => random(3) === 0);
        const filter = {
          tag: pick([null, null, { project: "spring" }, { team: "a" }]),
          model: pick([null, null, "sandbox", "sandbox/image-1"]),
          deployment: pick([null, null, deployments[0] ?? null]),
        };
        const rule = ruleOf(`${n}`, { types: types.length === 0 ? ["job.failed"] : types, filter });
        const { endpoint } = await sender.endpoints.create(owner, rule, system);
        rules.set(endpoint.id, { owner, rule });
      }
    const asks = ({ owner, rule: { types, filter } }: { owner: WorkspaceId; rule: EndpointRule }, one: Notice) =>
      owner === one.workspaceId &&
      types.includes(one.type) &&
      Object.entries(filter.tag ?? {}).every(([key, value]) => one.facts?.tags?.[key] === value) &&
      (filter.model === null ||
        one.facts?.model === filter.model ||
        one.facts?.model?.split("/")[0] === filter.model) &&
      (filter.deployment === null || one.facts?.deploymentId === filter.deployment);
    const expected: string[] = [];
    for (let round = 0; round < 60; round += 1) {
      const notices = Array.from({ length: 1 + random(5) }, () => ({
        ...event(
          pick(webhookEventTypes),
          { tags: pick(tags), model: pick(models), deploymentId: pick(deployments) },
          pick([workspaceId, others]),
        ),
        url: pick([null, `http://${receiver.target}/own`]),
      }));
      const isKept = random(4) > 0;
      const change = database.transaction(async (tx) => {
        await sender.enqueue(tx, notices);
        if (!isKept) throw new Error("the change failed");
      });
      if (!isKept) await assert.rejects(change, /the change failed/);
      else {
        await change;
        for (const one of notices) {
          if (one.url !== null) expected.push(`${one.subjectId} own`);
          for (const [id, each] of rules) if (asks(each, one)) expected.push(`${one.subjectId} ${id}`);
        }
      }
    }
    const rows = await database.query<{ subject_id: string; endpoint_id: string | null }>(sql`
      select subject_id, endpoint_id from webhook_deliveries where workspace_id in (${workspaceId}, ${others})`);
    const found = rows.map(({ subject_id, endpoint_id }) => `${subject_id} ${endpoint_id ?? "own"}`);
    assert.deepEqual(found.sort(), expected.sort());
    assert.ok(expected.length > 100, `${expected.length} deliveries`);
  });

  test("told again fails the transaction instead of becoming a second delivery", async () => {
    await made("a");
    const one = event();
    await enqueue(one);
    await assert.rejects(enqueue(one), /duplicate key/);
    assert.equal((await logOf()).length, 1);
  });

  test("arrives signed with the endpoint's secret and with no other; the subject's own address keeps its own", async () => {
    const workspace = await sender.secrets.rotate({ workspaceId }, system);
    const first = await made("a");
    const [one, other] = [event(), { ...event("job.failed"), url: receiver.url }];
    await enqueue(one);
    await sender.round();
    await enqueue(other);
    await sender.round();
    assert.deepEqual([verifies(first.text, 0), verifies(workspace.text, 0)], [true, false]);
    assert.deepEqual([verifies(first.text, 1), verifies(workspace.text, 1)], [false, true]);
  });
});

test("both secrets sign while one is rotated; a process that just read them knows a new endpoint at once", async () => {
  const first = await made("a");
  const other = aSender(database, [receiver.target], { clock: sender.clock });
  await other.secrets.signing(workspaceId);
  const fresh = await sender.endpoints.rotate({ ...first, overlapSeconds: 60 }, system);
  const second = await made("b", { types: ["job.failed"] });
  await enqueue(event(), event("job.failed"));
  await other.round();
  assert.deepEqual(receiver.received.map(({ path }) => path).sort(), ["/a", "/b"]);
  const [a, b] = ["/a", "/b"].map((path) => receiver.received.findIndex((each) => each.path === path));
  assert.deepEqual([verifies(second.text, b ?? -1), verifies(fresh.text, b ?? -1)], [true, false]);
  assert.equal(verifies(first.text, a ?? -1), true);
  await sender.clock.advance(60_001);
  await enqueue(event());
  await sender.round();
  assert.deepEqual([verifies(first.text, 2), verifies(fresh.text, 2)], [false, true]);
});

describe("what is refused", () => {
  test("an address that another endpoint has, however it is spelled, and more than 20 endpoints, also all at once", async () => {
    const first = await made("a");
    await assert.rejects(made("./b/../a"), conflict);
    const second = await made("b");
    const taken = () => ruleOf("a");
    await assert.rejects(sender.endpoints.change(second, taken, system), conflict);
    await sender.endpoints.change(first, (before) => ({ ...before, description: "same address" }), system);
    const many = await Promise.allSettled(Array.from({ length: 25 }, (_, n) => made(`n${n}`)));
    assert.equal(many.filter((one) => one.status === "fulfilled").length, 18);
    assert.ok(many.every((one) => one.status === "fulfilled" || conflict(one.reason)));
    assert.equal((await sender.endpoints.list(workspaceId)).length, 20);
  });

  test("endpoints of others do not exist", async () => {
    const stranger = { ...(await made("a")), workspaceId: await aWorkspace(database) };
    const attempts = [
      () => sender.endpoints.get(stranger),
      () => sender.endpoints.change(stranger, (before) => before, system),
      () => sender.endpoints.remove(stranger, system),
      () => sender.endpoints.pause(stranger, system),
      () => sender.endpoints.resume(stranger, system),
      () => sender.endpoints.rotate(stranger, system),
    ];
    for (const attempt of attempts) await assert.rejects(attempt, absent);
    assert.equal((await sender.endpoints.list(workspaceId))[0]?.pausedAt, null);
  });
});

describe("a paused endpoint", () => {
  test("gets nothing, not even what waited; its events are dead and can be redelivered by hand", async () => {
    receiver.answer = status(500);
    const named = await made("a");
    await enqueue(event());
    await sender.round();
    await sender.endpoints.pause(named, system);
    await enqueue(event());
    await sender.clock.advance(10 * 60_000);
    receiver.answer = status(204);
    await sender.round();
    assert.equal(receiver.received.length, 1);
    const log = await logOf();
    assert.deepEqual(
      log.map((delivery) => [delivery.status, delivery.lastError]),
      [
        ["dead", "The endpoint is paused. Resume it, then redeliver."],
        ["dead", "The endpoint is paused. Resume it, then redeliver."],
      ],
    );
    assert.equal(statusOf(await sender.endpoints.get(named)), "paused");
    await sender.endpoints.resume(named, system);
    await enqueue(event());
    for (const { id } of log) await sender.deliveries.redeliver(workspaceId, id);
    await sender.round();
    assert.deepEqual(
      (await logOf()).map((delivery) => delivery.status),
      ["delivered", "delivered", "delivered"],
    );
    assert.equal(statusOf(await sender.endpoints.get(named)), "active");
  });

  test("whose delivery was on its way when it was paused is not tried again", async () => {
    const named = await made("a");
    receiver.answer = status(500);
    await enqueue(event());
    await sender.round();
    // As if the pause had met a claim: the queue has it, and the endpoint is paused.
    await database.execute(sql`update webhook_endpoints set paused_at = now() where id = ${named.id}`);
    await sender.clock.advance(10_000);
    await sender.round();
    const [delivery] = await logOf();
    assert.deepEqual([delivery?.status, receiver.received.length], ["dead", 1]);
  });
});

test("a receiver that keeps failing pauses its endpoints by itself, says so, and starts afresh when resumed", async () => {
  receiver.answer = status(500);
  const named = await made("a");
  for (let n = 0; n < 5; n += 1) await enqueue(event());
  for (let n = 0; n < 5; n += 1) {
    await sender.round();
    await sender.clock.advance(400_000);
  }
  const failing = await sender.endpoints.get(named);
  assert.deepEqual([statusOf(failing), statusDetailOf(failing)?.includes("once a minute")], ["failing", true]);
  await sender.clock.advance(5 * 86_400_000);
  await enqueue(event());
  await sender.round();
  const disabled = await sender.endpoints.get(named);
  assert.deepEqual([statusOf(disabled), statusDetailOf(disabled)?.includes("resume the endpoint")], ["disabled", true]);
  await enqueue(event());
  assert.equal((await logOf())[0]?.status, "dead");
  receiver.answer = status(204);
  await sender.endpoints.resume(named, system);
  const before = receiver.received.length;
  await enqueue(event());
  await sender.round();
  assert.equal(receiver.received.length, before + 1);
  assert.equal(statusOf(await sender.endpoints.get(named)), "active");
});

test("a new address also gets what waits, and what is redelivered", async () => {
  receiver.answer = status(500);
  const named = await made("old");
  await enqueue(event());
  await sender.round();
  const elsewhere = await aReceiver();
  try {
    const url = `http://${elsewhere.target}/new`;
    const moved = aSender(database, [receiver.target, elsewhere.target], { clock: sender.clock });
    await moved.endpoints.change(named, (before) => ({ ...before, url }), system);
    await sender.clock.advance(10_000);
    await moved.round();
    assert.deepEqual([receiver.received.length, elsewhere.received.map(({ path }) => path)], [1, ["/new"]]);
    const [delivery] = await logOf();
    assert.deepEqual([delivery?.status, delivery?.url], ["delivered", url]);
    await moved.endpoints.change(named, (before) => ({ ...before, url: `http://${elsewhere.target}/newer` }), system);
    await moved.deliveries.redeliver(workspaceId, delivery?.id ?? assert.fail());
    await moved.round();
    assert.deepEqual(elsewhere.received.at(-1)?.path, "/newer");
  } finally {
    elsewhere.close();
  }
});

test("a deleted endpoint gets nothing more: what waits is dead, cannot be redelivered, and stays in the log", async () => {
  receiver.answer = status(500);
  const named = await made("a");
  await enqueue(event());
  await sender.round();
  await sender.endpoints.remove(named, system);
  await sender.clock.advance(10_000);
  await sender.round();
  const [delivery] = await logOf();
  assert.deepEqual([delivery?.status, delivery?.lastError], ["dead", "The endpoint was deleted."]);
  await assert.rejects(sender.deliveries.redeliver(workspaceId, delivery?.id ?? assert.fail()), conflict);
  const listed = await sender.deliveries.list({ workspaceId, endpointId: named.id, before: null, limit: 10 });
  assert.equal(listed.deliveries.length, 1);
  // One that was written by a transaction that still saw the endpoint.
  await database.execute(sql`
    update webhook_deliveries set status = 'pending', next_attempt_at = now() where id = ${delivery?.id ?? ""}`);
  await database.execute(sql`
    insert into webhook_queue (delivery_id, workspace_id, receiver, due_at, queued_at)
    select id, workspace_id, receiver, created_at, created_at from webhook_deliveries where id = ${delivery?.id ?? ""}`);
  await sender.round();
  assert.deepEqual([(await logOf())[0]?.status, receiver.received.length], ["dead", 1]);
});

test("a scaling signal leaves to an endpoint by the customers' rules, whatever the operator's autoscaler may reach", async () => {
  const closed = { allowHttp: false, developmentTargets: [] };
  const open = { allowHttp: true, developmentTargets: [receiver.target] };
  const strict = aSender(database, [], { policy: closed, scalePolicy: open, clock: sender.clock });
  await made("a", { types: ["deployment.scale"] });
  await enqueue({ ...event("deployment.scale"), url: receiver.url });
  await strict.round();
  const log = await logOf();
  assert.deepEqual(log.map((one) => [one.endpointId === null, one.status]).sort(), [
    [false, "pending"],
    [true, "delivered"],
  ]);
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    [new URL(receiver.url).pathname],
  );
});

test("two processes send each delivery once", { timeout: 900_000 }, async () => {
  const other = aSender(database, [receiver.target], { clock: sender.clock });
  await made("a");
  await made("b");
  for (let n = 0; n < 20; n += 1) await enqueue(event(), event());
  for (let n = 0; n < 30; n += 1) await Promise.all([sender.round(), other.round()]);
  const ids = receiver.received.map(({ headers }) => String(headers["webhook-id"]));
  assert.deepEqual([ids.length, new Set(ids).size], [80, 80]);
});
