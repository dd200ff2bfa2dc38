// One logical call is one task: keys, twins, and a client's blind retries.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { calmHour } from "./support/calm-hour.ts";
import { type PartnerApp, partnerApp, pixel, relightPath, taskIdOf } from "./support/partner-app.ts";
import { until } from "./support/server-process.ts";
import { testApp } from "./support/test-app.ts";
import { notInFleet } from "./support/test-fleet.ts";

let it: PartnerApp;
before(async () => {
  it = await partnerApp();
});
after(() => it.close());

const submitted = () => it.partner.submissions.length;

test("a retry under the same key gets the first answer again and starts nothing", async () => {
  const before = submitted();
  const key = { "idempotency-key": "k-1" };
  const first = await it.relight({}, key);
  const again = await it.relight({}, key);
  assert.deepEqual([first.status, again.status], [200, 200]);
  assert.equal(again.text, first.text);
  assert.equal(headerOf(first, "idempotent-replayed"), undefined);
  assert.equal(headerOf(again, "idempotent-replayed"), "true");
  assert.equal(submitted(), before + 1);
  // Even if the task has ended since: the key answers what it answered before.
  const partnerId = it.partnerTaskOf(first);
  it.partner.state(partnerId, "COMPLETED", { generated: ["https://pictures.example/1.png"] });
  await it.partner.callback(partnerId);
  const late = await it.relight({}, key);
  assert.equal(late.text, first.text);
  assert.equal(submitted(), before + 1);
  await it.invariantsHold();
});

test("a key with another body is 400 idempotency_key_reuse, never 409", async () => {
  const key = { "idempotency-key": "k-2" };
  await it.relight({}, key);
  const other = await it.relight({ style: "clean" }, key);
  assert.equal(other.status, 400, other.text);
  assert.equal(textOf(other.json(), "error"), "idempotency_key_reuse");
});

test("concurrent twins under one key are one task and get one answer", async () => {
  const before = submitted();
  let open: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    open = resolve;
  });
  it.partner.reply(async (response, { taskId }) => {
    await held;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: { task_id: taskId, status: "CREATED" } }));
  }, true);
  const twins = Array.from({ length: 5 }, () => it.relight({}, { "idempotency-key": "k-3" }));
  await until("one is at the partner's door", () => submitted() === before + 1);
  open();
  const answers = await Promise.all(twins);
  it.partner.reply(null);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map(taskIdOf)).size, 1);
  assert.equal(submitted(), before + 1);
});

test("a key whose submission was refused is free for the corrected request", async () => {
  const key = { "idempotency-key": "k-4" };
  it.partner.reply((response) => response.writeHead(400).end('{"message":"no"}'));
  assert.equal((await it.relight({}, key)).status, 400);
  it.partner.reply(null);
  assert.equal((await it.relight({ style: "clean" }, key)).status, 200);
});

test("a request without a key is no retry of an equal one under a key", async () => {
  const keyed = await it.relight({ prompt: "keyed" }, { "idempotency-key": "k-5" });
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.notEqual(taskIdOf(await it.relight({ prompt: "keyed" })), taskIdOf(keyed));
});

test("two equal requests without a key are two tasks", async () => {
  const [one, other] = [await it.relight({ prompt: "twice" }), await it.relight({ prompt: "twice" })];
  assert.notEqual(taskIdOf(one), taskIdOf(other));
});

test("an equal request with the same job id is the same task, with another job id a new one", async () => {
  const job = { "x-service-job-id": "job-1" };
  const first = await it.relight({}, job);
  const again = await it.relight({}, job);
  assert.equal(taskIdOf(again), taskIdOf(first));
  assert.equal(headerOf(again, "idempotent-replayed"), "true");
  assert.notEqual(taskIdOf(await it.relight({ style: "clean" }, job)), taskIdOf(first));
  assert.notEqual(taskIdOf(await it.relight({}, { "x-service-job-id": "job-2" })), taskIdOf(first));
});

test("concurrent twins with the same job id are one task", async () => {
  const before = submitted();
  const job = { "x-service-job-id": "job-3" };
  const answers = await Promise.all(Array.from({ length: 4 }, () => it.relight({}, job)));
  assert.equal(new Set(answers.map(taskIdOf)).size, 1, answers.map(({ text }) => text).join());
  assert.equal(submitted(), before + 1);
});

test("after ten minutes the same job id begins a new task", async () => {
  const job = { "x-service-job-id": "job-4" };
  const first = await it.relight({}, job);
  await it.app.database.execute({
    text: "update partner_tasks set created_at = created_at - interval '601 seconds' where id = $1",
    values: [taskIdOf(first)],
    name: "older",
  });
  assert.notEqual(taskIdOf(await it.relight({}, job)), taskIdOf(first));
});

// A client that leaves before it was answered.
function abandoned(body: string): { socket: ReturnType<typeof connect> } {
  const socket = connect(it.app.port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `POST ${relightPath} HTTP/1.1\r\nHost: 127.0.0.1:${it.app.port}\r\nAuthorization: Bearer ${it.app.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return { socket };
}

test(
  "a blind retry is recognised when the first answer could not be delivered, while it runs and afterwards",
  notInFleet("another process recognises it when the first one has had a moment to deliver"),
  async () => {
    const before = submitted();
    const body = { image: pixel, prompt: "undelivered" };
    let open: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    it.partner.reply(async (response, { taskId }) => {
      await held;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: { task_id: taskId, status: "CREATED" } }));
    }, true);
    const { socket } = abandoned(JSON.stringify(body));
    await until("it is at the partner's door", () => submitted() === before + 1);
    // The server ends its side once it has seen that the client left.
    const seen = once(socket, "close");
    socket.resume().end();
    await seen;
    const retry = it.post(relightPath, body);
    await new Promise((resolve) => setTimeout(resolve, 100));
    open();
    const first = await retry;
    it.partner.reply(null);
    assert.equal(first.status, 200, first.text);
    assert.equal(headerOf(first, "idempotent-replayed"), "true");
    assert.equal(submitted(), before + 1);
    const again = await it.post(relightPath, body);
    assert.equal(taskIdOf(again), taskIdOf(first), "the first answer never arrived, so this is still the retry");
    // Another process sees it in the row.
    const beside = await testApp({ beside: it.app, env: { ...it.partner.env }, credentials: it.partner.credentials });
    try {
      await until("the row is there", async () => {
        const rows = await it.app.database.query<{ id: string }>({
          // Another process assumes that the answer was not delivered once it is old enough that a delivery would have
          // been recorded.
          text: "select id from partner_tasks where id = $1 and retry_key is not null and created_at < now() - interval '3 s'",
          values: [taskIdOf(first)],
          name: "there",
        });
        return rows.length === 1;
      });
      const elsewhere = await beside.call({
        method: "POST",
        path: relightPath,
        body,
        headers: { authorization: `Bearer ${it.app.key}` },
      });
      assert.equal(taskIdOf(elsewhere), taskIdOf(first));
    } finally {
      await beside.close();
    }
  },
);

test("a delivered answer is remembered: sixty seconds apply only to undelivered ones", async () => {
  const body = { image: pixel, prompt: "delivered" };
  const first = await it.post(relightPath, body);
  await until("it is written down", async () => {
    const [row] = await it.app.database.query<{ is: boolean }>({
      text: "select answered_at is not null as is from partner_tasks where id = $1",
      values: [taskIdOf(first)],
      name: "answered",
    });
    return row?.is ?? false;
  });
  assert.notEqual(taskIdOf(await it.post(relightPath, body)), taskIdOf(first));
});

test("a key that has spent its day is 402, the cap is named, and nothing reaches the partner", async () => {
  const made = await it.post("/account/keys", { name: "capped", scopes: ["partners"] });
  const [key, keyId] = [textOf(made.json(), "secret"), textOf(made.json(), "id")];
  await calmHour();
  const caps = { daily_credits_max: "21.1", monthly_credits_max: null };
  const set = await it.app.call({
    method: "PUT",
    path: `/account/keys/${keyId}/caps`,
    headers: bearer(it.app.key),
    body: caps,
  });
  assert.equal(set.status, 200, set.text);
  assert.equal((await it.relight({ prompt: "within the cap" }, bearer(key))).status, 200);
  const sent = submitted();
  const refused = await it.relight({ prompt: "beyond the cap" }, bearer(key));
  assert.equal(refused.status, 402, refused.text);
  assert.match(refused.text, /day/);
  assert.equal(submitted(), sent);
});

test("without credits it is 402 and nothing reaches the partner", async () => {
  const before = submitted();
  const { available } = await it.wallet();
  const taken = await it.app.call({
    method: "POST",
    path: `/admin/workspaces/${it.app.workspaceId}/credits/withdrawals`,
    headers: { authorization: `Bearer ${it.app.adminToken}`, "idempotency-key": "empty" },
    body: { amount: (available - 1).toFixed(6), note: "a test" },
  });
  assert.equal(taken.status, 201, taken.text);
  const refused = await it.relight();
  assert.equal(refused.status, 402, refused.text);
  assert.equal(textOf(refused.json(), "error"), "insufficient_credits");
  assert.match(textOf(refused.json(), "message"), /needs up to 21\.1 credits, but the workspace has 1 available/);
  assert.deepEqual(memberOf(refused.json(), "details"), { needed: "21.1", available: "1" });
  assert.equal(submitted(), before);
});

test("beyond the workspace's slots it is 429 with Retry-After", async () => {
  await it.app.call({
    method: "PUT",
    path: `/admin/workspaces/${it.app.workspaceId}/limits/concurrency`,
    headers: { authorization: `Bearer ${it.app.adminToken}` },
    body: { value: 1 },
  });
  const refused = await until("the limit counts", async () => {
    const answer = await it.relight();
    return answer.status === 429 ? answer : null;
  });
  assert.equal(refused.status, 429, refused.text);
  assert.equal(textOf(refused.json(), "error"), "concurrency_limit_exceeded");
  assert.ok(Number(headerOf(refused, "retry-after")) >= 1);
  assert.equal(memberOf(refused.json(), "data"), undefined);
});
